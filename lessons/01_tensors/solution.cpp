// Exercise 1, solved.
#include "exercise.h"

// Part 1 ★  row_major_strides
Shape row_major_strides(const Shape& shape) {
  Shape strides = shape;
  std::size_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

// Part 2 ★  element_at
double element_at(const Array& x, const Shape& index, const Shape& strides) {
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * strides[axis];
  return x.data()[offset];
}

// The length of an axis of a result of so many axes. A missing axis counts as a length of 1.
std::size_t aligned_length(const Shape& shape, std::size_t axis, std::size_t axes) {
  const std::size_t missing = axes - shape.size();
  return axis < missing ? 1 : shape[axis - missing];
}

// Part 3 ★★  broadcast_shape
Shape broadcast_shape(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::size_t of_a = aligned_length(a, axis, shape.size()),
                      of_b = aligned_length(b, axis, shape.size());
    if (of_a != of_b && of_a != 1 && of_b != 1) throw Error("they do not broadcast");
    shape[axis] = of_a == 1 ? of_b : of_a;
  }
  return shape;
}

// Part 4 ★★  broadcast_strides
Shape broadcast_strides(const Shape& from, const Shape& to) {
  const Shape own = row_major_strides(from);
  const std::size_t missing = to.size() - from.size();
  Shape strides(to.size(), 0);
  for (std::size_t axis = 0; axis < from.size(); ++axis)
    if (from[axis] == to[missing + axis]) strides[missing + axis] = own[axis];
  return strides;
}

// Part 5 ★★★  sum_back
Array sum_back(const Array& u, const Shape& to) {
  const Shape strides = row_major_strides(u.shape()), target = broadcast_strides(to, u.shape());
  Array sums(to, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < strides.size(); ++axis)
      offset += i / strides[axis] % u.shape()[axis] * target[axis];
    sums.data()[offset] += u.data()[i];
  }
  return sums;
}

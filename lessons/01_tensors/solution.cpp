// Exercise 1, solved.
#include "exercise.h"
#include "view.h"

// Part 1 ★  strides_in_order
Strides strides_in_order(const Shape& shape, const std::vector<std::size_t>& order) {
  Strides strides(shape.size());
  std::ptrdiff_t stride = 1;
  for (std::size_t k = order.size(); k > 0; --k) {
    const std::size_t axis = order[k - 1];
    strides[axis] = stride;
    stride *= static_cast<std::ptrdiff_t>(shape[axis]);
  }
  return strides;
}

// Part 2 ★★  sliced
View sliced(const View& view, std::size_t axis, std::size_t first, std::ptrdiff_t step, std::size_t length) {
  View part = view;
  part.start += static_cast<std::ptrdiff_t>(first) * view.strides[axis];
  part.shape[axis] = length;
  part.strides[axis] = view.strides[axis] * step;
  return part;
}

// Part 3 ★★  windows
View windows(const View& view, std::size_t axis, std::size_t length) {
  View all = view;
  all.shape[axis] = view.shape[axis] - length + 1;
  all.shape.push_back(length);
  all.strides.push_back(view.strides[axis]);
  return all;
}

// Part 4 ★★  broadcast_view
View broadcast_view(const View& view, const Shape& shape) {
  if (view.shape.size() > shape.size()) throw Error("it does not broadcast");
  const std::size_t missing = shape.size() - view.shape.size();
  View wide{view.start, shape, Strides(shape.size(), 0)};
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    if (view.shape[axis] == shape[missing + axis])
      wide.strides[missing + axis] = view.strides[axis];
    else if (view.shape[axis] != 1)
      throw Error("it does not broadcast");
  }
  return wide;
}

// Part 5 ★★★  sum_back
Array sum_back(const Array& u, const View& view, std::size_t size) {
  Array sums(Shape{size}, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const Shape index = unravel_index(i, u.shape());
    std::ptrdiff_t offset = view.start;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      offset += static_cast<std::ptrdiff_t>(index[axis]) * view.strides[axis];
    sums.data()[offset] += u.data()[i];
  }
  return sums;
}

double gradient_size(std::size_t rows) {
  const Array u = random_signs(rows);
  const std::size_t columns = u.shape()[1];
  const Array gradient = sum_back(u, broadcast_view({0, {columns}, {1}}, u.shape()), columns);
  double squares = 0;
  for (const double x : gradient) squares += x * x;
  return std::sqrt(squares / static_cast<double>(columns));
}

// Part 6 ★  gradient_sizes
std::vector<Trial> gradient_sizes() {
  return {{1, 1, gradient_size(1)}, {100, 100, gradient_size(100)}, {1000, 1000, gradient_size(1000)}};
}

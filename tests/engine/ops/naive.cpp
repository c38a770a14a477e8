#include "naive.h"

#include <algorithm>

namespace headlight::naive {
namespace {

// The shape itself, and without one, two, … of its leading axes of length 1.
std::vector<Shape> with_missing_axes(Shape shape) {
  std::vector<Shape> all{shape};
  while (!shape.empty() && shape[0] == 1) {
    shape = Shape(shape.begin() + 1, shape.end());
    all.push_back(shape);
  }
  return all;
}

}  // namespace

std::size_t place(const Shape& shape, const Index& index) {
  const std::size_t missing = index.size() - shape.size();
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    place = place * shape[axis] + (shape[axis] == 1 ? 0 : index[missing + axis]);
  return place;
}

Array array(const Numbers& values, const Shape& shape) {
  Array x = empty_array(shape);
  std::transform(values.begin(), values.end(), x.begin(), [](double value) { return Real(value); });
  return x;
}

double dot(const Numbers& x, const Numbers& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

std::vector<Shape> operands(const Shape& base) {
  std::vector<Shape> all;
  each_index(Shape(base.size(), 2), [&](const Index& choice) {
    Shape shape = base;
    for (std::size_t i = 0; i < base.size(); ++i)
      if (choice[i] == 1) shape[i] = 1;
    for (const Shape& x : with_missing_axes(shape)) all.push_back(x);
  });
  return all;
}

std::vector<std::pair<Shape, Shape>> pairs(const Shape& base) {
  std::vector<std::pair<Shape, Shape>> all;
  each_index(Shape(base.size(), 3), [&](const Index& choice) {
    Shape left = base, right = base;
    for (std::size_t i = 0; i < base.size(); ++i) {
      if (choice[i] == 1) left[i] = 1;
      if (choice[i] == 2) right[i] = 1;
    }
    for (const Shape& x : with_missing_axes(left))
      for (const Shape& y : with_missing_axes(right)) all.emplace_back(x, y);
  });
  return all;
}

Shape random_shape(Rng& rng, std::size_t size, std::size_t axes) {
  Shape shape(rng.below(axes + 1));
  for (std::size_t& length : shape) length = 1 + rng.below(size);
  return shape;
}

Shape random_operand(Rng& rng, const Shape& base) {
  Shape shape(base.begin() + static_cast<std::ptrdiff_t>(rng.below(base.size() + 1)), base.end());
  for (std::size_t& length : shape)
    if (rng.below(3) == 0) length = 1;
  return shape;
}

BoolArray random_mask(Rng& rng, const Shape& shape) {
  BoolArray mask(shape, false);
  for (std::size_t i = 0; i < mask.size(); ++i) mask.data()[i] = rng.below(2) == 0;
  return mask;
}

}  // namespace headlight::naive

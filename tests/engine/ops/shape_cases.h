// Ops on inputs with axes of length 0, 1 and 2 (small_shapes_test.cpp).
#pragma once

#include <string>
#include <vector>

#include "samples.h"

namespace headlight {

// An op on inputs of small shapes. `refusal` is part of the Error where it cannot work.
struct ShapeCase {
  std::string op;
  std::vector<Shape> inputs;
  OpFunction function;
  Shape result;
  std::string refusal = {};
};

inline Shape with_last(Shape shape, std::size_t length) {
  shape.back() = length;
  return shape;
}

inline Shape without_last(const Shape& shape) { return Shape(shape.begin(), shape.end() - 1); }

inline Shape joined(Shape shape, std::size_t last) {
  shape.push_back(last);
  return shape;
}

// Adds the ops of everyday_samples() on inputs of shape s.
void everyday_cases(std::vector<ShapeCase>& c, const Shape& s);

}  // namespace headlight

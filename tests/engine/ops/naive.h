// Plain ways to go through arrays, index by index, to hold the fast ones against; and shapes to try.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "headlight/core/array.h"
#include "headlight/core/rng.h"

namespace headlight::naive {

using Index = std::vector<std::size_t>;
using Numbers = std::vector<double>;

// Calls visit(index) for every element of `shape`, the last axis fastest.
template <class Visit>
void each_index(const Shape& shape, Visit visit) {
  Index index(shape.size(), 0);
  for (std::size_t left = size_of(shape); left > 0; --left) {
    visit(std::as_const(index));
    for (std::size_t axis = shape.size(); axis > 0; --axis) {
      if (++index[axis - 1] < shape[axis - 1]) break;
      index[axis - 1] = 0;
    }
  }
}

// Where the element of a broadcast result comes from in an operand of this shape.
std::size_t place(const Shape& shape, const Index& index);

inline double at(const Array& x, const Index& index) { return double(x.data()[place(x.shape(), index)]); }

inline Numbers numbers(const Array& x) { return {x.begin(), x.end()}; }
Array array(const Numbers& values, const Shape& shape);
double dot(const Numbers& x, const Numbers& y);

// Every shape that broadcasts to `base`: each axis full or of length 1, leading ones there or missing.
std::vector<Shape> operands(const Shape& base);

// Every pair of shapes that broadcasts to `base`: at each axis both are full, or one has length 1; leading
// axes of length 1 there or missing.
std::vector<std::pair<Shape, Shape>> pairs(const Shape& base);

// 0 to `axes` axes with lengths 1 … size; and a shape that broadcasts to the one given.
Shape random_shape(Rng& rng, std::size_t size, std::size_t axes);
Shape random_operand(Rng& rng, const Shape& base);

BoolArray random_mask(Rng& rng, const Shape& shape);

}  // namespace headlight::naive

// What exercise 1 starts from: a way to read a buffer.
#pragma once

#include <vector>

#include "headlight/core/array.h"
#include "headlight/core/rng.h"

namespace headlight::strided {

// How far one step along each axis goes in the buffer. A negative stride goes back.
using Strides = std::vector<std::ptrdiff_t>;

// The lesson's View without its pointer. The first element stands at the offset `start` of the buffer; from
// there, a step along axis k goes strides[k] numbers on.
struct View {
  std::ptrdiff_t start;
  Shape shape;
  Strides strides;
};

// A table of random signs, +1 and −1, with 256 columns. The same number of rows gives the same table.
inline Array random_signs(std::size_t rows) {
  Rng rng(rows);
  Array signs = empty_array({rows, 256});
  for (Real& sign : signs) sign = rng.below(2) == 0 ? -1 : 1;
  return signs;
}

}  // namespace headlight::strided

using namespace headlight::strided;

// What exercise 1 starts from: a way to read a buffer.
#pragma once

#include <vector>

#include "headlight/core/shape.h"

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

}  // namespace headlight::strided

using namespace headlight::strided;

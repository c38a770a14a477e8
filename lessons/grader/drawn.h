// Random numbers for the calls of a checker.
//
// The arguments of a function call are computed in the compiler's own order, so at most one of them may draw:
// otherwise a page and a terminal show different numbers. A braced list is computed from left to right:
//   std::apply(on, std::tuple{drawn(rng, {2, 3}), drawn(rng, {3})});
#pragma once

#include <cmath>
#include <utility>

#include "headlight/autograd/tensor.h"
#include "headlight/core/rng.h"

namespace headlight::grader {

// Normally distributed around 0 with this standard deviation, and with one decimal, so that a verdict is easy
// to read.
inline Tensor drawn(Rng& rng, const Shape& shape, double deviation = 2) {
  Array numbers = rng.normal_array(shape, 0, deviation);
  for (Real& x : numbers) x = std::round(10 * x) / 10;
  return Tensor(std::move(numbers));
}

}  // namespace headlight::grader

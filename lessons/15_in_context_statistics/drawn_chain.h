// The chains of the experiment in exercise 15.
#pragma once

#include <vector>

#include "chains.h"
#include "headlight/core/array.h"

namespace headlight {

struct Chain {
  Array matrix;             // (k,k), row i: the probabilities of the letters that follow letter i
  std::vector<int> tokens;  // a walk through it
};

// A chain of k letters with a random matrix, from the flat prior. The same seed gives the same chain.
inline Chain drawn_chain(std::size_t k, std::size_t length, std::uint64_t seed) {
  Rng rng(seed);
  const lesson::Matrix matrix = lesson::random_matrix(k, rng);
  Chain chain{Array::from_shape({k, k}), lesson::walk(matrix, length, rng)};
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) chain.matrix(i, j) = matrix[i][j];
  return chain;
}

}  // namespace headlight

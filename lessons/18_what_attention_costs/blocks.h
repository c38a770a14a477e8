// What the parts of the exercise take and return.
#pragma once

#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/core/rng.h"

namespace headlight {

struct BlockCost {
  std::size_t per_token;  // multiply-adds of the products in which each token meets a matrix of weights
  std::size_t per_pair;   // multiply-adds of the products in which a query meets keys, or weights meet values
  std::size_t pattern;    // numbers in the patterns of all heads
  std::size_t crossing;   // the smallest number of tokens for which per_pair is at least per_token
};

// What is known of a query after some of its keys; S are the scores of these keys, and v their values.
struct Running {
  double m;               // the largest S, -∞ before the first key
  double l;               // Σ e^(S - m), 0 before the first key
  std::vector<double> o;  // Σ e^(S - m) v, zeros before the first key
};

struct InBlocks {
  Tensor O;         // (n,d_v)
  Tensor log_sums;  // (n,1)
  std::size_t tiles;
};

// 400 rows of so many random scores, the same in each call.
inline std::vector<std::vector<double>> random_rows(std::size_t keys) {
  Rng rng(16);
  std::vector<std::vector<double>> rows(400, std::vector<double>(keys));
  for (auto& row : rows)
    for (double& score : row) score = rng.normal();
  return rows;
}

}  // namespace headlight

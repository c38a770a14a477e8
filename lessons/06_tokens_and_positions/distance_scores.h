// What each kind of positions adds to a score, for lesson 6.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "headlight/core/rng.h"
#include "headlight/nn/positions.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

using nn::PositionSizes;

inline double dot(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }

// What a kind of positions adds to the scores: a row for each head, a column for each distance. `numbers` are
// the learned ones, if the kind has such.
inline Tensor bias_of(const std::string& kind, const PositionSizes& sizes, const Tensor& numbers = {}) {
  return nn::positions().find(kind).bias(sizes)(numbers).values;
}

// The score of a query at position i for a key at position j that comes from their positions alone.
using Score = std::function<double(std::size_t i, std::size_t j)>;

inline Score score_of(const std::string& name, std::size_t n_ctx, std::size_t head = 0) {
  const nn::Positions& kind = nn::positions().find(name);
  const PositionSizes sizes{
      .n_ctx = n_ctx, .d_model = 64, .n_heads = 4, .d_head = 64, .max_distance = name == "t5" ? 128u : 32u};
  Rng rng(6);
  if (kind.vectors)
    return [rows = kind.vectors(sizes, rng)](std::size_t i, std::size_t j) {
      const auto at = [&](std::size_t p) { return embedding(rows, IntArray{static_cast<int>(p)}); };
      return dot(at(i), at(j));
    };
  if (kind.rotation)
    return [turn = kind.rotation(sizes)](std::size_t i, std::size_t j) {
      const Tensor unit = full({1, 1, 64}, 1 / 8.0);  // of length 1
      return dot(turn(unit, i), turn(unit, j));
    };
  Tensor numbers;
  if (kind.rel_bias) numbers = randn(kind.rel_bias(sizes, rng).shape(), rng);
  return [head, bias = bias_of(name, sizes, numbers)](std::size_t i, std::size_t j) {
    return bias.array()(head, std::min(i - j, bias.length(1) - 1));
  };
}

}  // namespace headlight::lesson

// Two spirals: points for a network to separate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headlight/core/math.h"
#include "headlight/ops/ops.h"

namespace headlight {

// Inputs x (n,2), and the output y (n,1) that a model should give for each.
struct Data {
  Tensor x, y;
};

// n points on two arms that wind one and a half times around the middle; y is 1 on one arm, -1 on the other.
inline Data spiral(std::size_t n, Rng& rng) {
  constexpr double kTurn = 6.283185307179586;
  std::vector<Real> x, y;
  for (std::size_t i = 0; i < n; ++i) {
    const double arm = static_cast<double>(i % 2), radius = 0.1 + 0.9 * rng.uniform();
    const double angle = kTurn * (1.5 * radius + arm / 2);
    x.push_back(radius * math::cos(angle) + 0.02 * rng.normal());
    x.push_back(radius * math::sin(angle) + 0.02 * rng.normal());
    y.push_back(1 - 2 * arm);
  }
  return {tensor(x, {n, 2}), tensor(y, {n, 1})};
}

// So many of the points, drawn without repetition: a batch.
inline Data some(const Data& points, std::size_t count, Rng& rng) {
  const std::vector<std::int32_t> chosen = rng.distinct(count, points.y.size());
  IntArray indices = IntArray::from_shape({count});
  std::copy(chosen.begin(), chosen.end(), indices.begin());
  return {embedding(points.x, indices), embedding(points.y, indices)};
}

// The share of the outputs (n,1), 0 … 1, that have the sign of y.
inline double share_right(const Tensor& outputs, const Tensor& y) {
  return mean(where(greater(outputs * y, 0), 1, 0)).item();
}

}  // namespace headlight

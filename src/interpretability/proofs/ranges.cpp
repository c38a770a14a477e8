#include "ranges.h"

#include <numeric>

#include "headlight/core/math.h"

namespace headlight::interpret {
namespace {

// At most the least Σ w_i x_i: what is left above the low ends goes to the least numbers first.
double least_mix(const std::vector<double>& x, const Ranges& weights) {
  double left = 1, sum = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    left -= weights[i].low, sum += weights[i].low * x[i];
    largest = std::max(largest, std::abs(x[i]));
  }
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] < x[j]; });
  for (const std::size_t i : order) {
    const double more = std::min(left, weights[i].high - weights[i].low);
    sum += more * x[i], left -= more;
  }
  // For n numbers `left` is off by at most 3n·2^-53, which moves the sum by three times as much of the
  // largest, and 2n products are added up: 11n·2^-53 in all, and an underflow.
  return sum - 0x1p-49 * static_cast<double>(x.size()) * largest - 1e-300;
}

}  // namespace

Range mix(const Ranges& x, const Ranges& weights) {
  std::vector<double> low, high;
  for (const Range& range : x) low.push_back(range.low), high.push_back(-range.high);
  return {least_mix(low, weights), -least_mix(high, weights)};
}

Ranges softmax_ranges(const Ranges& scores) {
  // 1/Σ e^(s_j - s_i). The differences are rounded outward, and e^x is off by at most 2^-51 of it.
  const double rounded = 0x1p-52 * static_cast<double>(scores.size() + 8);
  Ranges weights;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    double most = 1, least = 1;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (j == i) continue;
      const Range apart = scores[j] - scores[i];
      most += math::exp(apart.high), least += math::exp(apart.low);
    }
    const double low = (1 - rounded) / most, high = (1 + rounded) / least;
    weights.push_back({std::max(0.0, low - 1e-300), std::min(1.0, high + 1e-300)});
  }
  return weights;
}

}  // namespace headlight::interpret

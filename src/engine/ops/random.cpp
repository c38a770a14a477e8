#include "headlight/ops/random.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "headlight/core/check.h"

namespace headlight {
namespace {

// The place that a number in [0, Σ weights) falls on. Rounding may carry it past the end: then the last place
// that has a weight.
std::size_t place_of(double at, const std::vector<double>& weights) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    if (at < weights[i]) return i;
    at -= weights[i];
    last = i;
  }
  return last;
}

std::vector<double> checked_weights(const Real* row, std::size_t width, std::size_t needed) {
  std::vector<double> weights(row, row + width);
  for (double w : weights)
    check(w >= 0 && std::isfinite(w), "[multinomial] expected weights of at least 0, got {}.", w);
  const auto above =
      static_cast<std::size_t>(std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; }));
  check(above >= needed, "[multinomial] {} to draw out of {} weights above 0.", needed, above);
  return weights;
}

}  // namespace

Tensor rand(const Shape& shape, Rng& rng, double low, double high) {
  return Tensor(rng.uniform_array(shape, low, high));
}

IntArray randint(std::int32_t low, std::int32_t high, const Shape& shape, Rng& rng) {
  check(low < high, "[randint] expected a low number below the high one, got {} and {}.", low, high);
  const auto count = static_cast<std::uint64_t>(std::int64_t{high} - low);
  IntArray x = empty_int_array(shape);
  for (std::int32_t& i : x) i = static_cast<std::int32_t>(low + static_cast<std::int64_t>(rng.below(count)));
  return x;
}

Tensor bernoulli(const Tensor& p, Rng& rng) {
  Array x = empty_array(p.shape());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto of_one = static_cast<double>(p.array().data()[i]);
    check(of_one >= 0 && of_one <= 1, "[bernoulli] expected probabilities in [0, 1], got {}.", of_one);
    x.data()[i] = rng.uniform() < of_one ? 1 : 0;
  }
  return Tensor(std::move(x));
}

IntArray multinomial(const Tensor& weights, std::size_t count, Rng& rng, bool replacement) {
  check(weights.dim() >= 1, "[multinomial] expected weights (…,V), got a scalar.");
  const std::size_t width = weights.shape().back();
  Shape shape = weights.shape();
  shape.back() = count;
  IntArray drawn = empty_int_array(shape);
  const std::size_t rows = size_of(reduced_shape(weights.shape(), {weights.dim() - 1}, false));
  std::int32_t* out = drawn.data();
  for (std::size_t r = 0; r < rows; ++r) {
    auto left = checked_weights(weights.array().data() + r * width, width,
                                replacement ? std::min<std::size_t>(count, 1) : count);
    for (std::size_t i = 0; i < count; ++i) {
      double total = 0;
      for (double w : left) total += w;
      const std::size_t place = place_of(rng.uniform() * total, left);
      *out++ = static_cast<std::int32_t>(place);
      if (!replacement) left[place] = 0;
    }
  }
  return drawn;
}

}  // namespace headlight

#include "headlight/nn/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "headlight/core/check.h"
#include "headlight/core/math.h"

namespace headlight::nn {

std::int32_t sample(const Real* logits, std::size_t n, const SampleOptions& options, Rng& rng) {
  check(options.temperature >= 0 && std::isfinite(options.temperature),
        "[sample] expected a temperature of at least 0, got {}.", options.temperature);
  check(n > 0 && std::all_of(logits, logits + n, [](Real x) { return std::isfinite(x); }),
        "[sample] the model's predictions are not finite: its parameters are too large or damaged.");
  const std::size_t kept = options.temperature == 0 ? 1 : options.top_k == 0 ? n : std::min(options.top_k, n);
  std::vector<std::int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](auto a, auto b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
  if (kept == 1) return order[0];
  const auto largest = static_cast<double>(logits[order[0]]);
  std::vector<double> up_to(kept);  // sums of the weights
  double total = 0;
  for (std::size_t i = 0; i < kept; ++i)
    up_to[i] = total += math::exp((static_cast<double>(logits[order[i]]) - largest) / options.temperature);
  const auto at = std::upper_bound(up_to.begin(), up_to.end() - 1, rng.uniform() * total);
  return order[static_cast<std::size_t>(at - up_to.begin())];
}

}  // namespace headlight::nn

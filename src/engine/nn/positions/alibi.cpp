// ALiBi (Press et al. 2021): the score of a key at distance t loses slope·t. Head h of H = 2^k has the slope
// 2^(-8h/H), h = 1 … H. Other H take the slopes of the power of two below, P, and then every second slope of
// 2P, as the authors' code does. Without a causal mask both directions count, t = |i - j|.
#include <bit>

#include "headlight/core/math.h"
#include "headlight/nn/positions.h"

namespace headlight::nn::position_kinds {
namespace {

double slope(std::size_t head, std::size_t heads) {
  const std::size_t power = std::bit_floor(heads);
  const double eighths = head < power
                             ? static_cast<double>(head + 1) / static_cast<double>(power)
                             : (static_cast<double>(head - power) + 0.5) / static_cast<double>(power);
  return math::power(2.0, -8 * eighths);
}

Positions::Bias slopes(const PositionSizes& sizes) {
  const std::size_t behind = sizes.n_ctx - 1, ahead = sizes.causal ? 0 : behind;
  Array values = empty_array({sizes.n_heads, ahead + 1 + behind});
  for (std::size_t h = 0; h < sizes.n_heads; ++h)
    for (std::size_t c = 0; c < ahead + 1 + behind; ++c) {
      const std::size_t distance = c < ahead ? ahead - c : c - ahead;
      values(h, c) = static_cast<Real>(-slope(h, sizes.n_heads) * static_cast<double>(distance));
    }
  return [bias = RelativeBias{Tensor(std::move(values)), -static_cast<int>(ahead)}](const Tensor&) {
    return bias;
  };
}

}  // namespace

Registry<Positions>::Entry alibi() {
  return {"alibi", "scores fall with distance, in each head at a fixed slope", {.bias = slopes}, kNoSettings};
}

}  // namespace headlight::nn::position_kinds

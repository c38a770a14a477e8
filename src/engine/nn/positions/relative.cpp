// A learned number per head and distance is added to the scores. Shaw et al. (2018) clip distances in this
// way, but learn vectors; numbers are T5's simplification.
//   score of (i,j) += rel_bias[h, clip(i - j)], clipped to 0 … max_distance, or without a causal mask to
//   -max_distance … max_distance
#include "headlight/core/setting_text.h"
#include "headlight/nn/positions.h"

namespace headlight::nn::position_kinds {
namespace {

std::size_t ahead(const PositionSizes& sizes) { return sizes.causal ? 0 : sizes.max_distance; }

Tensor relative_numbers(const PositionSizes& sizes, Rng&) {
  return parameter(zeros({sizes.n_heads, ahead(sizes) + 1 + sizes.max_distance}));
}

Positions::Bias by_distance(const PositionSizes& sizes) {
  return [first = -static_cast<int>(ahead(sizes))](const Tensor& rel_bias) {
    return RelativeBias{rel_bias, first};
  };
}

void check_distance(const PositionSizes& sizes) {
  check_setting(sizes.max_distance >= 1,
                "relative positions with {} would give all distances one number, and softmax does not see "
                "it. Hint: {} or more.",
                setting_key("max_distance", 0), setting_key("max_distance", 1));
  constexpr std::size_t kMost = 1 << 20;
  check_setting(sizes.max_distance <= kMost, "{} is too large for relative positions: at most {}.",
                setting_key("max_distance", sizes.max_distance), kMost);
}

}  // namespace

Registry<Positions>::Entry relative() {
  return {"relative",
          "a learned number for each head and distance is added to the scores",
          {.rel_bias = relative_numbers, .bias = by_distance, .check = check_distance},
          SettingKeys{"max_distance"}};
}

}  // namespace headlight::nn::position_kinds

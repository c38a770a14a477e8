// T5's relative biases (Raffel et al. 2020, section 2.1): a learned number per head and bucket of distances
// is added to the scores. Of the B = min(32, max_distance) buckets, half without a causal mask for each
// direction, the first half holds one distance each, and the rest grow as a logarithm up to max_distance; the
// last bucket holds everything beyond it. (T5 shares the numbers among its layers; here each layer has its
// own.)
#include <algorithm>
#include <cmath>

#include "headlight/core/math.h"
#include "headlight/core/setting_text.h"
#include "headlight/nn/positions.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"

namespace headlight::nn::position_kinds {
namespace {

std::size_t buckets(const PositionSizes& sizes) { return std::min<std::size_t>(32, sizes.max_distance); }

// The bucket of a distance of at least 0 in one direction that has `count` buckets.
std::size_t bucket(std::size_t distance, std::size_t count, std::size_t max_distance) {
  const std::size_t exact = count / 2;
  if (distance < exact) return distance;
  const double e = static_cast<double>(exact);
  const double share =
      math::log(static_cast<double>(distance) / e) / math::log(static_cast<double>(max_distance) / e);
  // The small number keeps a distance on the border of two buckets in the farther one, however log rounds.
  const double beyond = std::floor(share * static_cast<double>(count - exact) + 1e-9);
  return std::min(count - 1, exact + static_cast<std::size_t>(beyond));
}

// The bucket of query - key = -(n_ctx-1) … n_ctx-1, or from 0 on with a causal mask.
IntArray bucket_of_each_distance(const PositionSizes& sizes) {
  const int most = static_cast<int>(sizes.n_ctx) - 1, least = sizes.causal ? 0 : -most;
  const std::size_t all = buckets(sizes), one_way = sizes.causal ? all : all / 2;
  IntArray of = empty_int_array({static_cast<std::size_t>(most - least) + 1});
  for (int t = least; t <= most; ++t) {
    const std::size_t b = bucket(static_cast<std::size_t>(std::abs(t)), one_way, sizes.max_distance);
    of(static_cast<std::size_t>(t - least)) = static_cast<std::int32_t>(t < 0 ? one_way + b : b);
  }
  return of;
}

Tensor bucket_numbers(const PositionSizes& sizes, Rng&) {
  return parameter(zeros({sizes.n_heads, buckets(sizes)}));
}

Positions::Bias by_bucket(const PositionSizes& sizes) {
  const int first = sizes.causal ? 0 : 1 - static_cast<int>(sizes.n_ctx);
  return [first, of = bucket_of_each_distance(sizes)](const Tensor& rel_bias) {
    return RelativeBias{transpose(embedding(transpose(rel_bias), of)), first};  // (H,buckets) → (H,distances)
  };
}

void check_buckets(const PositionSizes& sizes) {
  check_setting(sizes.max_distance >= 4,
                "t5 positions with {} have too few buckets of distances. Hint: {} or more.",
                setting_key("max_distance", sizes.max_distance), setting_key("max_distance", 4));
}

}  // namespace

Registry<Positions>::Entry t5() {
  return {"t5",
          "a learned number for each head and bucket of distances is added to the scores",
          {.rel_bias = bucket_numbers, .bias = by_bucket, .check = check_buckets},
          SettingKeys{"max_distance"}};
}

}  // namespace headlight::nn::position_kinds

// Sinusoidal positions (Vaswani et al. 2017, section 3.5), added to the embedding:
//   vector of p = √(2/d_model)·(sin p, cos p, sin p·r, cos p·r, sin p·r², …),   r = 10000^(-2/d_model)
// The factor makes the vectors as long as an embedding's rows at the start, about 1. Vaswani et al. reach the
// same proportion from the other side: they multiply the embedding by √d_model.
#include <cmath>

#include "headlight/core/math.h"
#include "headlight/nn/positions.h"

namespace headlight::nn::position_kinds {
namespace {

Tensor sinusoids(const PositionSizes& sizes, Rng&) {
  const std::size_t d = sizes.d_model;
  const double factor = std::sqrt(2.0 / static_cast<double>(d));
  Array vectors = empty_array({sizes.n_ctx, d});
  for (std::size_t p = 0; p < sizes.n_ctx; ++p)
    for (std::size_t c = 0; c < d; ++c) {
      const double exponent = -static_cast<double>(c - c % 2) / static_cast<double>(d);
      const double angle = static_cast<double>(p) * math::power(10000.0, exponent);
      vectors(p, c) = static_cast<Real>(factor * (c % 2 == 0 ? math::sin(angle) : math::cos(angle)));
    }
  return Tensor(std::move(vectors));
}

}  // namespace

Registry<Positions>::Entry sinusoidal() {
  return {"sinusoidal",
          "fixed waves of many lengths are added to the embedding",
          {.vectors = sinusoids, .learned = false},
          kNoSettings};
}

}  // namespace headlight::nn::position_kinds

// A learned vector for each position is added to the embedding (Gehring et al. 2017).
#include <cmath>

#include "headlight/nn/positions.h"

namespace headlight::nn::position_kinds {

// W_pos (n_ctx,d_model) starts as N(0, 1/d_model), as long as the vectors of tokens.
Tensor learned_vectors(const PositionSizes& sizes, Rng& rng) {
  return normal_parameter({sizes.n_ctx, sizes.d_model}, 1 / std::sqrt(static_cast<double>(sizes.d_model)),
                          rng);
}

Registry<Positions>::Entry learned() {
  return {"learned",
          "a learned vector for each position is added to the embedding",
          {.vectors = learned_vectors},
          kNoSettings};
}

}  // namespace headlight::nn::position_kinds

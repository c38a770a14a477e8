// Shortformer's positions (Press et al. 2021): a learned vector for each position is added to the input of
// queries and keys in every layer, so that values hold no positions.
#include "headlight/nn/positions.h"

namespace headlight::nn::position_kinds {

Tensor learned_vectors(const PositionSizes& sizes, Rng& rng);

Registry<Positions>::Entry learned_qk() {
  return {"learned-qk",
          "a learned vector for each position is added to what makes queries and keys",
          {.vectors = learned_vectors, .place = Positions::Place::queries_and_keys},
          kNoSettings};
}

}  // namespace headlight::nn::position_kinds

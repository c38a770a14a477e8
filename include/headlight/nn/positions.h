// The kinds of position information that a model can use.
#pragma once

#include <string>

#include "headlight/core/registry.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

enum class Positions {
  rotary,      // queries and keys are rotated by their position (Su et al. 2021)
  learned,     // a learned vector for each position, added to the embedding
  learned_qk,  // the same, added only to the inputs of queries and keys (shortformer, Press et al. 2021)
  none,        // no positions; the order shows only in the causal mask
};

// "rotary", "learned", "learned-qk", "none".
const Registry<Positions>& positions();

std::string to_string(Positions positions);
Positions positions_from(const std::string& name);  // throws Error for an unknown name

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn

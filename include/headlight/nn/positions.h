// How a model knows the order of its tokens.
#pragma once

#include <string>

#include "headlight/core/registry.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

enum class Positions {
  rotary,      // queries and keys are rotated by their position (Su et al. 2021)
  learned,     // a learned vector for each position, added to the embedding
  learned_qk,  // the same, added only to what makes queries and keys (shortformer, Press et al. 2021)
  none,        // only through the causal mask
};

// "rotary", "learned", "learned-qk", "none".
const Registry<Positions>& positions();

std::string to_string(Positions positions);
Positions positions_from(const std::string& name);  // throws Error for an unknown name

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn

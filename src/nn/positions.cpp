#include "headlight/nn/positions.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

const Registry<Positions>& positions() {
  static const Registry<Positions> all(
      "kind of positions",
      {{"rotary", "queries and keys are rotated by their position", Positions::rotary},
       {"learned", "a learned vector for each position is added to the embedding", Positions::learned},
       {"learned-qk", "a learned vector for each position is added to what makes queries and keys",
        Positions::learned_qk},
       {"none", "the order of tokens shows only through the causal mask", Positions::none}});
  return all;
}

std::string to_string(Positions value) {
  for (const auto& entry : positions().entries())
    if (entry.thing == value) return entry.name;
  fail("this kind of positions has no name.");
}

Positions positions_from(const std::string& name) { return positions().find(name); }

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn

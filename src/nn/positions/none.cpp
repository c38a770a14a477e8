#include "headlight/nn/positions.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn::position_kinds {

Registry<Positions>::Entry none() {
  return {"none", "the order of tokens shows only through the causal mask", {}, kNoSettings};
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn::position_kinds

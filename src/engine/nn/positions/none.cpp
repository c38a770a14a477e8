#include "headlight/nn/positions.h"

namespace headlight::nn::position_kinds {

Registry<Positions>::Entry none() {
  return {"none", "the order of tokens shows only through the causal mask", {}, kNoSettings};
}

}  // namespace headlight::nn::position_kinds

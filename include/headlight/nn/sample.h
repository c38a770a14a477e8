// Draws a token from the logits of a model.
#pragma once

#include <cstddef>
#include <cstdint>

#include "headlight/core/array.h"
#include "headlight/core/rng.h"

namespace headlight::nn {

struct SampleOptions {
  double temperature = 1;  // the logits are divided by it; 0: always the most likely token
  std::size_t top_k = 0;   // only the k most likely tokens are drawn; 0: all
};

// A token of softmax(logits / temperature) over the top_k largest logits, of n in all. Of equal logits the
// smaller token counts as larger. The same generator gives the same token on every machine. Throws Error for
// a negative temperature, and for logits that are not finite.
std::int32_t sample(const Real* logits, std::size_t n, const SampleOptions& options, Rng& rng);

}  // namespace headlight::nn

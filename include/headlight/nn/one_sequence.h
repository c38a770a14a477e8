// One sequence as a batch.
#pragma once

#include <algorithm>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::nn {

// Tokens (n) as a batch (1,n); no tokens as (0), which is no source.
inline IntArray one_sequence(const std::vector<std::int32_t>& tokens) {
  IntArray batch = tokens.empty() ? IntArray::from_shape({0}) : IntArray::from_shape({1, tokens.size()});
  std::copy(tokens.begin(), tokens.end(), batch.begin());
  return batch;
}

}  // namespace headlight::nn

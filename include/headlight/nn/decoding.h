// Reads a sequence piece by piece, and keeps the keys and values of what was read.
#pragma once

#include <vector>

#include "headlight/nn/transformer.h"

namespace headlight::nn {

// The logits of a sequence that grows. A pass over n positions costs as much as n tokens read one by one; to
// read one more token costs one position, since the keys and values of the earlier ones are kept:
//   Decoding decoding(model);
//   decoding.read({5, 3, 8});                   // (3,d_vocab)
//   decoding.read({1});                         // (1,d_vocab), the last row of model({{5, 3, 8, 1}})
// The logits are those of a whole pass, up to rounding. No gradients are recorded.
class Decoding {
 public:
  // The model must outlive it. `source` (1,m) is for an encoder–decoder. Throws Error for an encoder, whose
  // logits change with every later token.
  explicit Decoding(const Transformer& model, const IntArray& source = {});
  Decoding(const Decoding&) = delete;
  Decoding& operator=(const Decoding&) = delete;

  // Appends tokens and returns their logits (tokens,d_vocab). Throws Error when the context is full.
  Array read(const std::vector<std::int32_t>& tokens);

  // How many tokens were read.
  std::size_t length() const { return cache_.length(); }

 private:
  const Transformer& model_;
  Given given_;
  KeyValueCache cache_;
};

}  // namespace headlight::nn

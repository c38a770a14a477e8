#include "headlight/nn/decoding.h"

#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/nn/one_sequence.h"

namespace headlight::nn {

Decoding::Decoding(const Transformer& model, const IntArray& source) : model_(model) {
  check(model.config().architecture != Architecture::encoder,
        "[decoding] expected a decoder, got an encoder: each later token would change its earlier logits.");
  given_.source = source;
  given_.cache = &cache_;
}

Array Decoding::read(const std::vector<std::int32_t>& tokens) {
  const NoGrad no_grad;
  return kernels::reshape(model_(one_sequence(tokens), {}, given_).array(),
                          {tokens.size(), model_.config().d_vocab});
}

}  // namespace headlight::nn

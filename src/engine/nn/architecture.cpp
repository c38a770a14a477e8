#include "headlight/nn/architecture.h"

namespace headlight::nn {

const Registry<Architecture>& architectures() {
  static const Registry<Architecture> all(
      "architecture", {{"decoder", "each token sees itself and the tokens before it", Architecture::decoder},
                       {"encoder", "each token sees all tokens", Architecture::encoder},
                       {"encoder-decoder", "a decoder that also attends to a source, which an encoder reads",
                        Architecture::encoder_decoder}});
  return all;
}

std::string to_string(Architecture architecture) {
  for (const auto& entry : architectures().entries())
    if (entry.thing == architecture) return entry.name;
  fail("this architecture has no name.");
}

}  // namespace headlight::nn

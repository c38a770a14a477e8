// The stacks of blocks that a transformer has.
#pragma once

#include <string>

#include "headlight/core/registry.h"

namespace headlight::nn {

enum class Architecture {
  decoder,          // position i sees positions 0 … i (GPT, Radford et al. 2018)
  encoder,          // each position sees all positions (BERT, Devlin et al. 2019)
  encoder_decoder,  // a decoder that also attends to what an encoder made of a source (Vaswani et al. 2017)
};

// "decoder", "encoder", "encoder-decoder".
const Registry<Architecture>& architectures();

// Its name in architectures().
std::string to_string(Architecture architecture);

}  // namespace headlight::nn

// The sizes and kinds of a transformer.
#pragma once

#include <cstddef>

#include "headlight/nn/norm.h"
#include "headlight/nn/positions.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

struct TransformerConfig {
  std::size_t n_layers = 2;
  std::size_t d_model = 64;
  std::size_t n_heads = 4;
  std::size_t d_head = 0;  // 0: d_model / n_heads
  std::size_t d_mlp = 0;   // 0: attention only
  std::size_t d_vocab = 64;
  std::size_t n_ctx = 64;  // longest sequence
  Positions positions = Positions::rotary;
  NormKind norm = NormKind::layer;
  bool bias = false;  // in attention and MLPs
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn

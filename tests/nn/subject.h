// A model of two layers with everything in it, for tests of hooks and copies.
#pragma once

#include <cstring>

#include "headlight/nn/transformer.h"

namespace headlight::nn {

struct Subject {
  Transformer model;
  IntArray tokens = IntArray::from_shape({2, 9});

  explicit Subject(Positions positions, NormKind norm = NormKind::layer) : model(made(positions, norm)) {
    Rng rng(8);
    for (auto& t : tokens) t = static_cast<std::int32_t>(rng.below(10));
  }

  // Biases and norms start at 0 and 1, where mistakes hide.
  static Transformer made(Positions positions, NormKind norm) {
    Rng rng(4);
    Transformer model({.n_layers = 2,
                       .d_model = 16,
                       .n_heads = 2,
                       .d_mlp = 8,
                       .d_vocab = 10,
                       .n_ctx = 12,
                       .positions = positions,
                       .norm = norm,
                       .bias = true},
                      rng);
    for (Tensor& p : parameters(model)) p.mutable_array() += rng.normal_array(p.shape(), 0, 0.2);
    return model;
  }

  Array logits(const Hooks& hooks = {}) const { return model(tokens, hooks).array(); }
};

inline bool same_bits(const Array& a, const Array& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

}  // namespace headlight::nn

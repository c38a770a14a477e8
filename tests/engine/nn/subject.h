// A model of two layers with everything in it, for tests of hooks, copies and gradients.
#pragma once

#include <cstring>
#include <functional>
#include <ostream>

#include "headlight/nn/transformer.h"

namespace headlight::nn {

// A part that a model may have besides its positions, and how a config asks for it.
struct Part {
  std::string name;
  std::function<void(TransformerConfig&)> put;

  friend std::ostream& operator<<(std::ostream& out, const Part& part) { return out << part.name; }
};

inline const std::vector<Part>& parts() {
  using C = TransformerConfig;
  static const std::vector<Part> all{{"rms", [](C& c) { c.norm = NormKind::rms; }},
                                     {"no norm", [](C& c) { c.norm = NormKind::none; }},
                                     {"post-norm", [](C& c) { c.norm_place = NormPlace::post; }},
                                     {"QK norm, rms", [](C& c) { c.qk_norm = NormKind::rms; }},
                                     {"QK norm, layer", [](C& c) { c.qk_norm = NormKind::layer; }},
                                     {"one head of keys and values", [](C& c) { c.n_kv_heads = 1; }},
                                     {"window", [](C& c) { c.window = 3; }},
                                     {"sinks", [](C& c) { c.sinks = true; }},
                                     {"score cap", [](C& c) { c.score_cap = 1.5; }},
                                     {"smeared keys", [](C& c) { c.smeared_keys = true; }},
                                     {"fused projection", [](C& c) { c.fused_qkv = true; }},
                                     {"relu", [](C& c) { c.mlp = "relu"; }},
                                     {"swiglu", [](C& c) { c.mlp = "swiglu"; }},
                                     {"tied", [](C& c) { c.tied_embeddings = true; }},
                                     {"all", [](C& c) {
                                        c.norm = c.qk_norm = NormKind::rms;
                                        c.norm_place = NormPlace::post;
                                        c.n_kv_heads = 1;
                                        c.window = 4;
                                        c.score_cap = 2;
                                        c.mlp = "swiglu";
                                        c.sinks = c.smeared_keys = c.fused_qkv = c.tied_embeddings = true;
                                      }}};
  return all;
}

struct Subject {
  Transformer model;
  IntArray tokens = IntArray::from_shape({2, 9});

  explicit Subject(const std::string& positions, NormKind norm = NormKind::layer)
      : Subject(usual(positions, norm)) {}
  explicit Subject(const Part& part) : Subject(with(part)) {}
  explicit Subject(const TransformerConfig& config) : model(made(config)) {
    Rng rng(8);
    for (auto& t : tokens) t = static_cast<std::int32_t>(rng.below(10));
  }

  static TransformerConfig usual(const std::string& positions = "rotary", NormKind norm = NormKind::layer) {
    return {.n_layers = 2,
            .d_model = 16,
            .n_heads = 2,
            .d_mlp = 8,
            .d_vocab = 10,
            .n_ctx = 12,
            .positions = positions,
            .norm = norm,
            .bias = true};
  }
  static TransformerConfig with(const Part& part) {
    TransformerConfig config = usual();
    part.put(config);
    return config;
  }

  // Biases and norms start at 0 and 1, where mistakes hide.
  static Transformer made(const TransformerConfig& config) {
    Rng rng(4);
    Transformer model(config, rng);
    for (Tensor& p : parameters(model)) p.mutable_array() += rng.normal_array(p.shape(), 0, 0.2);
    return model;
  }

  Array logits(const Hooks& hooks = {}) const { return model(tokens, hooks).array(); }
};

inline bool same_bits(const Array& a, const Array& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

}  // namespace headlight::nn

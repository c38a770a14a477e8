// Small models with every part that attention may have, and batches for them.
#pragma once

#include <string>
#include <vector>

#include "catch.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/batch.h"

namespace headlight {

struct HeadSubject {
  std::string name;
  nn::TransformerConfig config;
};

inline std::vector<HeadSubject> head_subjects() {
  const nn::TransformerConfig plain{
      .n_layers = 2, .d_model = 8, .n_heads = 2, .d_vocab = 7, .n_ctx = 6, .positions = "rotary"};
  std::vector<HeadSubject> all;
  const auto with = [&](const char* name, auto change) {
    nn::TransformerConfig c = plain;
    change(c);
    all.push_back({name, c});
  };
  with("rotary", [](auto&) {});
  with("grouped heads", [](auto& c) { c.d_model = 16, c.n_heads = 4, c.n_kv_heads = 2; });
  with("fused, biases, an MLP", [](auto& c) { c.fused_qkv = c.bias = true, c.d_mlp = 12; });
  with("fused grouped heads", [](auto& c) { c.fused_qkv = true, c.n_heads = 4, c.n_kv_heads = 2; });
  with("learned positions, tied embeddings",
       [](auto& c) { c.positions = "learned", c.tied_embeddings = true; });
  with("learned-qk positions", [](auto& c) { c.positions = "learned-qk"; });
  with("alibi, post norm", [](auto& c) { c.positions = "alibi", c.norm_place = nn::NormPlace::post; });
  with("QK norm, rms norm", [](auto& c) { c.qk_norm = nn::NormKind::rms, c.norm = nn::NormKind::rms; });
  with("sinks, score cap", [](auto& c) { c.sinks = true, c.score_cap = 2; });
  with("smeared keys, window, no norm",
       [](auto& c) { c.smeared_keys = true, c.window = 3, c.norm = nn::NormKind::none; });
  with("wide heads, dropout", [](auto& c) { c.d_head = 5, c.positions = "none", c.dropout = 0.5; });
  with("encoder", [](auto& c) { c.architecture = nn::Architecture::encoder; });
  with("encoder-decoder",
       [](auto& c) { c.architecture = nn::Architecture::encoder_decoder, c.n_source = 4; });
  return all;
}

// Random parameters, so that biases, sinks and norms are not at their starting values.
inline nn::Transformer head_model(const nn::TransformerConfig& config, std::uint64_t seed = 1) {
  Rng rng(seed);
  nn::Transformer model(config, rng);
  for (auto& [name, p] : nn::named_parameters(model)) {
    const Array noise = rng.normal_array(p.shape(), 0, 0.2);
    Array& numbers = p.mutable_array();
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers.data()[i] += noise.data()[i];
  }
  return model;
}

// Random sequences. Some positions have no target, and of the targets about half are predictable.
inline tasks::Batch head_batch(const nn::TransformerConfig& c, std::size_t rows = 3, std::uint64_t seed = 2) {
  Rng rng(seed);
  const auto draw = [&](std::size_t width) {
    IntArray tokens = IntArray::from_shape({rows, width});
    for (auto& token : tokens) token = static_cast<std::int32_t>(rng.below(c.d_vocab));
    return tokens;
  };
  tasks::Batch batch{draw(c.n_ctx), draw(c.n_ctx), BoolArray({rows, c.n_ctx}, false),
                     c.n_source > 0 ? draw(c.n_source) : IntArray::from_shape({0})};
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    batch.predictable.data()[i] = i % 6 != 2 && rng.below(2) == 0;
    if (i % 6 == 2) batch.targets.data()[i] = tasks::kNoTarget;
  }
  batch.predictable.data()[5] = true;
  return batch;
}

// dF/dε of F(ε) at 0, by central differences of sixth order.
template <class F>
double derivative_at_0(F f, double h = 1e-3) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

// How far a derivative may be from differences; of those there are only in the double build.
inline constexpr double kDifferences = 1e-10;

inline double product_of(const Array& x, const Array& y) {
  REQUIRE(x.shape() == y.shape());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += static_cast<double>(x.data()[i]) * static_cast<double>(y.data()[i]);
  return sum;
}

// x / ‖x‖: differences are taken along directions of length 1.
inline Array unit(Array x) {
  const auto norm = static_cast<Real>(std::sqrt(product_of(x, x)));
  for (Real& number : x) number /= norm;
  return x;
}

inline bool same_numbers(const Array& x, const Array& y) {
  return x.shape() == y.shape() && std::equal(x.begin(), x.end(), y.begin());
}

}  // namespace headlight

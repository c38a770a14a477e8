// Deep models whose norms stand before or after, or that have no residual stream: their start.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "headlight/interpret/hooks.h"
#include "headlight/ops/ops.h"
#include "reversal.h"

namespace headlight::lesson {

// A causal model of the length 6: it reads "a b c d e f | f e d c b" and predicts what comes next.
inline nn::TransformerConfig causal_config(std::size_t blocks) {
  return {.n_layers = blocks,
          .d_model = 32,
          .n_heads = 2,
          .d_mlp = 64,
          .d_vocab = kTokens,
          .n_ctx = 2 * kLength,
          .positions = "learned",
          .mlp = "relu"};
}

inline nn::Transformer model_of(const nn::TransformerConfig& config, std::uint64_t seed = 1) {
  Rng rng(seed);
  return nn::Transformer(config, rng);
}

// Hooks that take x out of every sum x + f(x) of a pre-norm model, which leaves x ← f(norm(x)).
inline nn::Hooks without_stream(std::size_t blocks) {
  const auto x = std::make_shared<Tensor>();
  const auto keep = [x](const Tensor& stream) { return *x = stream, Tensor(); };
  const auto subtract = [x](const Tensor& added) { return added - *x; };
  nn::Hooks hooks;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::string block = fmt::format("blocks.{}.", i);
    hooks.add(block + "hook_resid_pre", keep).add(block + "hook_attn_out", subtract);
    hooks.add(block + "hook_resid_mid", keep).add(block + "hook_mlp_out", subtract);
  }
  return hooks;
}

struct Kind {
  const char* name;
  nn::NormPlace place = nn::NormPlace::pre;
  bool stream = true;
};
inline const std::array<Kind, 3> kKinds = {
    {{"pre-norm"}, {"post-norm", nn::NormPlace::post}, {"no stream", nn::NormPlace::pre, false}}};

inline nn::TransformerConfig config_of(const Kind& kind, std::size_t blocks) {
  nn::TransformerConfig config = causal_config(blocks);
  config.norm_place = kind.place;
  return config;
}
inline nn::Hooks hooks_of(const Kind& kind, std::size_t blocks) {
  return kind.stream ? nn::Hooks() : without_stream(blocks);
}

// The length of the gradient of each block's weights before the first step, as a mean over four models.
inline std::vector<double> gradient_lengths(const Kind& kind, std::size_t blocks) {
  std::vector<double> lengths(blocks, 0);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const nn::Transformer model = model_of(config_of(kind, blocks), seed);
    Rng words(seed + 10);
    loss_of(model, in_one_row(pairs(32, words)), hooks_of(kind, blocks)).backward();
    for (std::size_t i = 0; i < blocks; ++i) {
      double squares = 0;
      for (const Tensor& p : nn::parameters(model.blocks[i])) squares += sum(p.grad() * p.grad()).item();
      lengths[i] += std::sqrt(squares) / 4;
    }
  }
  return lengths;
}

// The stream behind each block, after the norm of a post-norm block: (B,n,d) each.
inline std::vector<Tensor> streams(const nn::Transformer& model, const nn::Hooks& hooks) {
  const bool post = model.config().norm_place == nn::NormPlace::post;
  const std::string end = post ? ".hook_normalized_resid_post" : ".hook_resid_post";
  const auto wanted = [&](const std::string& name) { return name.ends_with(end); };
  Rng words(7);
  const IntArray tokens = in_one_row(pairs(16, words)).tokens;
  const interpret::ActivationCache cache = interpret::run_with_cache(model, tokens, wanted, hooks).cache;
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < model.blocks.size(); ++i)
    all.push_back(Tensor(cache[fmt::format("blocks.{}", i) + end]));
  return all;
}

// The root of the mean square of the stream behind each block.
inline std::vector<double> stream_sizes(const Kind& kind, std::size_t blocks) {
  std::vector<double> sizes;
  for (const Tensor& x : streams(model_of(config_of(kind, blocks)), hooks_of(kind, blocks)))
    sizes.push_back(std::sqrt(mean(x * x).item()));
  return sizes;
}

// How alike the streams of two positions of a word are behind the last block: the cosine of the angle between
// them, as a mean over all pairs of different positions.
inline double likeness(const nn::Transformer& model, const nn::Hooks& hooks) {
  const Tensor x = streams(model, hooks).back();
  const Tensor direction = x / sqrt(sum(x * x, {-1}, true));
  const Tensor cosines = matmul(direction, direction, {.transpose_y = true});  // (B,n,n)
  const double n = static_cast<double>(x.length(1));
  return (mean(cosines).item() * n - 1) / (n - 1);
}

}  // namespace headlight::lesson

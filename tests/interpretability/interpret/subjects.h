// Models with every part, random weights, and runs of them with what an attribution holds fixed.
#pragma once

#include <string>
#include <vector>

#include "catch.h"
#include "headlight/interpret/hooks.h"
#include "headlight/tasks/task.h"

namespace headlight::interpret {

inline constexpr double kExact = kDouble ? 1e-10 : 3e-4;

struct KnownModel {
  std::string name;
  nn::TransformerConfig config;
};

// A task whose inputs can all be tried.
inline tasks::Task small_repeats(std::size_t d_vocab) {
  tasks::TaskConfig config;
  config.d_vocab = d_vocab, config.n_ctx = 16, config.min_segment = 2, config.max_segment = 4;
  return tasks::make_task(config);
}

inline nn::Transformer subject_model(const nn::TransformerConfig& config, std::uint64_t seed = 6) {
  Rng rng(seed);
  nn::Transformer model(config, rng);
  for (auto& [name, p] : nn::named_parameters(model)) {
    Tensor handle = p;
    for (Real& x : handle.mutable_array()) x += static_cast<Real>(0.2 * rng.normal());
  }
  return model;
}

inline std::vector<KnownModel> subjects() {
  std::vector<KnownModel> all;
  const auto add = [&](const char* name, auto change) {
    nn::TransformerConfig c{
        .n_layers = 2, .d_model = 12, .n_heads = 2, .d_vocab = 9, .n_ctx = 8, .bias = true};
    change(c);
    all.push_back({name, c});
  };
  add("rotary", [](auto&) {});
  add("three layers, no biases", [](auto& c) { c.n_layers = 3, c.bias = false; });
  add("grouped, learned, rms",
      [](auto& c) { c.n_heads = 4, c.n_kv_heads = 2, c.positions = "learned", c.norm = nn::NormKind::rms; });
  add("fused, alibi, tied",
      [](auto& c) { c.fused_qkv = true, c.positions = "alibi", c.tied_embeddings = true; });
  add("learned-qk, MLP", [](auto& c) { c.positions = "learned-qk", c.d_mlp = 8; });
  add("QK norm, sinks, window",
      [](auto& c) { c.qk_norm = nn::NormKind::layer, c.sinks = true, c.window = 3; });
  add("QK rms, smeared, rotary", [](auto& c) { c.qk_norm = nn::NormKind::rms, c.smeared_keys = true; });
  add("smeared, learned", [](auto& c) { c.smeared_keys = true, c.positions = "learned"; });
  add("relative, cap, no norm", [](auto& c) {
    c.positions = "relative", c.max_distance = 3, c.score_cap = 2, c.norm = nn::NormKind::none;
  });
  add("post, MLP, sinusoidal",
      [](auto& c) { c.norm_place = nn::NormPlace::post, c.d_mlp = 8, c.positions = "sinusoidal"; });
  add("encoder, t5", [](auto& c) { c.architecture = nn::Architecture::encoder, c.positions = "t5"; });
  for (const auto place : {nn::NormPlace::pre, nn::NormPlace::post})
    add("encoder-decoder", [&](auto& c) {
      c.architecture = nn::Architecture::encoder_decoder, c.n_source = 5, c.d_mlp = 8, c.norm_place = place;
    });
  return all;
}

inline const IntArray& read_tokens() {
  static const IntArray tokens{{3, 1, 4, 1, 5, 2, 6}};
  return tokens;
}

inline nn::Given given_for(const nn::TransformerConfig& c) {
  if (c.n_source == 0) return {};
  return {.source = IntArray{{7, 0, 8, 2}}};
}

// Everything that an attribution holds fixed, as it was in this run.
inline nn::Hooks frozen(const CachedRun& run) {
  nn::Hooks hooks;
  for (const std::string& name : run.cache.names())
    if (name.ends_with("hook_scale") || name.ends_with("attn.hook_pattern") ||
        name.ends_with("hook_mlp_out") || name.ends_with("cross_attn.hook_result"))
      hooks.add(name, [x = run.cache[name]](const Tensor&) { return Tensor(x); });
  return hooks;
}

// A copy of x (…) with everything set to 0 for which the function of the flat index is true.
Tensor without(const Tensor& x, auto&& gone) {
  Array y = x.array();
  for (std::size_t i = 0; i < y.size(); ++i)
    if (gone(i)) y.data()[i] = 0;
  return Tensor(std::move(y));
}

}  // namespace headlight::interpret

// Runs whose models were set by hand.
#pragma once

#include <memory>
#include <utility>

#include "headlight/core/rng.h"
#include "headlight/nn/by_hand.h"
#include "headlight/run/run.h"

namespace headlight::studies {

inline run::Run run_by_hand(std::uint64_t seed = 0) {
  run::RunConfig config;
  config.task.d_vocab = 16, config.task.n_ctx = 32;
  auto model =
      std::make_unique<nn::Transformer>(nn::induction_by_hand({.d_vocab = 16, .n_ctx = 32, .n_heads = 2}));
  config.model = model->config();
  config.train.seed = seed;
  return {.config = config, .task = run::make_task(config), .model = std::move(model)};
}

// All weights disturbed, and the attention logits of layer 1 scaled. At 0.04 its induction head gives
// followers about as much weight as the claim of matching asks, so that certificates differ from draw to
// draw.
inline run::Run weak_run(double scale) {
  run::Run run = run_by_hand(3);
  Rng rng(3);
  for (Real& x : run.model->blocks[1].attn.W_Q.mutable_array()) x *= static_cast<Real>(scale);
  for (auto& [name, parameter] : nn::named_parameters(*run.model))
    for (Real& x : Tensor(parameter).mutable_array()) x += static_cast<Real>(0.02 * rng.normal());
  return run;
}

}  // namespace headlight::studies

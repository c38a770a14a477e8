// The training step that the benchmark times, and its costs.
#pragma once

#include <string>
#include <vector>

#include "headlight/run/config.h"
#include "headlight/train/trainer.h"

namespace headlight::bench {

// A model with learned positions, trained on repeated random tokens with AdamW and clipping.
struct BenchConfig {
  std::string name;
  std::size_t d_model, n_heads, n_ctx, batch, d_mlp;
  std::size_t n_layers = 2, d_vocab = 64;
  nn::NormKind norm = nn::NormKind::layer;
};

// tiny16, tiny32, tiny64, small, medium, large, long and longer.
const std::vector<BenchConfig>& bench_configs();

// Throws Error for an unknown name.
const BenchConfig& find_bench_config(const std::string& name);

// Shards of its batch: eight, or as many as have 256 tokens each, but at most one for each sequence; two of a
// batch of 256 tokens.
std::size_t shards_of(const BenchConfig& config);

// The run whose steps are timed.
run::RunConfig run_config(const BenchConfig& config);

struct StepTiming {
  double ms;                   // per step
  double peak_mb;              // of the whole process that took the steps
  double parameters;           // numbers in the model's weights
  train::PhaseSeconds phases;  // of one step
};

// Takes `steps` steps in a separate process, after a fifth as many to warm up. steps = 0 takes steps for
// about half a second.
StepTiming time_steps(const BenchConfig& config, int threads, int steps);

// Additions and multiplications of one training step: matrix products, and attention over the visible keys. A
// backward pass counts as two forward passes. Results that are recomputed to save memory count once.
double step_flops(const BenchConfig& config);

}  // namespace headlight::bench

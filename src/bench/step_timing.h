// The training step that is timed, and what it costs.
#pragma once

#include <string>
#include <vector>

#include "headlight/experiment/config.h"
#include "headlight/train/trainer.h"

namespace headlight::inline HEADLIGHT_PRECISION::bench {

// A model of two layers with learned positions, trained on repeated random tokens with AdamW and clipping.
struct BenchConfig {
  std::string name;
  std::size_t d_model, n_heads, n_ctx, batch, d_mlp;
};

// small, medium, large, long and longer.
const std::vector<BenchConfig>& bench_configs();

// Throws Error for a name that there is not.
const BenchConfig& find_bench_config(const std::string& name);

// The run that is timed.
experiment::RunConfig run_config(const BenchConfig& config);

struct StepTiming {
  double ms;                   // a step
  double peak_mb;              // of the process that took the steps, programs and libraries included
  train::PhaseSeconds phases;  // of one step
};

// Takes `steps` steps in a process of its own, after a fifth as many to warm up. With steps = 0 as many as
// take about half a second.
StepTiming time_steps(const BenchConfig& config, int threads, int steps);

// Additions and multiplications of one training step: matrix products, and attention over the keys that are
// visible; a backward pass counts twice a forward pass. What is computed twice to save memory counts once.
double step_flops(const BenchConfig& config);

// What this machine reaches in gemm on so many threads at once, GFLOP/s: products of 512 x 512 matrices.
double gemm_gflops(int threads);

}  // namespace headlight::inline HEADLIGHT_PRECISION::bench

// Rounds of timed steps, and what they say.
#pragma once

#include <string>
#include <vector>

#include "step_timing.h"
#include "torch_peer.h"

namespace headlight::inline HEADLIGHT_PRECISION::bench {

struct RoundOptions {
  int threads = 0, steps = 0, rounds = 5;  // 0 steps: as many as take half a second
};

// Middle, least and most of what the rounds gave.
struct Spread {
  double median, least, most;

  explicit Spread(std::vector<double> values);
};

struct Result {
  Spread ms, torch_ms;  // torch_ms is 0 without PyTorch
  double peak_mb, torch_peak_mb, gflops, share_of_gemm, tokens_per_second;
  train::PhaseSeconds phases;  // of a step in the round of the median, as wall time
};

struct Phase {
  const char* name;
  double train::PhaseSeconds::*seconds;
};
const std::vector<Phase>& phases();

// Rounds one after the other, Headlight and its peer (if there is one) in turn, so that both meet the same
// machine.
Result measure(const BenchConfig& config, const RoundOptions& options, const TorchPeer* torch);

// One JSON object in a line.
std::string as_json(const BenchConfig& config, const Result& result, int threads);

}  // namespace headlight::inline HEADLIGHT_PRECISION::bench

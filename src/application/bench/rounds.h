// Rounds of timed steps, and their summary.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine.h"
#include "step_timing.h"
#include "torch_peer.h"

namespace headlight::bench {

struct RoundOptions {
  int threads = 0, steps = 0, rounds = 5;  // 0 steps: about half a second of them
};

// Median, smallest and largest value over the rounds.
struct Spread {
  double median, least, most;

  explicit Spread(std::vector<double> values);
};

struct Result {
  Spread ms, torch_ms;  // torch_ms is 0 without PyTorch
  double peak_mb, torch_peak_mb, gflops, tokens_per_second;
  std::string torch_setting, torch_blas;  // of PeerTiming
  std::optional<Spread> one_thread_ms = {},
                        plain_ms = {};  // of our step and of PlainStep, where there is one
  double update_gbs = 0;                // GB/s of the reduction and the optimizer
  MachineRates machine;
  train::PhaseSeconds phases;  // of one step in the median round, as wall time

  // How many times as long PyTorch takes; absent without PyTorch, and where its BLAS is neither OpenBLAS nor
  // MKL: others are many times slower.
  std::optional<double> torch_ratio() const;
};

struct Phase {
  const char* name;
  double train::PhaseSeconds::*seconds;
};
const std::vector<Phase>& phases();

// Times rounds of Headlight and of its peer (if there is one) in turn, so that both run on an equally busy
// machine.
Result measure(const BenchConfig& config, const RoundOptions& options, const TorchPeer* torch);

// One JSON object on one line.
std::string as_json(const BenchConfig& config, const Result& result, int threads);

}  // namespace headlight::bench

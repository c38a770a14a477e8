// The same training step in PyTorch, for comparison.
#pragma once

#include <string>

#include "step_timing.h"

namespace headlight::bench {

struct PeerTiming {
  double ms, peak_mb;
  std::string setting;  // PyTorch's threads, BLAS's threads and OpenBLAS's kernels: "2,1,Haswell"
  std::string blas;     // "OpenBLAS", "MKL", "reference", another's file
};

class TorchPeer {
 public:
  // Looks for a Python that has PyTorch.
  TorchPeer();

  bool available() const { return !python_.empty(); }

  // bench/torch_step.py with the given setting, or with the best of those that give right products. Throws
  // Error when it fails.
  PeerTiming time_steps(const BenchConfig& config, const std::string& setting = "") const;

 private:
  std::string python_;
};

}  // namespace headlight::bench

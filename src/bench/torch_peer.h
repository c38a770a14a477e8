// The same training step in PyTorch, for comparison.
#pragma once

#include <string>

#include "step_timing.h"

namespace headlight::bench {

struct PeerTiming {
  double ms, peak_mb;
};

class TorchPeer {
 public:
  // Looks for a Python that has PyTorch.
  TorchPeer();

  bool available() const { return !python_.empty(); }

  // bench/torch_step.py with its best setting of threads. Throws Error when it fails.
  PeerTiming time_steps(const BenchConfig& config) const;

  // The kernels of its matrix products: "OpenBLAS's for Haswell".
  std::string blas() const;

 private:
  std::string python_;
};

}  // namespace headlight::bench

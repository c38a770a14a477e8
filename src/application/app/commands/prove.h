// The ways of `certify` that go beyond one certificate: every input, a bound from the weights, new draws.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "command.h"
#include "headlight/core/thread_pool.h"

namespace headlight::app {

struct ProofOptions {
  std::size_t all_inputs = 0, from_weights = 0, redraws = 0;  // 0: not asked for

  bool any() const { return all_inputs + from_weights + redraws > 0; }
};

// Exit status 0 when every input is right, is proven right, or each draw has an induction circuit.
using Prove = std::function<int(const std::string& folder, const ProofOptions& options, bool as_json,
                                ThreadPool& pool)>;

void add_certify(CLI::App& program, Action& chosen, const Prove& prove);

}  // namespace headlight::app

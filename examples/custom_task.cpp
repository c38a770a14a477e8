// A task of your own: read digits, and after each say the largest so far. A transformer of one layer learns
// it.
#include <fmt/core.h>

#include <algorithm>

#include "headlight/run/experiment.h"
#include "headlight/system/run_main.h"

namespace hl = headlight;

// A task is a value: sizes, what tokens look like, and a function that draws a sequence.
hl::tasks::Task largest_so_far(const hl::tasks::TaskConfig& config) {
  const auto draw = [config](hl::Rng& rng) {
    hl::tasks::Sequence sequence;
    std::int32_t largest = 0;
    for (std::size_t t = 0; t < config.n_ctx; ++t) {
      const std::int32_t digit = rng.below(config.d_vocab);
      largest = std::max(largest, digit);
      sequence.tokens.push_back(digit);
      sequence.targets.push_back(largest);
    }
    return sequence;
  };
  return {.config = config,
          .vocabulary = hl::tasks::Vocabulary({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}),
          .training = draw};
}

int main() {
  return hl::run_main([] {
    hl::run::RunConfig config;
    config.task = {.name = "largest", .d_vocab = 10, .n_ctx = 16};
    config.model.n_layers = 1;
    config.train.steps = 100;

    hl::run::Experiment run(largest_so_far(config.task), config);
    const auto accuracy = [](const hl::run::Experiment& now) {
      return now.evaluate().accuracy_predictable.value();
    };
    run.observe(hl::run::every(20), [&](const hl::run::Experiment& now) {
      fmt::print("step {}: accuracy {:.0f} %\n", now.steps_done(), 100 * accuracy(now));
    });
    run.run_until(config.train.steps);
    return accuracy(run) > 0.99 ? 0 : 1;
  });
}

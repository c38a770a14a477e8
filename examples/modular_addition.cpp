// A task of your own from install to page: a + b modulo a prime, learned from a part of all pairs. It groks:
// long after the trained pairs are right, the held-out pairs become right too.
#include <cmath>

#include "headlight/app/command_line.h"
#include "headlight/run/experiment.h"
#include "headlight/run/own_metrics.h"
#include "headlight/tasks/epochs.h"
#include "headlight/tasks/settings.h"

namespace hl = headlight;

const auto prime = hl::tasks::add_setting("prime", "--prime", "Addition is modulo this prime",
                                          std::uint64_t{31}, hl::at_least(2));
const auto share = hl::tasks::add_setting("share", "--share", "The part of all pairs that is trained", 0.5,
                                          hl::from_to_below(0, 1));

hl::tasks::Task sums(const hl::tasks::TaskConfig& config) {
  const std::size_t p = prime(config);
  const hl::tasks::Epochs shuffled(p * p, 0);
  const std::size_t trained = share(config) * (p * p);
  const auto pair = [=](std::size_t place) {
    const std::int32_t a = shuffled(place) / p, b = shuffled(place) % p, sum = (a + b) % p;
    return hl::tasks::Sequence{{a, b}, {hl::tasks::kNoTarget, sum}};
  };
  hl::tasks::TaskConfig sizes = config;
  sizes.d_vocab = p;
  sizes.n_ctx = 2;
  std::vector<std::string> numbers;
  for (std::size_t number = 0; number < p; ++number) numbers.push_back(std::to_string(number));
  const hl::tasks::Epochs order(trained, 1);  // of the trained pairs, anew in every epoch
  return {.config = sizes,
          .vocabulary = hl::tasks::Vocabulary(numbers),
          .training = [=](hl::Rng& rng) { return pair(rng.below(trained)); },
          .training_at = [=](std::uint64_t place, hl::Rng&) { return pair(order(place)); },
          .held_out = [=](hl::Rng& rng) { return pair(trained + rng.below(p * p - trained)); }};
}

// Grokking comes with weights that become smaller again.
double weight_norm(const hl::run::Experiment& run) {
  double squares = 0;
  for (const hl::Tensor& p : hl::nn::parameters(run.model()))
    for (const hl::Real x : p.array()) squares += double{x} * x;
  return std::sqrt(squares);
}

int main(int argc, char** argv) {
  hl::tasks::registry().add({"sums", "a + b modulo a prime", sums, {"prime", "share"}});
  hl::run::own_metrics().add({"weight norm", "the norm of all weights", weight_norm});
  return hl::app::run_command_line(argc, argv);
}

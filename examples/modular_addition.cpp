// A task of your own from install to page: a + b modulo a prime, learned from a part of all pairs. It groks:
// long after the trained pairs are right, the held-out pairs become right too.
#include <cmath>

#include "headlight/app/command_line.h"
#include "headlight/run/experiment.h"
#include "headlight/run/own_metrics.h"
#include "headlight/tasks/epochs.h"
#include "headlight/tasks/settings.h"

using namespace headlight;

const auto prime =
    tasks::add_setting("prime", "--prime", "Addition is modulo this prime", std::uint64_t{31}, at_least(2));
const auto share =
    tasks::add_setting("share", "--share", "The part of all pairs that is trained", 0.5, from_to_below(0, 1));

tasks::Task sums(const tasks::TaskConfig& config) {
  const std::size_t p = prime(config);
  const tasks::Epochs shuffled(p * p, 0);
  const auto trained = static_cast<std::size_t>(share(config) * static_cast<double>(p * p));
  const auto pair = [=](std::size_t place) {
    const auto a = static_cast<std::int32_t>(shuffled(place) / p),
               b = static_cast<std::int32_t>(shuffled(place) % p);
    const auto sum = static_cast<std::int32_t>((a + b) % static_cast<std::int32_t>(p));
    return tasks::Sequence{{a, b}, {tasks::kNoTarget, sum}};
  };
  tasks::TaskConfig sizes = config;
  sizes.d_vocab = p;
  sizes.n_ctx = 2;
  std::vector<std::string> numbers;
  for (std::size_t number = 0; number < p; ++number) numbers.push_back(std::to_string(number));
  const tasks::Epochs order(trained, 1);  // of the trained pairs, anew in every epoch
  return {.config = sizes,
          .vocabulary = tasks::Vocabulary(numbers),
          .training = [=](Rng& rng) { return pair(rng.below(trained)); },
          .training_at = [=](std::uint64_t place, Rng&) { return pair(order(place)); },
          .held_out = [=](Rng& rng) { return pair(trained + rng.below(p * p - trained)); }};
}

// Grokking comes with weights that become smaller again.
double weight_norm(const run::Experiment& run) {
  double squares = 0;
  for (const Tensor& p : nn::parameters(run.model()))
    for (const Real x : p.array()) squares += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(squares);
}

int main(int argc, char** argv) {
  tasks::registry().add({"sums", "a + b modulo a prime", sums, {"prime", "share"}});
  run::own_metrics().add({"weight norm", "the norm of all weights", weight_norm});
  return app::run_command_line(argc, argv);
}

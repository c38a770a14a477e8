#include "examples.h"

#include <fmt/core.h>

#include "run.h"

namespace headlight::app {
namespace {

Example drawn(const tasks::Task& task, Rng rng, tasks::Lengths lengths) {
  const bool trained = lengths == tasks::Lengths::training;
  const tasks::Sequence s = trained ? task.draw(rng) : task.draw_held_out(rng);
  const auto [shortest, longest] = task.training();
  const std::string lengths_trained =
      shortest == longest ? fmt::format("{}", shortest) : fmt::format("{} to {}", shortest, longest);
  return {
      fmt::format("segment of {} tokens, {} ({})", s.segment, trained ? "as trained on" : "never trained on",
                  trained ? lengths_trained : "trained on " + lengths_trained),
      {s.tokens.begin(), s.tokens.end() - 1},
      {s.tokens.begin() + 1, s.tokens.end()},
      s.predictable};
}

}  // namespace

Example first_example(const tasks::Task& task, std::uint64_t seed) {
  return drawn(task, Rng(seed).stream("example").stream("sequence", 0), tasks::Lengths::training);
}

std::vector<Example> examples(const tasks::Task& task, std::uint64_t seed, std::size_t count) {
  std::vector<Example> all{first_example(task, seed)};
  const Rng rng = Rng(seed).stream("example");
  for (std::size_t i = 1; i < count; ++i) {
    const auto lengths = i % 2 == 1 ? tasks::Lengths::held_out : tasks::Lengths::training;
    all.push_back(drawn(task, rng.stream("sequence", i), lengths));
  }
  if (task.config().name != "repeat" && count > 1) {
    all.back() = drawn(*repetition(task), rng.stream("sequence", 0), tasks::Lengths::held_out);
    all.back().label = "repeated random tokens, as the heads are scored on: " + all.back().label;
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].label = fmt::format("{}: {}", i + 1, all[i].label);
  return all;
}

Example own_example(const std::vector<std::int32_t>& tokens) {
  std::vector<std::int32_t> targets(tokens.begin() + 1, tokens.end());
  targets.push_back(-1);
  return {"your own tokens", tokens, targets, {}};
}

}  // namespace headlight::app

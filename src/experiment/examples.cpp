#include "headlight/experiment/examples.h"

#include <fmt/core.h>

#include "headlight/tasks/batch.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

// "segment of 12 tokens, never trained on (trained on segments of 16 to 32 tokens)"
std::string label_of(const tasks::Task& task, const tasks::Sequence& s, bool trained) {
  const std::string what = s.note.empty() ? "a sequence" : s.note;
  if (task.trained_on.empty()) return what + (trained ? ", as trained on" : ", never trained on");
  return trained ? fmt::format("{}, as trained on ({})", what, task.trained_on)
                 : fmt::format("{}, never trained on (trained on {})", what, task.trained_on);
}

Example drawn(const tasks::Task& task, const tasks::Generator& generator, Rng rng, bool trained) {
  tasks::Sequence s = generator(rng);
  std::string label = label_of(task, s, trained);
  return {std::move(label), std::move(s.tokens), std::move(s.targets), std::move(s.predictable),
          std::move(s.repeats)};
}

Rng stream_of(std::uint64_t seed, std::uint64_t number) {
  return Rng(seed).stream("example").stream("sequence", number);
}

}  // namespace

Example first_example(const tasks::Task& task, std::uint64_t seed) {
  return drawn(task, task.training, stream_of(seed, 0), true);
}

std::vector<Example> examples(const tasks::Task& task, std::uint64_t seed, std::size_t count) {
  std::vector<Example> all{first_example(task, seed)};
  for (std::size_t i = 1; i < count; ++i) {
    const bool held_out = i % 2 == 1 && task.held_out;
    all.push_back(drawn(task, held_out ? task.held_out : task.training, stream_of(seed, i), !held_out));
  }
  if (task.scored && !task.scored_on.empty() && count > 1) {
    all.back() = drawn(task, task.scored, stream_of(seed, 0), false);
    all.back().label = task.scored_on + ", as the heads are scored on: " + all.back().label;
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].label = fmt::format("{}: {}", i + 1, all[i].label);
  return all;
}

Example own_example(const std::vector<std::int32_t>& tokens) {
  std::vector<std::int32_t> targets(tokens.begin() + 1, tokens.end());
  targets.push_back(tasks::kNoTarget);
  std::vector<bool> predictable(tokens.size(), false);
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t)
    for (std::size_t i = t; i-- > 0;)
      if (tokens[i] == tokens[t]) {
        predictable[t] = tokens[i + 1] == tokens[t + 1];
        break;
      }
  return {"your own tokens", tokens, targets, predictable};
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

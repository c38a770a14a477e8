#include "headlight/run/examples.h"

#include <fmt/core.h>

#include "headlight/core/check.h"
#include "headlight/tasks/batch.h"

namespace headlight::run {
namespace {

constexpr const char* kLikeTraining = "like those in training";

// "segment of 12 tokens, unlike those in training (segments of 16 to 32 tokens)"
std::string unlike_training(const tasks::Task& task) {
  return "unlike those in training" + (task.trained_on.empty() ? "" : fmt::format(" ({})", task.trained_on));
}

Example drawn(const tasks::Generator& generator, Rng rng, const std::string& how) {
  tasks::Sequence s = generator(rng);
  std::string label = fmt::format("{}, {}", s.note.empty() ? "a sequence" : s.note, how);
  return {std::move(label),         std::move(s.tokens),  std::move(s.targets),
          std::move(s.predictable), std::move(s.repeats), std::move(s.source)};
}

Rng stream_of(std::uint64_t seed, std::uint64_t number) {
  return Rng(seed).stream("example").stream("sequence", number);
}

}  // namespace

Example first_example(const tasks::Task& task, std::uint64_t seed) {
  return drawn(task.training, stream_of(seed, 0), kLikeTraining);
}

std::vector<Example> examples(const tasks::Task& task, std::uint64_t seed, std::size_t count) {
  std::vector<Example> all{first_example(task, seed)};
  for (std::size_t i = 1; i < count; ++i) {
    const bool held_out = i % 2 == 1 && task.held_out;
    all.push_back(held_out ? drawn(task.held_out, stream_of(seed, i), unlike_training(task))
                           : drawn(task.training, stream_of(seed, i), kLikeTraining));
  }
  if (task.scored && !task.scored_on.empty() && count > 1) {
    // Its segment may be as long as those in training: what differs is the kind.
    all.back() = drawn(task.scored, stream_of(seed, 0), "a kind that is not in training");
    all.back().label = task.scored_on + ", as the heads are scored on: " + all.back().label;
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].label = fmt::format("{}: {}", i + 1, all[i].label);
  return all;
}

Example own_example(const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& source) {
  check(!tokens.empty(), "[own_example] expected tokens, got none.");
  std::vector<std::int32_t> targets(tokens.begin() + 1, tokens.end());
  targets.push_back(tasks::kNoTarget);
  std::vector<bool> predictable(tokens.size(), false);
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t)
    for (std::size_t after = t; after > 0; --after)
      if (tokens[after - 1] == tokens[t]) {
        predictable[t] = tokens[after] == tokens[t + 1];
        break;
      }
  return {"your own tokens", tokens, targets, predictable, {}, source};
}

Example own_example(const tasks::Task& task, const std::string& tokens, const std::string& source) {
  const std::string& name = task.config.name;
  if (task.n_source == 0)
    check(source.empty(), "the task '{}' has no source, got '{}'. Hint: --tokens alone.", name, source);
  else
    check(!source.empty(), "the task '{}' has a source, and none was given. Hint: --source, before --tokens.",
          name);
  if (task.sees_ahead) {  // nobody says which labels are right
    const std::vector<std::int32_t> read = tasks::read_tokens(task, tokens);
    return {"your own tokens", read, std::vector<std::int32_t>(read.size(), tasks::kNoTarget), {}, {}, {}};
  }
  if (source.empty()) return own_example(tasks::read_tokens(task, tokens));
  const std::vector<std::int32_t> read = task.vocabulary.tokens(source);
  check(read.size() <= task.n_source, "a source of {} tokens does not fit: the task '{}' has up to {}.",
        read.size(), name, task.n_source);
  return own_example(tasks::read_tokens(task, tokens), read);
}

}  // namespace headlight::run

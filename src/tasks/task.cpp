#include "headlight/tasks/task.h"

#include "headlight/core/check.h"

namespace headlight::inline HEADLIGHT_PRECISION::tasks {

Sequence next_token_sequence(const std::vector<std::int32_t>& tokens, std::vector<bool> predictable,
                             std::string note) {
  check(tokens.size() >= 2, "a sequence needs a token to read and one to say, got {}.", tokens.size());
  return {{tokens.begin(), tokens.end() - 1},
          {tokens.begin() + 1, tokens.end()},
          std::move(predictable),
          {},
          std::move(note)};
}

Registry<MakeTask>& registry() {
  static Registry<MakeTask> tasks(
      "task", {{"repeat", "a random segment, over and over", repeat_task},
               {"copy", "a random prefix, a separator, the prefix again, then random tokens", copy_task}});
  return tasks;
}

void check_task(const Task& task) {
  check(!task.config.name.empty(), "a task needs a name.");
  check(task.config.n_ctx >= 1, "the task '{}' needs a context of at least 1 token.", task.config.name);
  check(bool(task.training), "the task '{}' has no training sequences.", task.config.name);
  check(task.vocabulary.size() == task.config.d_vocab,
        "the task '{}' has {} tokens in its vocabulary, but d_vocab = {}.", task.config.name,
        task.vocabulary.size(), task.config.d_vocab);
}

std::vector<std::int32_t> read_tokens(const Task& task, const std::string& text) {
  std::vector<std::int32_t> tokens = task.vocabulary.tokens(text);
  check(tokens.size() <= task.config.n_ctx, "{} tokens do not fit the context of {}.", tokens.size(),
        task.config.n_ctx);
  return tokens;
}

Task make_task(const TaskConfig& config) {
  Task task = registry().find(config.name)(config);
  check_task(task);
  return task;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::tasks

#include "headlight/tasks/task.h"

#include "headlight/core/check.h"
#include "headlight/core/memory.h"
#include "headlight/core/setting_text.h"
#include "headlight/tasks/text.h"
#include "headlight/tasks/toy_tasks.h"

namespace headlight::tasks {

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
  const SettingKeys segments{"d_vocab", "n_ctx", "min_segment", "max_segment", "distinct", "fixed_offset"};
  static Registry<MakeTask> tasks(
      "task",
      {{"repeat", "a random segment, over and over", repeat_task, segments},
       {"copy", "a random prefix, a separator, the prefix again, then random tokens", copy_task, segments},
       {"planted", "random tokens, among them a segment and later its copy", planted_task,
        SettingKeys{"d_vocab", "n_ctx", "min_segment", "max_segment"}},
       {"reverse", "a random segment, a separator, the segment from its end", reverse_task, segments},
       {"sort", "a random segment, a separator, the segment in order", sort_task, segments},
       {"recall", "pairs of key and value, then one key again", recall_task,
        SettingKeys{"d_vocab", "n_ctx", "pairs"}},
       {"mqar", "pairs of key and value, then several keys again", mqar_task,
        SettingKeys{"d_vocab", "n_ctx", "pairs", "queries"}},
       {"markov", "a Markov chain whose matrix is new in every sequence", markov_task,
        SettingKeys{"n_ctx", "states"}},
       {"khop", "the letter that a chain of earlier occurrences leads to", khop_task,
        SettingKeys{"n_ctx", "hops", "states"}},
       {"triggers", "text by bigrams, with tokens whose follower is new in every sequence", triggers_task,
        SettingKeys{"d_vocab", "n_ctx", "triggers"}},
       {"histogram", "how often each letter occurred so far", histogram_task, SettingKeys{"n_ctx", "states"}},
       {"parity", "whether the number of ones so far is odd", parity_task, SettingKeys{"n_ctx"}},
       {"addition", "a + b modulo a number", addition_task, SettingKeys{"modulus"}},
       {"brackets", "the bracket that closes the innermost open one", brackets_task, SettingKeys{"n_ctx"}},
       {"text", "a text file of yours, by characters", [](const TaskConfig& c) { return text_task(c); },
        SettingKeys{"n_ctx", "text", "bytes"}}});
  return tasks;
}

std::string scored_kind(const Task& task) {
  if (!task.scored_on.empty()) return task.scored_on + " (the answer score: on sequences as in training)";
  return std::string(task.scored ? "sequences of other lengths than in training"
                                 : "sequences as in training") +
         (task.trained_on.empty() ? "" : " (trained on " + task.trained_on + ")");
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

namespace {

// What a task of these sizes takes for its vocabulary, for a sequence, and for the matrix of a Markov chain.
// Each token of a vocabulary is a text that can be looked up.
double bytes_of(const TaskConfig& c) {
  constexpr double kOfToken = 200, kOfPosition = 64;
  const auto states = static_cast<double>(c.states);
  const double tokens = static_cast<double>(c.d_vocab) + static_cast<double>(c.modulus) + states;
  return kOfToken * tokens + kOfPosition * static_cast<double>(c.n_ctx) +
         2 * sizeof(double) * states * states;
}

void require_memory_for(const TaskConfig& config) {
  require_memory(bytes_of(config), SettingText("the task '{}' of these sizes", config.name),
                 SettingText("choose a smaller {}, {}, {} or {}", setting_key("d_vocab"),
                             setting_key("n_ctx"), setting_key("task.modulus"), setting_key("task.states")));
}

}  // namespace

Task make_task(const TaskConfig& config) {
  check_setting(config.text.empty() || config.name == "text",
                "the text '{}' is given, but the task is '{}'. Hint: {}.", config.text, config.name,
                setting_key("task.name", "text"));
  require_memory_for(config);
  Task task = registry().find(config.name)(config);
  check_task(task);
  return task;
}

Task task_of_another_program(const TaskConfig& config) {
  require_memory_for(config);  // its sizes come from a file
  return {config, Vocabulary::of_size(config.d_vocab), [name = config.name](Rng&) -> Sequence {
            fail(
                "the task '{}' is not in this program, so that no sequence of it can be drawn. Hint: use "
                "the program that trained the run (docs/library.md, \"Commands for a task of your own\"), "
                "or give the tokens.",
                name);
          }};
}

}  // namespace headlight::tasks

#include "headlight/tasks/settings.h"

#include "headlight/core/check.h"

namespace headlight::tasks {
namespace {

std::vector<Setting<TaskConfig>>& all_settings() {
  static std::vector<Setting<TaskConfig>> rows{
      choice("name", "--task", "What the model learns", &TaskConfig::name, registry),
      setting("d_vocab", "--vocab", "Different tokens", &TaskConfig::d_vocab, at_least(1)),
      setting("n_ctx", "--context", "Positions in a sequence", &TaskConfig::n_ctx, at_least(1)),
      idle_when(
          setting("min_segment", "--min-segment", "Shortest segment; 0: context/4", &TaskConfig::min_segment),
          [](const TaskConfig& c) -> std::string {
            return c.fixed_offset ? "all segments have the longest length" : "";
          }),
      setting("max_segment", "--max-segment", "Longest segment; 0: context/2", &TaskConfig::max_segment),
      setting("distinct", "--repeats", "Allow equal tokens in a segment", &TaskConfig::distinct),
      setting("fixed_offset", "--fixed-offset", "All segments have the longest length",
              &TaskConfig::fixed_offset),
      setting("pairs", "--pairs", "Most pairs of key and value; 0: context/4", &TaskConfig::pairs),
      setting("queries", "--queries", "Keys asked for in mqar; 0: pairs/2", &TaskConfig::queries),
      setting("hops", "--hops", "Hops to the answer in khop", &TaskConfig::hops, at_least(1)),
      setting("states", "--states", "Letters in markov, khop and histogram", &TaskConfig::states,
              at_least(2)),
      setting("triggers", "--triggers", "Tokens with followers of their own", &TaskConfig::triggers,
              at_least(1)),
      setting("modulus", "--modulus", "Addition is modulo this number", &TaskConfig::modulus, at_least(2)),
      setting("text", "--text", "A text file of yours to learn, by characters (task text)",
              &TaskConfig::text),
      setting("bytes", "--bytes", "In a text, a token is a byte, not a character", &TaskConfig::bytes)};
  return rows;
}

}  // namespace

const std::vector<Setting<TaskConfig>>& settings() { return all_settings(); }

void add_setting(Setting<TaskConfig> row) {
  for (const Setting<TaskConfig>& known : all_settings()) {
    check(known.key != row.key, "there is a setting '{}' of tasks already.", row.key);
    check(known.flag != row.flag, "the flag {} stands for the setting '{}' already.", row.flag, known.key);
  }
  all_settings().push_back(std::move(row));
}

}  // namespace headlight::tasks

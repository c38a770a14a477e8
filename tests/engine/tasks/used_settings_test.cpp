// A task's list of the settings that it uses, against what its sequences depend on.
#include <map>

#include "catch.h"
#include "headlight/system/files.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/settings.h"
#include "tasks/posed.h"
#include "temporary_folder.h"

using namespace headlight;
using namespace headlight::tasks;

namespace {

// All that a model meets of a task: its tokens, its targets, its sizes.
std::vector<std::vector<std::int32_t>> met(const Task& task) {
  std::vector<std::vector<std::int32_t>> all{
      {static_cast<std::int32_t>(task.vocabulary.size()), static_cast<std::int32_t>(task.config.n_ctx)}};
  for (const Generator* generator : {&task.training, &task.held_out, &task.scored})
    for (std::uint64_t i = 0; *generator && i < 40; ++i) {
      const Sequence s = draw_sequence(task, *generator, Rng(3), i);
      all.push_back(s.tokens);
      all.push_back(s.targets);
    }
  return all;
}

// Another value for each setting, which every task that uses it can be posed with.
SettingValue another_value(const std::string& key, const SettingValue& value, const std::string& text) {
  if (const bool* on = std::get_if<bool>(&value)) return !*on;
  if (key == "text") return text;
  static const std::map<std::string, std::uint64_t> values{
      {"d_vocab", 70}, {"n_ctx", 72}, {"min_segment", 9}, {"max_segment", 20}, {"pairs", 9},
      {"queries", 3},  {"hops", 3},   {"states", 5},      {"triggers", 3},     {"modulus", 13}};
  return values.at(key);
}

}  // namespace

TEST_CASE("a task uses the settings that it lists, and no others", "[tasks]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "text").string(), other = (folder.path() / "other").string();
  std::string text;
  for (int i = 0; i < 200; ++i) text += fmt::format("{} é, ", i * i);
  write_file(file, text);
  write_file(other, text + "zzz" + text);
  std::size_t known = 0;
  for (const auto& entry : registry().entries()) {
    if (!entry.uses.known()) continue;  // a task that another test added
    ++known;
    TaskConfig config{.name = entry.name};
    if (entry.name == "text") config.text = file;
    const auto plain = met(entry.thing(config));
    for (const Setting<TaskConfig>& row : settings()) {
      if (row.key == "name") continue;
      TaskConfig changed = config;
      row.set(changed, another_value(row.key, row.get(config), other));
      INFO(entry.name << " " << row.key);
      CHECK(entry.uses.contains(row.key) == (met(entry.thing(changed)) != plain));
      CHECK(registry().ignores(entry.name, row.key) == !entry.uses.contains(row.key));
    }
  }
  CHECK(known >= 14);
}

TEST_CASE("the shortest segment is idle when all have the longest length", "[tasks]") {
  const auto why = [](bool fixed) {
    return why_idle(settings(), TaskConfig{.fixed_offset = fixed}, "min_segment");
  };
  CHECK(why(false).empty());
  CHECK(contains(why(true), "all segments have the longest length"));
}

#include "headlight/sweep/sweep_plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "headlight/core/ascii.h"
#include "headlight/core/numbers.h"
#include "headlight/studies/comparison.h"
#include "headlight/system/json.h"
#include "headlight/system/json_output.h"

namespace headlight::sweep {
namespace {

constexpr std::size_t kLongestName = 120;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

run::NamedSetting setting_called(const std::string& name) {
  const std::string bare = name.starts_with("--") ? name.substr(2) : name;
  std::vector<std::string> known;
  std::optional<run::NamedSetting> by_key;
  for (const run::ConfigPart& part : run::settings())
    for (const Setting<run::RunConfig>& row : part.rows) {
      const run::NamedSetting setting{part.name, &row};
      if (bare == studies::short_name(setting) || bare == full_name(setting)) return setting;
      if (bare == row.key) by_key = setting;
      for (const std::string& way : {studies::short_name(setting), full_name(setting), row.key})
        known.push_back(way);
    }
  check(by_key.has_value(), "there is no setting '{}'.{} Hint: ./headlight train --help lists them.", name,
        did_you_mean(bare, known));
  return *by_key;
}

SettingValue allowed_value(const run::NamedSetting& setting, const std::string& text) {
  const std::string name = studies::short_name(setting);
  const SettingValue value = setting_from_text(name, text, setting.row->get(run::RunConfig()));
  require_allowed(*setting.row, value, name, text);
  return value;
}

std::uint64_t seed_from(const std::string& text, const std::string& whole) {
  try {
    return number_from_text<std::uint64_t>(text);
  } catch (const Error&) {
    fail("the seeds must be whole numbers, like 0..9 or 1,5,7, got '{}'.", whole);
  }
}

// The indices of the values of a combination, one for each varied setting.
std::vector<std::size_t> indices_of(const SweepPlan& plan, std::size_t combination) {
  std::vector<std::size_t> indices(plan.varied.size());
  for (std::size_t i = plan.varied.size(); i > 0; --i) {
    const std::size_t values = plan.varied[i - 1].values.size();
    indices[i - 1] = combination % values;
    combination /= values;
  }
  return indices;
}

// Throws Error before the product can overflow.
std::size_t combination_count(const SweepPlan& plan) {
  check(!plan.seeds.empty(), "a sweep needs at least one seed.");
  std::size_t count = 1;
  for (const VariedSetting& varied : plan.varied) {
    check(!varied.values.empty(), "a sweep needs at least one value of {}.",
          studies::short_name(varied.setting));
    count *= varied.values.size();
    check(count * plan.seeds.size() <= kMostSweepRuns, "a sweep may have {} runs, and this one has more.",
          kMostSweepRuns);
  }
  check(count * plan.seeds.size() <= kMostSweepRuns, "a sweep may have {} runs, and this one has {}.",
        kMostSweepRuns, count * plan.seeds.size());
  return count;
}

// The assignments of a combination: "heads=2", "positions=alibi".
std::vector<std::string> assignments(const SweepPlan& plan, std::size_t combination) {
  const std::vector<std::string> values = combination_values(plan, combination);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i)
    texts.push_back(studies::short_name(plan.varied[i].setting) + "=" + values[i]);
  return texts;
}

// Characters that every file system and shell takes as they are.
std::string safe(std::string name) {
  for (char& c : name)
    if (!ascii::is_letter(c) && !ascii::is_digit(c) && std::string_view("._+-=").find(c) == std::string::npos)
      c = '-';
  return name;
}

// Numbers instead, where names would be the same or too long for a file system.
void number_folders(std::vector<PlannedRun>& runs) {
  std::set<std::string> names;
  const bool fit = std::all_of(runs.begin(), runs.end(), [&](const PlannedRun& run) {
    return run.folder.size() <= kLongestName && names.insert(run.folder).second;
  });
  if (fit) return;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].folder = fmt::format("run-{:04}", i);
}

// Throws Error for a setting without effect in all combinations: they would be the same runs.
void check_effect(const SweepPlan& plan, const std::vector<PlannedRun>& runs) {
  std::map<std::string, std::pair<std::size_t, std::string>> idle;  // in how many combinations, and why
  for (std::size_t i = 0; i < runs.size(); i += plan.seeds.size())
    for (const run::IdleSetting& found : idle_settings(runs[i].config)) {
      auto& [combinations, why] = idle[full_name(found.setting)];
      ++combinations;
      why = found.why;
    }
  for (const VariedSetting& varied : plan.varied) {
    const auto& [combinations, why] = idle[full_name(varied.setting)];
    check(combinations < combination_count(plan),
          "{} has no effect here, so its values would give equal runs: {}.",
          studies::short_name(varied.setting), why);
  }
}

}  // namespace

VariedSetting varied_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  check(equals != std::string::npos && equals > 0,
        "expected a setting and its values, such as heads=1,2,4, got '{}'.", text);
  VariedSetting varied{setting_called(text.substr(0, equals)), {}};
  check(full_name(varied.setting) != "train.seed", "the seeds of a sweep are given by --seeds 0..9.");
  for (const std::string& value : split(text.substr(equals + 1), ',')) {
    varied.values.push_back(allowed_value(varied.setting, value));
    check(std::count(varied.values.begin(), varied.values.end(), varied.values.back()) == 1,
          "{} has the value '{}' twice.", studies::short_name(varied.setting), value);
  }
  return varied;
}

std::vector<std::uint64_t> seeds_from_text(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  const std::size_t dots = text.find("..");
  if (dots != std::string::npos) {
    const std::uint64_t first = seed_from(text.substr(0, dots), text),
                        last = seed_from(text.substr(dots + 2), text);
    check(first <= last, "the seeds '{}' end before they begin.", text);
    check(last - first < kMostSweepRuns, "a sweep may have {} runs, and '{}' are more seeds.", kMostSweepRuns,
          text);
    for (std::uint64_t i = 0; i <= last - first; ++i) seeds.push_back(first + i);
    return seeds;
  }
  for (const std::string& part : split(text, ',')) {
    seeds.push_back(seed_from(part, text));
    check(std::count(seeds.begin(), seeds.end(), seeds.back()) == 1, "the seed '{}' is given twice.", part);
  }
  return seeds;
}

std::vector<std::string> combination_values(const SweepPlan& plan, std::size_t combination) {
  const std::vector<std::size_t> indices = indices_of(plan, combination);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < indices.size(); ++i)
    values.push_back(to_string(plan.varied[i].values[indices[i]]));
  return values;
}

std::vector<std::string> combination_names(const SweepPlan& plan) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < combination_count(plan); ++c)
    names.push_back(plan.varied.empty() ? "all" : fmt::format("{}", fmt::join(assignments(plan, c), " ")));
  return names;
}

std::vector<PlannedRun> planned_runs(const SweepPlan& plan) {
  std::set<std::string> varied;
  for (const VariedSetting& v : plan.varied)
    check(varied.insert(full_name(v.setting)).second, "{} varies twice.", studies::short_name(v.setting));
  std::vector<PlannedRun> runs;
  const std::size_t combinations = combination_count(plan);
  for (std::size_t c = 0; c < combinations; ++c) {
    run::RunConfig config = plan.base;
    const std::vector<std::size_t> indices = indices_of(plan, c);
    for (std::size_t i = 0; i < indices.size(); ++i)
      plan.varied[i].setting.row->set(config, plan.varied[i].values[indices[i]]);
    config.train.seed = plan.seeds.front();
    try {
      check_config(config);
      make_model(config);  // which knows what fits together
    } catch (const Error& e) {
      if (plan.varied.empty()) throw;
      fail("with {}: {}", fmt::join(assignments(plan, c), ", "), e.what());
    }
    for (const std::uint64_t seed : plan.seeds) {
      config.train.seed = seed;
      std::vector<std::string> name = assignments(plan, c);
      name.push_back(fmt::format("seed={}", seed));
      runs.push_back({safe(fmt::format("{}", fmt::join(name, "_"))), c, seed, config});
    }
  }
  check_effect(plan, runs);
  number_folders(runs);
  return runs;
}

std::string to_json(const SweepPlan& plan) {
  ordered_json varied = ordered_json::object();
  for (const VariedSetting& v : plan.varied)
    for (const SettingValue& value : v.values)
      std::visit([&](const auto& x) { varied[full_name(v.setting)].push_back(x); }, value);
  return ordered_json{{"base", json_from<ordered_json>(to_json(plan.base))},
                      {"varied", std::move(varied)},
                      {"seeds", plan.seeds}}
      .dump();
}

}  // namespace headlight::sweep

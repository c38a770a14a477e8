// The plan of a sweep: which settings vary, over which values and seeds, and the runs that follow from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headlight/run/config.h"

namespace headlight::sweep {

// A setting and the values that it takes.
struct VariedSetting {
  run::NamedSetting setting;
  std::vector<SettingValue> values;
};

// "heads=1,2,4" with a setting's flag ("heads", "--heads"), its key ("n_heads"), or part and key
// ("model.n_heads"). Throws Error for an unknown setting, with the nearest name, for a value that is not
// allowed or is given twice, and for the seed, which seeds_from_text() reads.
VariedSetting varied_setting(const std::string& text);

// "0..9", "3" or "1,5,7". Throws Error for anything else, and for a seed that is given twice.
std::vector<std::uint64_t> seeds_from_text(const std::string& text);

struct SweepPlan {
  run::RunConfig base;                  // all settings that do not vary
  std::vector<VariedSetting> varied;    // the last one varies fastest
  std::vector<std::uint64_t> seeds{0};  // of every combination
};

inline constexpr std::size_t kMostSweepRuns = 10000;

// A run of the plan. Its folder is named after what varies: "heads=2_positions=alibi_seed=0".
struct PlannedRun {
  std::string folder;
  std::size_t combination = 0;  // runs of the same combination differ in their seed only
  std::uint64_t seed = 0;
  run::RunConfig config;
};

// All runs, seeds varying fastest. Throws Error for more than kMostSweepRuns runs, for a setting that varies
// twice, and for a combination that check_config() refuses, which the message names.
std::vector<PlannedRun> planned_runs(const SweepPlan& plan);

// "heads=2 positions=alibi" for each combination; "all" if no setting varies.
std::vector<std::string> combination_names(const SweepPlan& plan);

// The values of a combination, one for each varied setting.
std::vector<std::string> combination_values(const SweepPlan& plan, std::size_t combination);

// JSON that is equal for equal plans.
std::string to_json(const SweepPlan& plan);

}  // namespace headlight::sweep

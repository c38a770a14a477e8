#include "target_folder.h"

#include <fmt/core.h>

#include "headlight/core/check.h"
#include "headlight/run/run_files.h"
#include "headlight/run/run_list.h"
#include "headlight/sweep/sweep.h"
#include "headlight/system/folder.h"

namespace headlight::app {
namespace {

// "--layers 1, 700 steps, saved 2025-11-22 07:40"
std::string in_short(const run::ListedRun& run) {
  if (!run.results) return "one that cannot be read";
  const std::string flags = run::flags_of(*run.config);
  return fmt::format("{}, {} steps, saved {}", flags.empty() ? "default settings" : flags, run.results->steps,
                     run::written(run.saved));
}

// A run in training holds its folder, where there is nothing else yet.
bool is_locked(const std::string& folder) {
  try {
    const FolderLock lock(folder);
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

std::string first_free(const std::string& folder, const std::string& inside) {
  constexpr int kTries = 10000;
  for (int number = 1; number < kTries; ++number) {
    std::string name = number == 1 ? folder : fmt::format("{}-{}", folder, number);
    const std::string runs = inside.empty() ? name : name + "/" + inside;
    if (run::replaced_file(runs).empty() && !is_locked(runs)) return name;
  }
  return folder;
}

void check_free(const std::string& folder) {
  const std::string replaced = run::replaced_file(folder);
  std::error_code error;
  check(!std::filesystem::exists(std::filesystem::path(folder) / sweep::sweep_files::kJson, error),
        "'{}' holds a sweep. Hint: --out DIR saves the run elsewhere.", folder);
  const bool is_run = run::holds_run(folder) &&
                      std::filesystem::exists(std::filesystem::path(folder) / run::files::kConfig, error);
  check(is_run || replaced.empty(),
        "'{}' holds no run, but '{}', which the run would replace. Hint: --out DIR saves the run elsewhere, "
        "--force replaces the file.",
        folder, replaced);
  check(
      !is_run,
      "'{}' holds a run already ({}). Hint: --out DIR saves the new run elsewhere, --force replaces the old "
      "one.",
      folder, in_short(run::listed_run(folder)));
}

bool has_settings_of(const std::string& folder, run::RunConfig config) {
  try {
    run::RunConfig saved = run::read_run(folder, run::Parts::config).config;
    for (run::RunConfig* each : {&config, &saved}) {
      each->train.seed = 0;
      each->train.steps = 1;
      each->task.text.clear();
    }
    return run::to_json(config) == run::to_json(saved);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace headlight::app

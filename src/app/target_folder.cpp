#include "target_folder.h"

#include <fmt/core.h>

#include "headlight/core/check.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/experiment/run_list.h"
#include "output_files.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

// "--layers 1, 700 steps, saved 2025-11-22 07:40"
std::string in_short(const experiment::ListedRun& run) {
  if (!run.results) return "one that cannot be read";
  const std::string flags = experiment::flags_of(*run.config);
  return fmt::format("{}, {} steps, saved {}", flags.empty() ? "default settings" : flags, run.results->steps,
                     experiment::written(run.saved));
}

}  // namespace

std::string first_free(const std::string& folder) {
  std::string free = folder;
  for (int number = 2; !experiment::replaced_file(free).empty(); ++number)
    free = fmt::format("{}-{}", folder, number);
  return free;
}

void claim_folder(experiment::Experiment& run, const std::string& folder) {
  check_no_run_file({"--out", folder});
  run.claim(folder);
}

void check_free(const std::string& folder) {
  const std::string replaced = experiment::replaced_file(folder);
  std::error_code error;
  const bool is_run =
      experiment::holds_run(folder) &&
      std::filesystem::exists(std::filesystem::path(folder) / experiment::files::kConfig, error);
  check(is_run || replaced.empty(),
        "'{}' holds no run, but '{}', which the run would replace. Hint: --out DIR saves the run elsewhere, "
        "--force replaces the file.",
        folder, replaced);
  check(
      !is_run,
      "'{}' holds a run already ({}). Hint: --out DIR saves the new run elsewhere, --force replaces the old "
      "one.",
      folder, in_short(experiment::listed_run(folder)));
}

bool made_by_demo(const std::string& folder) {
  try {
    return experiment::load_results(folder).command.starts_with("./headlight demo");
  } catch (const Error&) {
    return false;
  }
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

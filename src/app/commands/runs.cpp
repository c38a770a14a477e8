#include "headlight/experiment/run_list.h"

#include <fmt/core.h>

#include "command.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

struct RunsOptions {
  std::vector<std::string> folders;
  bool json = false;
};

void print_run(const experiment::ListedRun& run, std::size_t width) {
  fmt::print("{:<{}}  ", run.folder.string(), width);
  if (!run.results) {
    fmt::print("cannot be read: {}\n", run.damage);
    return;
  }
  const experiment::Results& r = *run.results;
  const auto percent = [](double x) { return fmt::format("{:.1f} %", 100 * x); };
  const auto accuracy = r.evaluation.accuracy_predictable, induction = experiment::best_induction(r);
  const auto best = experiment::best_possible(r.yardsticks);
  std::string line = fmt::format("{:<9}  {:>8}  {:>6.3f}  {:>6}  {:<8}  {:>9}  {}  {}", r.task,
                                 accuracy ? percent(*accuracy) : "-", r.evaluation.loss,
                                 best ? fmt::format("{:.3f}", best->loss) : "-",
                                 r.diverged ? "diverged"
                                 : r.passed ? "yes"
                                            : "no",
                                 induction ? fmt::format("{:.2f}", *induction) : "-",
                                 experiment::written(run.saved), experiment::flags_of(*run.config));
  if (r.interrupted) line += fmt::format(" (stopped at step {})", r.steps);
  fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
}

int runs(const RunsOptions& options) {
  std::vector<std::filesystem::path> folders(options.folders.begin(), options.folders.end());
  const std::filesystem::path usual = "runs";
  if (folders.empty() && std::filesystem::is_directory(usual)) folders.push_back(usual);
  const auto listed = experiment::listed_runs(folders);
  if (options.json) {
    for (const auto& run : listed) fmt::print("{}\n", experiment::to_json(run));
    return 0;
  }
  if (listed.empty()) {
    fmt::print("There are no runs here. ./headlight demo makes the first, in runs/demo.\n");
    return 0;
  }
  std::size_t width = std::string("run").size();
  for (const auto& run : listed) width = std::max(width, run.folder.string().size());
  fmt::print("{:<{}}  task       accuracy    loss    best  solved    induction  saved             settings\n",
             "run", width);
  for (const auto& run : listed) print_run(run, width);
  return 0;
}

}  // namespace

void add_runs(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* command = program.add_subcommand("runs", "List the runs, the newest last");
  command->add_option("DIR", options->folders, "Run folders, or folders of runs (default: runs)");
  command->add_flag("--json", options->json, "One JSON object per line");
  command->footer(
      "\nAccuracy: on predictable tokens. Loss: on all tokens, in nats. Best: the best possible loss.\n"
      "Solved: whether the task counts as solved. Induction: the highest induction score of a head. "
      "Settings: the flags of train that differ from the defaults.\n"
      "\nExamples:\n  ./headlight runs\n  ./headlight runs runs/demo runs/one_layer\n"
      "  ./headlight runs --json > runs.jsonl");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return runs(*options); }; });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

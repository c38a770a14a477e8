#include "headlight/run/run_list.h"

#include <fmt/core.h>

#include "app/options/output_option.h"
#include "app/output/json.h"
#include "app/output/lines.h"
#include "command.h"
#include "headlight/draw/table.h"
#include "headlight/system/json.h"
#include "headlight/system/percent.h"

namespace headlight::app {
namespace {

struct RunsOptions {
  std::vector<std::string> folders;
  bool json = false;
};

std::vector<std::string> row_of(const run::ListedRun& run) {
  const run::Results& r = *run.results;
  const auto accuracy = r.evaluation.accuracy_predictable, induction = run::best_induction(r);
  const auto best = run::best_possible(r.baselines);
  const std::string flags = run::flags_of(*run.config);
  const std::string stopped = r.interrupted ? fmt::format("(stopped at step {})", r.steps) : "";
  return {run.folder.string(),
          r.task,
          accuracy ? percent(*accuracy) : "-",
          fmt::format("{:.3f}", r.evaluation.loss),
          best ? fmt::format("{:.3f}", best->loss) : "-",
          r.diverged ? "diverged"
          : r.passed ? "yes"
                     : "no",
          induction ? fmt::format("{:.2f}", *induction) : "-",
          run::written(run.saved),
          flags + (flags.empty() || stopped.empty() ? "" : " ") + stopped};
}

void print_list(const std::vector<run::ListedRun>& listed) {
  draw::Table table{{"run", "task", "accuracy", "loss", "best", "solved", "induction", "saved", "settings"},
                    {}};
  std::string damaged;
  for (const auto& run : listed)
    if (run.results)
      table.rows.push_back(row_of(run));
    else
      damaged += in_lines(fmt::format("{} cannot be read: {}", run.folder.string(), run.damage));
  if (!table.rows.empty()) fmt::print("{}", draw::terminal_table(table));
  if (!damaged.empty()) fmt::print("{}{}", table.rows.empty() ? "" : "\n", damaged);
}

int runs(const RunsOptions& options) {
  std::vector<std::filesystem::path> folders(options.folders.begin(), options.folders.end());
  const std::filesystem::path usual = "runs";
  if (folders.empty() && std::filesystem::is_directory(usual)) folders.push_back(usual);
  const auto listed = run::listed_runs(folders);
  if (options.json) {
    ordered_json json = json_of("runs");
    json["runs"] = ordered_json::array();
    for (const auto& run : listed) json["runs"].push_back(json_from<ordered_json>(run::to_json(run)));
    print_json(json);
    return 0;
  }
  if (listed.empty()) {
    fmt::print("There are no runs here. ./headlight demo makes the first, in runs/demo.\n");
    return 0;
  }
  print_list(listed);
  return 0;
}

}  // namespace

void add_runs(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* command = program.add_subcommand("runs", "List the runs, the newest last");
  command->add_option("DIR", options->folders, "Run folders, or folders of runs (default: runs)");
  add_json_option(*command, options->json);
  command->footer(
      "\nAccuracy: on predictable tokens, of a text on copied ones. Loss: on all tokens, in nats. Best: the "
      "best possible loss.\n"
      "Solved: whether the task counts as solved. Induction: the highest induction score of a head. "
      "Settings: the flags of train that differ from the defaults.\n"
      "\nExamples:\n  ./headlight runs\n  ./headlight runs runs/demo runs/one_layer\n"
      "  ./headlight runs --json > runs.json");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return runs(*options); }; });
}

}  // namespace headlight::app

#include <fmt/core.h>

#include "command.h"
#include "headlight/core/check.h"
#include "headlight/run/evaluation_sets.h"
#include "headlight/run/run.h"
#include "headlight/studies/head_table.h"

namespace headlight::app {
namespace {

struct HeadsOptions {
  std::string folder;
  bool no_color = false, csv = false;
};

int heads(const HeadsOptions& options) {
  const run::Run run = chosen_run(options.folder);
  const auto scores =
      run::EvaluationSets(run.task, run.config.train.seed).score_heads(*run.model, run::Extent::full);
  check(!scores.empty(), "heads have no scores on the task '{}'.", run.task.config.name);
  fmt::print("{}", options.csv ? studies::heads_csv(scores)
                               : studies::head_table(scores, draw::color_mode(!options.no_color)));
  return 0;
}

}  // namespace

void add_heads(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<HeadsOptions>();
  CLI::App* command = program.add_subcommand("heads", "The head scores of a run");
  add_run(*command, options->folder);
  command->add_flag("--csv", options->csv, "Unrounded, as comma-separated values");
  command->add_flag("--no-color", options->no_color, "Draw in plain text");
  command->footer(
      "\nExamples:\n  ./headlight heads runs/demo\n  ./headlight heads runs/demo --csv > heads.csv");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return heads(*options); }; });
}

}  // namespace headlight::app

#include "ablation_options.h"
#include "command.h"
#include "headlight/studies/head_studies.h"
#include "study_output.h"

namespace headlight::app {
namespace {

struct SensitivityOptions {
  ChosenRun run;
  studies::SensitivityRequest request;
  StudyOutput output;
};

int sensitivity(const SensitivityOptions& options) {
  const run::SavedRun run = run::load_run(options.run);
  std::vector<train::Snapshot> snapshots;
  if (run::has_history(options.run)) snapshots = run::load_history(options.run);
  ThreadPool pool;
  deliver_study(studies::sensitivity_study(run, snapshots, options.request, pool), options.run.folder,
                options.output);
  return 0;
}

}  // namespace

void add_sensitivity(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<SensitivityOptions>();
  CLI::App* command = program.add_subcommand(
      "sensitivity", "How the loss pulls at each head, and which began to learn first");
  add_run(*command, options->run);
  add_ablation_options(*command, {options, &options->request.replacement});
  command->add_flag("--curvature", options->request.curvature,
                    "Also the curvature of the loss in each head's parameters (takes seconds)");
  add_study_options(*command, options->output);
  command->footer(
      "\nGradients of the loss in nats, at the trained weights. Where training kept snapshots, also along "
      "training;\nthe picture is of these.\n"
      "\nExamples:\n  ./headlight sensitivity runs/demo\n  ./headlight sensitivity runs/demo --curvature\n"
      "  ./headlight sensitivity runs/demo --svg norms.svg");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return sensitivity(*options); }; });
}

}  // namespace headlight::app

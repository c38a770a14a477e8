#include "app/options/ablation_options.h"
#include "app/options/study_output.h"
#include "command.h"
#include "headlight/studies/head_studies.h"

namespace headlight::app {
namespace {

struct SensitivityOptions {
  std::string folder;
  studies::SensitivityRequest request;
  StudyOutput output;
};

int sensitivity(const SensitivityOptions& options) {
  const run::Run run = chosen_run(options.folder, run::parts::kTrained | run::Parts::snapshots);
  ThreadPool pool;
  deliver_study(studies::sensitivity_study(run, options.request, pool), options.folder, options.output);
  return 0;
}

}  // namespace

void add_sensitivity(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<SensitivityOptions>();
  CLI::App* command = program.add_subcommand(
      "sensitivity", "How the loss pulls at each head, and which began to learn first");
  add_run(*command, options->folder);
  add_ablation_options(*command, {options, &options->request.replacement});
  command->add_flag("--curvature", options->request.curvature,
                    "Also the curvature of the loss in each head's parameters (takes seconds)");
  add_study_options(*command, options->output);
  command->footer(
      "\nGradients of the loss in nats, at the trained parameters. Where training kept snapshots, also along "
      "training;\nthe picture is of these.\n"
      "\nExamples:\n  ./headlight sensitivity runs/demo\n  ./headlight sensitivity runs/demo --curvature\n"
      "  ./headlight sensitivity runs/demo --svg norms.svg");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return sensitivity(*options); }; });
}

}  // namespace headlight::app

#include "app/options/ablation_options.h"
#include "app/options/study_output.h"
#include "command.h"
#include "headlight/studies/head_studies.h"

namespace headlight::app {
namespace {

struct SensitivityOptions {
  std::string folder;
  studies::SensitivityRequest request;
  bool edges = false;
  StudyOutput output;
};

int sensitivity(const SensitivityOptions& options) {
  const run::Run run = chosen_run(options.folder, run::parts::kTrained | run::Parts::snapshots);
  ThreadPool pool;
  deliver_study(
      options.edges
          ? studies::edge_study(
                run, {.resample = options.request.replacement == interpret::Ablation::resample}, pool)
          : studies::sensitivity_study(run, options.request, pool),
      options.folder, options.output);
  return 0;
}

}  // namespace

void add_sensitivity(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<SensitivityOptions>();
  CLI::App* command = program.add_subcommand(
      "sensitivity", "How the loss pulls at each head, and which began to learn first");
  add_run(*command, options->folder);
  add_ablation_options(*command, {options, &options->request.replacement});
  CLI::Option* curvature =
      command->add_flag("--curvature", options->request.curvature,
                        "Also the curvature of the loss in each head's parameters (takes seconds)");
  command
      ->add_flag("--edges", options->edges,
                 "Instead: each edge from head to head, estimated and measured, and the model with few "
                 "of them")
      ->excludes(curvature, command->get_option("--mean"), command->get_option("--zero"));
  add_study_options(*command, options->output);
  command->footer(
      "\nGradients of the loss in nats, at the trained parameters. Where training kept snapshots, also along "
      "training;\nthe picture is of these.\n"
      "\nExamples:\n  ./headlight sensitivity runs/demo\n  ./headlight sensitivity runs/demo --curvature\n"
      "  ./headlight sensitivity runs/demo --svg norms.svg\n  ./headlight sensitivity runs/demo --edges --resample");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return sensitivity(*options); }; });
}

}  // namespace headlight::app

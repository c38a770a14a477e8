#include "command.h"
#include "headlight/experiment/head_studies.h"
#include "study_output.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

struct SensitivityOptions {
  std::string folder;
  experiment::SensitivityRequest request;
  bool zero = false, mean = false, resample = false;
  StudyOutput output;
};

int sensitivity(SensitivityOptions options) {
  if (options.zero) options.request.replacement = interpret::Ablation::zero;
  if (options.resample) options.request.replacement = interpret::Ablation::resample;
  const experiment::SavedRun run = experiment::load_run(options.folder);
  std::vector<train::Moment> moments;
  if (experiment::has_history(options.folder)) moments = experiment::load_history(options.folder);
  ThreadPool pool;
  deliver_study(experiment::sensitivity_study(run, moments, options.request, pool), options.folder,
                options.output);
  return 0;
}

}  // namespace

void add_sensitivity(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<SensitivityOptions>();
  CLI::App* command = program.add_subcommand(
      "sensitivity", "How the loss pulls at each head, and which began to learn first");
  command->add_option("DIR", options->folder, "Run folder")->required();
  CLI::Option* mean = command->add_flag(
      "--mean", options->mean, "A replaced head writes its mean over sequences, by position (the default)");
  CLI::Option* zero = command->add_flag("--zero", options->zero, "A replaced head writes nothing");
  CLI::Option* resample =
      command->add_flag("--resample", options->resample, "A replaced head writes what it writes elsewhere");
  mean->excludes(zero, resample);
  zero->excludes(resample);
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

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

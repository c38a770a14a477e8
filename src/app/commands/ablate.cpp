#include "command.h"
#include "headlight/core/check.h"
#include "headlight/experiment/head_studies.h"
#include "study_output.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

struct AblateOptions {
  std::string folder;
  experiment::AblationRequest request;
  bool zero = false, mean = false, resample = false;
  StudyOutput output;
};

int ablate(AblateOptions options) {
  experiment::AblationRequest& request = options.request;
  if (options.zero) request.ablation = interpret::Ablation::zero;
  if (options.resample) request.ablation = interpret::Ablation::resample;
  const experiment::SavedRun run = experiment::load_run(options.folder);
  ThreadPool pool;
  deliver_study(experiment::ablation_study(run, request, pool), options.folder, options.output);
  return 0;
}

}  // namespace

void add_ablate(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<AblateOptions>();
  CLI::App* command = program.add_subcommand("ablate", "What breaks without a head, or without several");
  command->add_option("DIR", options->folder, "Run folder")->required();
  CLI::Option* heads = command->add_option("--heads", options->request.heads,
                                           "These heads, such as 1.0,1.3, beside as many other heads");
  CLI::Option* mean = command->add_flag(
      "--mean", options->mean, "Ablated heads write their mean over sequences, by position (the default)");
  CLI::Option* zero = command->add_flag("--zero", options->zero, "Ablated heads write nothing");
  CLI::Option* resample =
      command->add_flag("--resample", options->resample, "Ablated heads write what they write elsewhere");
  mean->excludes(zero, resample);
  zero->excludes(resample);
  command->add_flag("--pairs", options->request.pairs, "All pairs, by what they cost beyond the two alone")
      ->excludes(heads);
  command
      ->add_flag("--greedy", options->request.greedy,
                 "The set that grows by the worst head until accuracy is at a quarter")
      ->excludes(heads);
  add_study_options(*command, options->output);
  command->footer(
      "\nWithout --heads, --pairs and --greedy: each head alone, then the greedy set. Losses are in nats.\n"
      "\nExamples:\n  ./headlight ablate runs/demo\n  ./headlight ablate runs/demo --heads 1.0,1.3\n"
      "  ./headlight ablate runs/demo --pairs --zero\n  ./headlight ablate runs/demo --csv > ablate.csv");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return ablate(*options); }; });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

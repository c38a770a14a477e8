#include "app/options/ablation_options.h"
#include "app/options/study_output.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/studies/head_studies.h"

namespace headlight::app {
namespace {

struct AblateOptions {
  std::string folder;
  studies::AblationRequest request;
  bool subsets = false;
  double share = studies::SubsetRequest().share;
  StudyOutput output;
};

int ablate(const AblateOptions& options) {
  const run::Run run = chosen_run(options.folder);
  ThreadPool pool;
  deliver_study(
      options.subsets
          ? studies::subset_study(run, {.ablation = options.request.ablation, .share = options.share}, pool)
          : studies::ablation_study(run, options.request, pool),
      options.folder, options.output);
  return 0;
}

}  // namespace

void add_ablate(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<AblateOptions>();
  CLI::App* command = program.add_subcommand("ablate", "What breaks without a head, or without several");
  add_run(*command, options->folder);
  CLI::Option* heads = command->add_option("--heads", options->request.heads,
                                           "These heads, such as 1.0,1.3, beside as many other heads");
  add_ablation_options(*command, {options, &options->request.ablation});
  CLI::Option* pairs =
      command
          ->add_flag("--pairs", options->request.pairs, "All pairs, by what they cost beyond the two alone")
          ->excludes(heads);
  CLI::Option* greedy = command
                            ->add_flag("--greedy", options->request.greedy,
                                       "The set that grows by the worst head until accuracy is at a quarter")
                            ->excludes(heads);
  CLI::Option* subsets =
      command
          ->add_flag(
              "--subsets", options->subsets,
              "All subsets of up to 14 heads: the smallest that are enough, and what each head is worth")
          ->excludes(heads, pairs, greedy);
  command
      ->add_option("--share", options->share,
                   "With --subsets: a set is enough if it keeps this share of what all heads add")
      ->needs(subsets)
      ->capture_default_str();
  add_study_options(*command, options->output);
  command->footer(
      "\nWithout --heads, --pairs and --greedy: each head alone, then the greedy set. Losses are in nats.\n"
      "\nExamples:\n  ./headlight ablate runs/demo\n  ./headlight ablate runs/demo --heads 1.0,1.3\n"
      "  ./headlight ablate runs/demo --pairs --zero\n  ./headlight ablate runs/demo --subsets\n  ./headlight ablate runs/demo --csv > ablate.csv");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return ablate(*options); }; });
}

}  // namespace headlight::app

#include "app/options/study_output.h"
#include "app/output/left_out_spaces.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/studies/head_studies.h"

namespace headlight::app {
namespace {

struct LensOptions {
  std::string folder;
  studies::LensRequest request;
  StudyOutput output;
};

int lens(const LensOptions& options) {
  check(options.request.source.empty() || !options.request.tokens.empty(),
        "--source goes with --tokens; it needs them.");
  const run::Run run = chosen_run(options.folder);
  if (!options.request.tokens.empty()) warn_left_out_spaces(run.task, "--tokens", options.request.tokens);
  deliver_study(studies::lens_study(run, options.request), options.folder, options.output);
  return 0;
}

}  // namespace

void add_lens(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<LensOptions>();
  CLI::App* command =
      program.add_subcommand("lens", "What would be predicted after each layer: the logit lens");
  add_run(*command, options->folder);
  command->add_option("--tokens", options->request.tokens,
                      "A sequence of your own, in the run's tokens (default: the run's first example)");
  command->add_option("--source", options->request.source,
                      "The source of your sequence, for an encoder-decoder");
  add_study_options(*command, options->output);
  command->footer(
      "\nExamples:\n  ./headlight lens runs/demo\n  ./headlight lens runs/demo --svg lens.svg\n"
      "  ./headlight lens runs/demo --tokens UNCOPYRIGHTABLESUNCOPYRIGHTABLES");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return lens(*options); }; });
}

}  // namespace headlight::app

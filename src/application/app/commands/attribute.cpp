#include "app/options/study_output.h"
#include "app/output/left_out_spaces.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/studies/head_studies.h"

namespace headlight::app {
namespace {

struct AttributeOptions {
  std::string folder;
  std::string head;
  studies::AttributionRequest request;
  std::optional<std::size_t> key;
  StudyOutput output;
};

studies::Study attribute_study(const run::Run& run, const AttributeOptions& options) {
  if (options.head.empty()) return studies::logit_study(run, options.request);
  const interpret::HeadSet heads = interpret::read_heads(options.head, run.model->config());
  check(heads.size() == 1, "--head is one head, got '{}'. Hint: --head 1.0.", options.head);
  return studies::score_study(run, options.request, heads[0], options.key);
}

int attribute(const AttributeOptions& options) {
  check(!options.key || !options.head.empty(), "--key goes with --head; it needs it.");
  check(options.request.source.empty() || !options.request.tokens.empty(),
        "--source goes with --tokens; it needs them.");
  const run::Run run = chosen_run(options.folder);
  if (!options.request.tokens.empty()) warn_left_out_spaces(run.task, "--tokens", options.request.tokens);
  deliver_study(attribute_study(run, options), options.folder, options.output);
  return 0;
}

}  // namespace

void add_attribute(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<AttributeOptions>();
  studies::AttributionRequest& request = options->request;
  CLI::App* command = program.add_subcommand(
      "attribute", "One prediction, or one attention logit, as a sum over what made it");
  add_run(*command, options->folder);
  command->add_option("--position", request.position, "The position that predicts, from 0")->required();
  CLI::Option* token = command->add_option(
      "--token", request.token, "The token whose logit it is (default: the right one, if that is known)");
  CLI::Option* minus =
      command->add_option("--minus", request.minus, "The logit less that of this other token");
  CLI::Option* mean =
      command->add_flag("--minus-mean", request.minus_mean, "The logit less the mean of all tokens");
  minus->excludes(mean);
  command->add_option("--tokens", request.tokens,
                      "A sequence of your own, in the run's tokens (default: the run's first example)");
  command->add_option("--source", request.source, "The source of your sequence, for an encoder-decoder");
  command
      ->add_option("--head", options->head,
                   "Instead of the prediction: the attention logit of this head, such as 1.0, for a key")
      ->excludes(token, minus, mean);
  command->add_option("--key", options->key, "Position of the key (default: where the head looks most)");
  add_study_options(*command, options->output);
  command->footer(
      "\nExamples:\n  ./headlight attribute runs/demo --position 40\n"
      "  ./headlight attribute runs/demo --position 40 --head 1.0\n"
      "  ./headlight attribute runs/demo --position 19 --tokens UNCOPYRIGHTABLESUNCOPYRIGHTABLES --minus A");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return attribute(*options); }; });
}

}  // namespace headlight::app

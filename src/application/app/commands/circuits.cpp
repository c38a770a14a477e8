#include "app/options/study_output.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/studies/head_studies.h"

namespace headlight::app {
namespace {

struct CircuitsOptions {
  std::string folder;
  std::string head;
  bool ov = false, qk = false;
  std::optional<int> distance;
  StudyOutput output;
};

studies::Study circuits_study(const run::Run& run, const CircuitsOptions& options) {
  if (options.head.empty()) return studies::circuit_study(run);
  const interpret::HeadSet heads = interpret::read_heads(options.head, run.model->config());
  check(heads.size() == 1, "--head is one head, got '{}'. Hint: --head 1.0.", options.head);
  return studies::full_circuit_study(
      run, heads[0], options.ov ? studies::FullCircuit::ov : studies::FullCircuit::qk, options.distance);
}

int circuits(const CircuitsOptions& options) {
  check(options.head.empty() != (options.ov || options.qk),
        "--head goes with --ov or --qk; without them, the numbers of all heads are printed.");
  check(!options.distance || !options.head.empty(), "--distance goes with --head and --qk; it needs them.");
  const run::Run run = chosen_run(options.folder);
  deliver_study(circuits_study(run, options), options.folder, options.output);
  return 0;
}

}  // namespace

void add_circuits(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CircuitsOptions>();
  CLI::App* command =
      program.add_subcommand("circuits", "What the parameters say: copying, composition, OV and QK circuits");
  add_run(*command, options->folder);
  command->add_option("--head", options->head, "Draw a circuit of this head, such as 1.0, token by token");
  CLI::Option* ov =
      command->add_flag("--ov", options->ov, "What attending to a token does to the logits: W_E OV W_U");
  CLI::Option* qk =
      command->add_flag("--qk", options->qk, "Which token is a key for which: W_E QK W_E transposed");
  ov->excludes(qk);
  command->add_option("--distance", options->distance,
                      "How far the key is behind the query, for rotary positions (default: 0)");
  add_study_options(*command, options->output);
  command->footer(
      "\nExamples:\n  ./headlight circuits runs/demo\n  ./headlight circuits runs/demo --head 1.0 --ov\n"
      "  ./headlight circuits runs/demo --head 0.1 --qk --distance 1 --svg qk.svg");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return circuits(*options); }; });
}

}  // namespace headlight::app

#include "app/options/study_output.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/studies/head_studies.h"

namespace headlight::app {
namespace {

struct PatchOptions {
  std::string folder;
  std::string to;
  bool through_mlps = false, streams = false, heads = false;
  StudyOutput output;
};

studies::Study patch_study(const run::Run& run, const PatchOptions& options, ThreadPool& pool) {
  if (options.streams || options.heads)
    return studies::restoration_study(
        run, options.streams ? studies::Restored::streams : studies::Restored::heads, pool);
  studies::PathRequest request;
  if (!options.to.empty()) request.to = interpret::head_inputs().find(options.to);
  if (options.through_mlps) request.through = interpret::Through::mlps;
  return studies::path_study(run, request, pool);
}

int patch(const PatchOptions& options) {
  const run::Run run = chosen_run(options.folder);
  ThreadPool pool;
  deliver_study(patch_study(run, options, pool), options.folder, options.output);
  return 0;
}

}  // namespace

void add_patch(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<PatchOptions>();
  CLI::App* command =
      program.add_subcommand("patch", "Which path from head to head carries what the model needs");
  add_run(*command, options->folder);
  CLI::Option* to =
      command->add_option("--to", options->to, "Paths into queries, keys or values only (default: all)");
  CLI::Option* mlps = command->add_flag("--through-mlps", options->through_mlps,
                                        "Compute MLPs between sender and receiver anew; else they hold");
  CLI::Option* streams =
      command->add_flag("--streams", options->streams,
                        "Instead: put the clean stream before each layer into a run on renamed tokens");
  CLI::Option* heads = command->add_flag(
      "--heads", options->heads, "Instead: put each head's clean output into a run on renamed tokens");
  streams->excludes(heads, to, mlps);
  heads->excludes(to, mlps);
  add_study_options(*command, options->output);
  command->footer(
      "\nExamples:\n  ./headlight patch runs/demo\n  ./headlight patch runs/demo --to keys\n"
      "  ./headlight patch runs/demo --streams\n  ./headlight patch runs/demo --heads --json");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return patch(*options); }; });
}

}  // namespace headlight::app

#include <fmt/core.h>

#include "app/run.h"
#include "command.h"
#include "headlight/report/head_table.h"

namespace headlight::app {
namespace {

struct HeadsOptions {
  std::string folder;
  bool no_color = false;
};

int heads(const HeadsOptions& options) {
  const train::Checkpoint run = train::load_checkpoint(options.folder);
  const auto scores =
      interpret::score_heads(*run.model, scoring_batch(*run.task, run.config.train.seed).tokens);
  fmt::print("{}", report::head_table(scores, report::color_mode(!options.no_color)));
  return 0;
}

}  // namespace

void add_heads(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<HeadsOptions>();
  CLI::App* command = program.add_subcommand("heads", "The score of every head of a trained run");
  command->add_option("DIR", options->folder, "Run folder")->required();
  command->add_flag("--no-color", options->no_color, "Draw in plain text");
  command->footer("\nExample:\n  ./headlight heads runs/demo");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return heads(*options); }; });
}

}  // namespace headlight::app

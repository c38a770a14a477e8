#include <fmt/core.h>

#include "command.h"
#include "examples.h"
#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "run.h"

namespace headlight::app {
namespace {

struct PlotOptions {
  std::string folder, svg, tokens;
  std::optional<std::size_t> layer, head;
  bool no_color = false;
};

int plot(const PlotOptions& options) {
  const train::Checkpoint run = train::load_checkpoint(options.folder);
  const std::uint64_t seed = run.config.train.seed;
  const auto tokens = options.tokens.empty() ? first_example(*run.task, seed).tokens
                                             : run.task->tokens_from_text(options.tokens);
  const auto scores = interpret::score_heads(*run.model, scoring_batch(*run.task, seed).tokens);
  const auto& best = interpret::best_head(scores, &interpret::HeadScores::induction);
  check(options.layer.has_value() == options.head.has_value(),
        "--layer and --head go together; without both, the best induction head is drawn.");
  const std::size_t layer = options.layer.value_or(best.layer), head = options.head.value_or(best.head);
  const report::Heatmap map =
      pattern_map(*run.model, *run.task, tokens, layer, head, pattern_title(scores, layer, head));
  if (options.svg.empty()) {
    fmt::print("{}", report::terminal_heatmap(map, report::color_mode(!options.no_color)));
  } else {
    write_file(options.svg, report::svg_heatmap(map));
    fmt::print("{}\n", options.svg);
  }
  return 0;
}

}  // namespace

void add_plot(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command =
      program.add_subcommand("plot", "One head's attention pattern, in the terminal or as SVG");
  command->add_option("DIR", options->folder, "Run folder")->required();
  command->add_option("--layer", options->layer, "Layer, from 0 (default: the best induction head)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--head", options->head, "Head, from 0")->check(CLI::NonNegativeNumber);
  command->add_option("--svg", options->svg, "Write an SVG file instead");
  command->add_option("--tokens", options->tokens,
                      "The sequence, as text of the run's vocabulary (A-Z a-z 0-9 + /)");
  command->add_flag("--no-color", options->no_color, "Draw in plain text");
  command->footer(
      "\nExamples:\n  ./headlight plot runs/demo\n  ./headlight plot runs/demo --layer 0 --head 1 --svg "
      "head.svg\n"
      "  ./headlight plot runs/demo --layer 1 --head 0 --tokens \"HEADLIGTHEADLIGT\"");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return plot(*options); }; });
}

}  // namespace headlight::app

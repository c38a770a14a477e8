#include <fmt/core.h>

#include "command.h"
#include "headlight/run/run_folder.h"
#include "headlight/studies/curves.h"
#include "picture.h"

namespace headlight::app {
namespace {

struct CurvesOptions {
  ChosenRun run;
  PictureOptions picture;
};

int curves(const CurvesOptions& options) {
  const auto metrics = run::load_metrics(options.run);
  const auto charts =
      studies::curves(metrics, run::load_results(options.run).yardsticks, run::token_kinds(options.run));
  deliver(
      options.picture,
      [&](draw::ColorMode mode) {
        std::string out;
        for (const draw::Chart& chart : charts)
          out += (out.empty() ? "" : "\n") + draw::terminal_chart(chart, mode, draw::terminal_columns());
        return out;
      },
      [&] { return draw::svg_figure(studies::curves_figure(options.run)); });
  return 0;
}

}  // namespace

void add_curves(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CurvesOptions>();
  CLI::App* command = program.add_subcommand("curves", "Loss, accuracy and head scores along training");
  add_run(*command, options->run);
  add_picture_options(*command, options->picture);
  command->footer(
      "\nThe files also show the pattern of the best induction head at six steps, if the run kept snapshots "
      "of\n"
      "its weights (--history).\n"
      "\nExamples:\n  ./headlight curves runs/demo\n  ./headlight curves runs/demo --svg curves.svg\n"
      "  ./headlight curves runs/demo --png curves.png");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return curves(*options); }; });
}

}  // namespace headlight::app

#include <fmt/core.h>

#include "command.h"
#include "headlight/experiment/curves.h"
#include "headlight/experiment/run_folder.h"
#include "picture.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

struct CurvesOptions {
  ChosenRun run;
  PictureOptions picture;
};

int curves(const CurvesOptions& options) {
  const auto metrics = experiment::load_metrics(options.run);
  const auto charts = experiment::curves(metrics, experiment::load_results(options.run).yardsticks,
                                         experiment::token_kinds(options.run));
  deliver(
      options.picture,
      [&](report::ColorMode mode) {
        std::string out;
        for (const report::Chart& chart : charts)
          out += (out.empty() ? "" : "\n") + report::terminal_chart(chart, mode, report::terminal_columns());
        return out;
      },
      [&] { return report::svg_figure(experiment::curves_figure(options.run)); });
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

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

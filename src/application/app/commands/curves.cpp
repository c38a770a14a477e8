#include <fmt/core.h>

#include "app/options/output_option.h"
#include "app/options/picture.h"
#include "app/output/json.h"
#include "command.h"
#include "headlight/run/run.h"
#include "headlight/studies/curves.h"
#include "headlight/studies/strategies.h"

namespace headlight::app {
namespace {

struct CurvesOptions {
  std::string folder;
  PictureOptions picture;
  bool strategies = false, json = false;
  int threads = 0;
};

void print_curves(const std::string& folder, const std::vector<draw::Chart>& charts) {
  ordered_json json = json_of("curves", folder);
  json["curves"] = curves_json(charts);
  print_json(json);
}

// The charts of strategies, alone in their figure.
void strategies(const CurvesOptions& options) {
  const run::Run run = chosen_run(options.folder, run::parts::kShown);
  ThreadPool pool(options.threads);
  const std::vector<draw::Chart> charts = studies::strategy_charts(run, pool);
  if (options.json) return print_curves(options.folder, charts);
  deliver(
      options.picture, [&] { return chart_tables(charts); },
      [&] {
        draw::Figure figure{"Which strategy the model follows", {"step", false, 0.0}, "", {}, charts};
        figure.x.last = charts.front().series.front().x.back();
        return draw::svg_figure(figure);
      });
}

void curves(const CurvesOptions& options) {
  if (options.strategies) return strategies(options);
  const bool picture = !options.picture.svg.empty() || !options.picture.png.empty();
  const run::Run run = chosen_run(options.folder, picture ? run::parts::kShown : run::Parts::metrics);
  const auto charts = studies::curves(all_metrics(run), run.results.baselines, run.task.kinds);
  if (options.json) return print_curves(options.folder, charts);
  deliver(
      options.picture, [&] { return chart_tables(charts); },
      [&] { return draw::svg_figure(studies::curves_figure(run)); });
}

}  // namespace

void add_curves(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CurvesOptions>();
  CLI::App* command = program.add_subcommand("curves", "Loss, accuracy and head scores along training");
  add_run(*command, options->folder);
  command->add_flag(
      "--strategies", options->strategies,
      "The loss on the last token, and KL(strategy, model) for each simple strategy that the task "
      "knows");
  command->add_option("--threads", options->threads, "Threads; 0: all cores. Does not affect results")
      ->capture_default_str();
  add_picture_options(*command, options->picture);
  add_json_option(*command, options->json);
  command->footer(
      "\nThe files also show the pattern of the best induction head at six steps, if the run kept snapshots\n"
      "(--history).\n"
      "\nExamples:\n  ./headlight curves runs/demo\n  ./headlight curves runs/demo --svg curves.svg\n"
      "  ./headlight curves runs/demo --png curves.png\n"
      "  ./headlight curves runs/markov --strategies");
  command->callback([options, &chosen] {
    chosen = [options](const std::string&) {
      curves(*options);
      return 0;
    };
  });
}

}  // namespace headlight::app

#include <fmt/core.h>

#include "app/options/output_option.h"
#include "app/options/picture.h"
#include "app/output/json.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/studies/periods.h"

namespace headlight::app {
namespace {

constexpr std::size_t kMostRows = 12;

struct PeriodsOptions {
  std::string folder;
  bool csv = false, json = false;
  int threads = 0;
  PictureOptions picture;
};

std::string text_of(const std::vector<studies::PeriodAccuracy>& accuracies) {
  draw::Table table{{"period", "accuracy", "in training"}, {}};
  for (const auto& at : accuracies)
    table.rows.push_back(
        {fmt::format("{}", at.period), fmt::format("{:.3f}", at.accuracy), at.trained ? "yes" : "no"});
  return draw::terminal_table(table);
}

int periods(const PeriodsOptions& options) {
  check(!options.csv || (options.picture.svg.empty() && options.picture.png.empty()),
        "--csv prints a table, so it goes without --svg and --png.");
  const bool all =
      options.csv || options.json || !options.picture.svg.empty() || !options.picture.png.empty();
  ThreadPool pool(options.threads);
  const auto accuracies =
      studies::accuracy_by_period(chosen_run(options.folder), pool, all ? studies::kMostPeriods : kMostRows);
  if (options.csv) {
    fmt::print("{}", draw::csv(studies::periods_table(accuracies)));
    return 0;
  }
  if (options.json) {
    ordered_json json = json_of("periods", options.folder);
    for (const auto& at : accuracies)
      json["periods"].push_back({{"period", at.period}, {"accuracy", at.accuracy}, {"trained", at.trained}});
    print_json(json);
    return 0;
  }
  draw::Chart chart = studies::periods_chart(accuracies);
  chart.title = "Accuracy on predictable tokens, by period";
  deliver(
      options.picture, [&] { return text_of(accuracies); }, [&] { return draw::svg_chart(chart); });
  return 0;
}

}  // namespace

void add_periods(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<PeriodsOptions>();
  CLI::App* command = program.add_subcommand(
      "periods", "Accuracy on predictable tokens at every period, those in training and others");
  add_run(*command, options->folder);
  command->add_flag("--csv", options->csv, "All periods, unrounded, as comma-separated values");
  command->add_option("--threads", options->threads, "Threads; 0: all cores. Does not affect results")
      ->capture_default_str();
  add_picture_options(*command, options->picture);
  add_json_option(*command, options->json);
  command->footer(
      "\nThe period is the length of the segment. Each number is of 32 fresh sequences. The terminal has\n"
      "twelve periods at most. Tasks with segments are repeat, copy, planted, reverse and sort.\n"
      "\nExamples:\n  ./headlight periods runs/demo\n  ./headlight periods runs/demo --svg periods.svg\n"
      "  ./headlight periods runs/demo --csv > periods.csv");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return periods(*options); }; });
}

}  // namespace headlight::app

#include <fmt/core.h>

#include "app/options/output_option.h"
#include "app/options/picture.h"
#include "app/output/json.h"
#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "commands.h"
#include "headlight/core/check.h"
#include "headlight/run/run_list.h"
#include "headlight/studies/comparison.h"
#include "headlight/system/files.h"
#include "headlight/system/json.h"
#include "headlight/system/run_main.h"

namespace headlight::app {
namespace {

struct CompareOptions {
  std::vector<std::string> folders;
  std::string html;
  bool json = false;
  PictureOptions picture;
};

void print_comparison(const std::vector<studies::ComparedRun>& runs) {
  for (const std::string& note : studies::comparison_notes(runs)) fmt::print("{}\n", in_lines(note));
  if (const draw::Table settings = studies::settings_table(runs); settings.head.size() > 1)
    fmt::print("Settings that differ:\n\n{}\n", draw::terminal_table(settings));
  fmt::print("Results:\n\n{}\n", draw::terminal_table(studies::results_table(runs)));
  for (const auto& run : runs) fmt::print("{}", in_lines(run.name + ": " + run.results.verdict));
}

void print_comparison_json(const std::vector<studies::ComparedRun>& runs) {
  ordered_json json = json_of("compare");
  json["sentences"] = studies::comparison_notes(runs);
  for (const studies::ComparedRun& run : runs) {
    ordered_json row = json_from<ordered_json>(run::to_json({run.name, {}, {}, run.config, run.results}));
    row.erase("saved");
    json["runs"].push_back(std::move(row));
  }
  json["curves"] = curves_json(studies::comparison_figure(runs).charts);
  print_json(json);
}

int compare(const CompareOptions& options) {
  check_two_files({"--html", options.html}, {"--svg", options.picture.svg});
  check_two_files({"--html", options.html}, {"--png", options.picture.png});
  const auto runs = studies::compared_runs({options.folders.begin(), options.folders.end()});
  for (const studies::ComparedRun& run : runs)
    for (const std::string& text : run.notes) note("Note: {}", text);
  if (options.json) {
    print_comparison_json(runs);
    return 0;
  }
  if (!options.html.empty()) {
    write_file(options.html, studies::comparison_page(runs));
    print_file(options.html);
    if (options.picture.svg.empty() && options.picture.png.empty()) return 0;
  } else {
    print_comparison(runs);
  }
  const draw::Figure figure = studies::comparison_figure(runs);
  deliver(
      options.picture, [&] { return in_lines(figure.title) + "\n" + chart_tables(figure.charts); },
      [&] { return draw::svg_figure(figure); });
  return 0;
}

}  // namespace

void add_compare(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      program.add_subcommand("compare", "Runs beside each other: settings that differ, results, curves");
  command->add_option("DIR", options->folders, "Run folders, two or more")->required();
  add_output_option(*command, "--html", options->html, "Write a page with all of it, in one file");
  add_picture_options(*command, options->picture);
  add_json_option(*command, options->json);
  command->footer(
      "\nHeld out: accuracy on sequences of a kind not used in training. Loss: in nats, over all targets.\n"
      "Runs of different tasks are compared by the numbers that they share.\n"
      "\nExamples:\n  ./headlight compare runs/demo runs/one_layer\n"
      "  ./headlight compare runs/sweep/*/ --html compare.html\n"
      "  ./headlight compare runs/demo runs/train --svg curves.svg");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return compare(*options); }; });
}

}  // namespace headlight::app

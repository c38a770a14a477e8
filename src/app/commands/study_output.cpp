#include "study_output.h"

#include <fmt/core.h>

namespace headlight::app {

void add_study_options(CLI::App& command, StudyOutput& output) {
  CLI::Option* json = command.add_flag("--json", output.json, "All numbers, unrounded, as JSON");
  CLI::Option* csv =
      command.add_flag("--csv", output.csv, "The first table, unrounded, as comma-separated values");
  add_picture_options(command, output.picture);
  CLI::Option *svg = command.get_option("--svg"), *png = command.get_option("--png");
  json->excludes(csv, svg, png);
  csv->excludes(svg, png);
}

void deliver_study(studies::Study study, const std::string& folder, const StudyOutput& output) {
  study.facts.insert(study.facts.begin(), {"run", folder});
  if (output.json || output.csv) {
    fmt::print("{}", output.json ? studies::study_json(study) : studies::study_csv(study));
    return;
  }
  deliver(
      output.picture, [&] { return studies::terminal_study(study); },
      [&] { return studies::study_svg(study); });
}

}  // namespace headlight::app

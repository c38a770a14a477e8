#include "study_output.h"
#include "headlight/system/json.h"

#include <fmt/core.h>

#include "app/output/json.h"
#include "output_option.h"

namespace headlight::app {

void add_study_options(CLI::App& command, StudyOutput& output) {
  CLI::Option* csv =
      command.add_flag("--csv", output.csv, "The first table, unrounded, as comma-separated values");
  add_picture_options(command, output.picture);
  CLI::Option *svg = command.get_option("--svg"), *png = command.get_option("--png");
  csv->excludes(svg, png);
  add_json_option(command, output.json);
  output.command = command.get_name();
}

void deliver_study(const studies::Study& study, const std::string& folder, const StudyOutput& output) {
  if (output.json) {
    ordered_json json = json_of(output.command, folder);
    json.update(json_from<ordered_json>(studies::study_json(study)));
    print_json(json);
    return;
  }
  if (output.csv) {
    fmt::print("{}", studies::study_csv(study));
    return;
  }
  deliver(
      output.picture, [&] { return studies::terminal_study(study); },
      [&] { return studies::study_svg(study); });
}

}  // namespace headlight::app

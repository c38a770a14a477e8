#include "output_option.h"

#include "app/output/output_files.h"

namespace headlight::app {

CLI::Option* add_output_option(CLI::App& command, const std::string& flag, std::string& file,
                               const std::string& help) {
  const auto checked = [flag](std::string& name) {
    check_no_run_file({flag, name});
    check_same_kind({flag, name});
    return std::string();
  };
  return command.add_option(flag, file, help)->check(CLI::Validator(checked, ""));
}

void add_json_option(CLI::App& command, bool& json) {
  CLI::Option* option = command.add_flag("--json", json, "All numbers, unrounded, as JSON");
  for (const char* other : {"--csv", "--svg", "--png", "--html", "--table"})
    if (CLI::Option* found = command.get_option_no_throw(other)) option->excludes(found);
}

}  // namespace headlight::app

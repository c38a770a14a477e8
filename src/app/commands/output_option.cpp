#include "output_option.h"

#include "app/output_files.h"

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

}  // namespace headlight::app

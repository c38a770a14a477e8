// An overview of the commands of ./headlight: those of the `headlight` program, and those that the script
// ./headlight runs itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headlight::app {

// The page that ./headlight and ./headlight --help print, in lines of about `columns`.
std::string overview(std::size_t columns);

std::vector<std::string> command_names();

}  // namespace headlight::app

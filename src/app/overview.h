// The commands of ./headlight at a glance: those of the `headlight` program, and those that the front door
// starts itself.
#pragma once

#include <string>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION::app {

// The page that ./headlight and ./headlight --help print.
std::string overview();

std::vector<std::string> command_names();

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

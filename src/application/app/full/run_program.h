#pragma once

#include "headlight/app/command_line.h"

namespace headlight::app {

// As run_command_line(), for headlight_full, which the script ./headlight starts: its overview has the
// commands of the script too.
int run_program(int argc, char** argv, const std::vector<OwnCommand>& commands);

}  // namespace headlight::app

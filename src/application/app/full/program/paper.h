#pragma once

#include "headlight/app/command_line.h"

namespace headlight::app {

// `paper`: trains what a paper describes, and compares. It is a command of the program ./headlight alone.
OwnCommand paper_command();

}  // namespace headlight::app

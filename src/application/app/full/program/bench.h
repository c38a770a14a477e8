#pragma once

#include "headlight/app/command_line.h"

namespace headlight::app {

// `bench`: times the training step. It is a command of the program ./headlight alone.
OwnCommand bench_command();

}  // namespace headlight::app

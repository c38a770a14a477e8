// Runs that were stopped before their last step.
#pragma once

#include "headlight/run/run_folder.h"

namespace headlight::app {

// A note on standard error when the run in the folder was saved before its last step: at which, and how it
// goes on. Nothing for a folder without a run that can be read.
void tell_stopped(const run::RunFolder& run);

}  // namespace headlight::app

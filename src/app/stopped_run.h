// Runs that were stopped before their last step.
#pragma once

#include <string>

namespace headlight::inline HEADLIGHT_PRECISION::app {

// A note on standard error when the run in the folder was saved before its last step: at which, and how it
// goes on. Nothing for a folder without a run that can be read.
void tell_stopped(const std::string& folder);

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

// What demo and train say about a run.
#pragma once

#include <filesystem>

#include "headlight/report/color.h"
#include "run.h"

namespace headlight::app {

// The head table, the figures, and the verdict.
void tell_result(const Summary& summary, report::ColorMode mode);

// The files of the run folder.
void tell_files(const std::filesystem::path& folder);

int exit_status(const Summary& summary);

}  // namespace headlight::app

// What is said about a run: by demo, by train, and at the head of its report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "headlight/report/color.h"
#include "run.h"

namespace headlight::app {

// Whether an induction head was found, and what stands below it, in a sentence or two.
std::string verdict(const std::vector<interpret::HeadScores>& scores);

// The head table, the figures, and the verdict.
void tell_result(const Summary& summary, report::ColorMode mode);

// The files of the run folder.
void tell_files(const std::filesystem::path& folder);

int exit_status(const Summary& summary);

}  // namespace headlight::app

// `./headlight demo --text`: a model of characters, on stories that a grammar writes.
#pragma once

#include <string>

#include "headlight/experiment/experiment.h"
#include "headlight/report/color.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {

// The run of the demo: the config with its task, context and schedule.
experiment::Experiment text_demo(experiment::RunConfig config, const experiment::ExperimentOptions& options);

// Says what the task is, trains, and prints the results and what the model writes. Returns the exit status.
int run_text_demo(experiment::Experiment& run, const std::string& folder, report::ColorMode mode);

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

// `./headlight demo --text`: a model of characters, on stories that a grammar writes.
#pragma once

#include <string>

#include "headlight/draw/color.h"
#include "headlight/run/experiment.h"

namespace headlight::app {

// The run of the demo: the config with its task, context and schedule.
run::Experiment text_demo(run::RunConfig config, const run::ExperimentOptions& options);

// Says what the task is, trains, and prints the results and what the model writes. Returns the exit status.
int run_text_demo(run::Experiment& run, const FolderLock& lock, const std::string& folder,
                  draw::ColorMode mode);

}  // namespace headlight::app

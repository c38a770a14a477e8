// Saves a run as programs do.
#pragma once

#include <filesystem>

#include "headlight/run/experiment.h"
#include "headlight/run/run.h"

namespace headlight::run {

// Returns the results of the run as it is now.
inline Results save(const Experiment& experiment, const std::filesystem::path& folder) {
  Run run = experiment.measure();
  write_run(folder, run);
  return std::move(run.results);
}

}  // namespace headlight::run

// Whether a run that was loaded can go on to its end and be saved: what fails there would cost the training.
#pragma once

#include <filesystem>

#include "headlight/experiment/experiment.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Throws Error that names the file of `folder` with metrics of a later step or of other heads than the run
// measures, or with kept weights whose patterns are not finite.
void check_resumable(const Experiment& run, const std::filesystem::path& folder);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

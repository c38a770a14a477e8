// The curves of a run, as charts and as a figure with the patterns of its best head.
#pragma once

#include <filesystem>
#include <vector>

#include "headlight/experiment/metrics.h"
#include "headlight/report/chart.h"
#include "headlight/report/figure.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

// Loss, and accuracy with the best head scores, along training.
std::vector<report::Chart> curves(const std::vector<Metrics>& metrics);

// The same below the best induction head's pattern at six steps, if the run kept its weights.
report::Figure curves_figure(const std::filesystem::path& folder);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

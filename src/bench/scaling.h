// How time and memory grow: what each point costs, and the figures of it.
#pragma once

#include <string>
#include <vector>

#include "headlight/report/figure.h"
#include "step_timing.h"

namespace headlight::inline HEADLIGHT_PRECISION::bench {

struct Cost {
  double us_per_token, peak_mb;
};

// The fastest of some rounds: what the machine can do when nothing else disturbs it.
Cost fastest(const BenchConfig& config, int threads, int rounds);

// Two charts over a common axis: time for a token and peak memory, at each of `at`.
report::Figure growth_figure(const std::string& title, const report::Axis& x, const std::vector<double>& at,
                             const std::vector<Cost>& costs);

// Speed relative to one thread: a series for each config, from the times of a token with 1, 2, … threads.
report::Chart speedup_chart(const std::vector<std::string>& configs,
                            const std::vector<std::vector<double>>& times);

}  // namespace headlight::inline HEADLIGHT_PRECISION::bench

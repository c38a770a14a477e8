// How time and memory grow with sizes and threads: the measurements and their figures.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/figure.h"
#include "step_timing.h"

namespace headlight::bench {

struct Cost {
  double us_per_token, peak_mb;
};

// The fastest of `rounds` rounds, since other load on the machine can only slow a round down.
Cost fastest(const BenchConfig& config, int threads, int rounds);

// Two charts over a common axis: time per token and peak memory, at each of `at`.
draw::Figure growth_figure(const std::string& title, const draw::Axis& x, const std::vector<double>& at,
                           const std::vector<Cost>& costs);

// Speed relative to one thread: one series per config, from the times per token with 1, 2, … threads.
draw::Chart speedup_chart(const std::vector<std::string>& configs,
                          const std::vector<std::vector<double>>& times);

}  // namespace headlight::bench

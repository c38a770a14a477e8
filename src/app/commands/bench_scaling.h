#pragma once

#include "command.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {

// `bench scaling`: how time and memory grow with context, heads and threads, as SVG figures.
CLI::App* add_bench_scaling(CLI::App& bench, Action& chosen);

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

#pragma once

#include "command.h"

namespace headlight::app {

// `bench scaling`: how time and memory grow with context, heads and threads, as SVG figures.
CLI::App* add_bench_scaling(CLI::App& bench, Action& chosen);

}  // namespace headlight::app

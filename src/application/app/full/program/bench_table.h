// What `./headlight bench` prints.
#pragma once

#include <vector>

#include "bench/rounds.h"

namespace headlight::app {

// The first table, row by row as the configurations end.
void print_heading(bool peers);
void print_row(const bench::BenchConfig& config, const bench::Result& result);

// What the machine can do, the phases of a step, and what the columns mean.
void print_summary(const std::vector<bench::BenchConfig>& configs, const std::vector<bench::Result>& results,
                   int threads, int rounds);

}  // namespace headlight::app

#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace headlight::app {

struct AddedScaling {
  CLI::App* command;
  std::function<int()> run;
};

// `bench scaling`: how time and memory grow with context, heads and threads, as SVG figures.
AddedScaling add_bench_scaling(CLI::App& bench);

}  // namespace headlight::app

// What lesson 4 prints of its paths through the landscape.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lesson_program.h"

namespace headlight::lesson {

// The line and its loss, at the start and after each step.
struct Path {
  std::string name;
  std::vector<double> slope, intercept, loss;
};

inline void print_steps(const Path& path) {
  say("   step    slope   intercept     loss");
  for (std::size_t step : {0, 1, 2, 5, 10, 20, 60})
    say("  {:5}   {:6.4f}   {:9.4f}   {:6.4f}", step, path.slope[step], path.intercept[step],
        path.loss[step]);
}

inline void print_rates(const std::vector<Path>& paths) {
  say("   rate    loss after 1, 2, 5, 10 and 40 steps");
  for (const Path& path : paths) {
    std::string losses;
    for (std::size_t step : {1, 2, 5, 10, 40}) losses += fmt::format("   {:8.4f}", path.loss[step]);
    say("  {:>5} {}", path.name, losses);
  }
}

// A rule by hand, and the same by Headlight.
inline void print_rule(const Path& path, const Path& other) {
  double difference = 0;
  for (std::size_t i = 0; i < path.loss.size(); ++i)
    difference = std::max({difference, std::abs(path.slope[i] - other.slope[i]),
                           std::abs(path.intercept[i] - other.intercept[i])});
  say("  {:<8}   {:8.4f}   {:8.4f}   {:8.4f}      {}", path.name, path.loss[10], path.loss[20], path.loss[60],
      difference == 0      ? "the same bits"
      : difference < 1e-12 ? "the same 12 decimals"
                           : "different");
}

// The steps of section 6's table.
inline bool in_table(std::size_t step) {
  return step == 0 || step == 50 || step == 100 || step == 200 || step == 400;
}

}  // namespace headlight::lesson

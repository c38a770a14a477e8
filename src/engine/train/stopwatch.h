// Measures the phases of a step.
#pragma once

#include <chrono>
#include <utility>

namespace headlight::train {

// Seconds since the construction, or since the last lap.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace headlight::train

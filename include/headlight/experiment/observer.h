// Observer: something that looks on while a run trains.
#pragma once

#include <cstdint>
#include <filesystem>

#include "headlight/train/trainer.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

class Experiment;

// What it keeps should be a function of the steps alone: then a run that was interrupted and resumed keeps
// the same.
class Observer {
 public:
  virtual ~Observer() = default;

  // Before the first step of a run that starts afresh.
  virtual void start(const Experiment& run) { static_cast<void>(run); }

  // After each step.
  virtual void after(const Experiment& run, const train::StepReport& step) = 0;

  // Writes what it keeps to files of its own in a folder, and reads it again when a run is resumed. The files
  // become part of the run folder, in its folder "observers".
  virtual void save(const std::filesystem::path& folder) const { static_cast<void>(folder); }
  virtual void load(const std::filesystem::path& folder) { static_cast<void>(folder); }
};

// After every so many steps: observe(every(50), …).
struct Every {
  std::int64_t steps;
};
Every every(std::int64_t steps);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

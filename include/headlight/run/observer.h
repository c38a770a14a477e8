// Observer: an object that is called after each training step.
#pragma once

#include <cstdint>
#include <filesystem>

#include "headlight/train/trainer.h"

namespace headlight::run {

class Experiment;

// What an observer keeps should depend only on the steps. Then an interrupted and resumed run keeps the same.
class Observer {
 public:
  virtual ~Observer() = default;

  // Called before the first step of a new run, not of a resumed one.
  virtual void start(const Experiment& run) { static_cast<void>(run); }

  // Called after each step.
  virtual void after(const Experiment& run, const train::StepReport& step) = 0;

  // save() writes files into a folder, and load() reads them when a run is resumed. The files become part of
  // the run folder, in its folder "observers".
  virtual void save(const std::filesystem::path& folder) const { static_cast<void>(folder); }
  virtual void load(const std::filesystem::path& folder) { static_cast<void>(folder); }
};

// Every `steps` steps: observe(every(50), …).
struct Every {
  std::int64_t steps;
};
Every every(std::int64_t steps);

}  // namespace headlight::run

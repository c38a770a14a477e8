// Observer: an object that is called after each training step.
#pragma once

#include <cstdint>

#include "headlight/system/folder.h"
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

  // Files that become part of the run, in its folder "observers". load() gets those of all observers when a
  // run is resumed.
  virtual Files save() const { return {}; }
  virtual void load(const Files& files) { static_cast<void>(files); }
};

// Every `steps` steps: observe(every(50), …).
struct Every {
  std::int64_t steps;
};
Every every(std::int64_t steps);

}  // namespace headlight::run

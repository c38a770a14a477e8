// A random segment, over and over: A B C D A B C D A …
#pragma once

#include "headlight/tasks/task.h"

namespace headlight::tasks {

class RepeatTask : public Task {
 public:
  explicit RepeatTask(const TaskConfig& config);
  Sequence make(std::size_t period, Rng& rng) const override;
  std::vector<Range> held_out() const override;
};

}  // namespace headlight::tasks

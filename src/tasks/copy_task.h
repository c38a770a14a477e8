// A random prefix, a separator, the prefix again, then random tokens: A B C | A B C X Y …
#pragma once

#include "headlight/tasks/task.h"

namespace headlight::tasks {

// With a fixed offset every prefix has the same length, and a head that always looks as far back solves the
// task. With random lengths it has to find the place by content.
class CopyTask : public Task {
 public:
  static constexpr std::int32_t kSeparator = 0;

  explicit CopyTask(const TaskConfig& config);
  Sequence make(std::size_t length, Rng& rng) const override;
  std::vector<Range> held_out() const override;
  std::string token_text(std::int32_t token) const override;
};

}  // namespace headlight::tasks

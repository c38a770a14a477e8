#include "stretched_schedule.h"

#include <cmath>

#include "headlight/system/run_main.h"

namespace headlight::app {

void warn_stretched(const train::TrainConfig& before, std::int64_t steps, std::int64_t done) {
  train::TrainConfig after = before;
  after.steps = steps;
  constexpr double kSame = 0.01;  // of the rate
  const double planned = train::learning_rate_at(before, done + 1),
               next = train::learning_rate_at(after, done + 1);
  if (std::abs(next - planned) > kSame * planned)
    note(
        "Note: over {} steps instead of {} the schedule '{}' is stretched: the learning rate of "
        "step {} is {:.2g} instead of {:.2g}.",
        steps, before.steps, before.schedule, done + 1, next, planned);
}

}  // namespace headlight::app

#include "headlight/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "headlight/core/math.h"

namespace headlight::inline HEADLIGHT_PRECISION::optim {

double constant_schedule(const ScheduleConfig& c, std::int64_t step) {
  return step < c.warmup ? c.peak * static_cast<double>(step) / static_cast<double>(c.warmup) : c.peak;
}

double cosine_schedule(const ScheduleConfig& c, std::int64_t step) {
  if (step < c.warmup || c.total <= c.warmup) return constant_schedule(c, step);
  const double way =
      std::min(1.0, static_cast<double>(step - c.warmup) / static_cast<double>(c.total - c.warmup));
  return c.peak * (c.final_fraction + (1 - c.final_fraction) * 0.5 * (1 + math::cos(std::numbers::pi * way)));
}

Registry<Schedule>& schedules() {
  static Registry<Schedule> all(
      "schedule", {{"constant", "the learning rate stays after the warm-up", constant_schedule},
                   {"cosine", "it comes down to a tenth, along a half cosine", cosine_schedule}});
  return all;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::optim

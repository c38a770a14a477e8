#include "headlight/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "headlight/core/math.h"

namespace headlight::optim {
namespace {

// From 0 at step `first` to 1 at step `last`, and 1 after it.
double way_between(std::int64_t first, std::int64_t last, std::int64_t step) {
  return std::min(1.0, static_cast<double>(step - first) / static_cast<double>(last - first));
}

// A straight line down from the peak at step `first`, after the warm-up.
double line_down_from(std::int64_t first, const ScheduleConfig& c, std::int64_t step) {
  if (step < first || c.total <= first) return constant_schedule(c, step);
  return c.peak * (1 - (1 - c.final_fraction) * way_between(first, c.total, step));
}

}  // namespace

double constant_schedule(const ScheduleConfig& c, std::int64_t step) {
  return step < c.warmup ? c.peak * static_cast<double>(step) / static_cast<double>(c.warmup) : c.peak;
}

double cosine_schedule(const ScheduleConfig& c, std::int64_t step) {
  if (step < c.warmup || c.total <= c.warmup) return constant_schedule(c, step);
  const double way = way_between(c.warmup, c.total, step);
  return c.peak * (c.final_fraction + (1 - c.final_fraction) * 0.5 * (1 + math::cos(std::numbers::pi * way)));
}

double linear_schedule(const ScheduleConfig& c, std::int64_t step) {
  return line_down_from(c.warmup, c, step);
}

double wsd_schedule(const ScheduleConfig& c, std::int64_t step) {
  const auto decay = static_cast<std::int64_t>(std::llround(c.decay_part * static_cast<double>(c.total)));
  return line_down_from(std::max(c.warmup, c.total - decay), c, step);
}

Registry<Schedule>& schedules() {
  static Registry<Schedule> all(
      "schedule",
      {{"constant", "the learning rate stays after the warm-up", constant_schedule, kNoSettings},
       {"cosine", "it comes down to a tenth, along a half cosine", cosine_schedule, kNoSettings},
       {"linear", "it comes down to a tenth, along a straight line", linear_schedule, kNoSettings},
       {"wsd", "it stays, and comes down to a tenth in the last part of the steps (--decay-part)",
        wsd_schedule, SettingKeys{"decay_part"}}});
  return all;
}

}  // namespace headlight::optim

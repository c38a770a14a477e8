// How the learning rate moves along training.
#pragma once

#include <cstdint>

#include "headlight/core/registry.h"

namespace headlight::inline HEADLIGHT_PRECISION::optim {

struct ScheduleConfig {
  double peak = 1e-3;
  std::int64_t warmup = 0;      // steps until the peak, which the rate reaches in a straight line
  std::int64_t total = 0;       // steps of the whole training
  double final_fraction = 0.1;  // of the peak, where the rate comes down to
};

// The learning rate of a step; steps count from 1.
using Schedule = double (*)(const ScheduleConfig& config, std::int64_t step);

// Warm-up, then the peak.
double constant_schedule(const ScheduleConfig& config, std::int64_t step);

// Warm-up, then a half cosine down to final_fraction·peak at step `total`, and that from there on (Loshchilov
// and Hutter 2016, without restarts).
double cosine_schedule(const ScheduleConfig& config, std::int64_t step);

// Every schedule that can be chosen by name. One of your own joins it with add().
Registry<Schedule>& schedules();

}  // namespace headlight::inline HEADLIGHT_PRECISION::optim

// Schedules: how the learning rate changes during training.
#pragma once

#include <cstdint>
#include <functional>

#include "headlight/core/registry.h"

namespace headlight::optim {

struct ScheduleConfig {
  double peak = 1e-3;
  std::int64_t warmup = 0;      // steps in which the rate rises linearly to the peak
  std::int64_t total = 0;       // steps of the whole training
  double final_fraction = 0.1;  // the rate at the end, as a fraction of the peak
  double decay_part = 0.2;      // the part of all steps in which wsd_schedule comes down, at the end
};

// The learning rate of a step; steps count from 1.
using Schedule = std::function<double(const ScheduleConfig& config, std::int64_t step)>;

// Warm-up, then the peak.
double constant_schedule(const ScheduleConfig& config, std::int64_t step);

// Warm-up, then a half cosine down to final_fraction·peak at step `total`, then constant (Loshchilov and
// Hutter 2016, without restarts).
double cosine_schedule(const ScheduleConfig& config, std::int64_t step);

// The same along a straight line.
double linear_schedule(const ScheduleConfig& config, std::int64_t step);

// Warm-up, stable, decay: the peak until the last decay_part·total steps, then a straight line down to
// final_fraction·peak at step `total`, then constant (Hu et al. 2024). The decay begins after the warm-up.
double wsd_schedule(const ScheduleConfig& config, std::int64_t step);

// The schedules that can be chosen by name. Use add() to add your own.
Registry<Schedule>& schedules();

}  // namespace headlight::optim

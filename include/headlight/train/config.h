// The settings of training. The same TrainConfig gives the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headlight/core/setting.h"

namespace headlight::train {

struct TrainConfig {
  std::int64_t steps = 700;
  std::size_t batch = 32;  // sequences a step
  std::size_t shards = 8;  // equal parts of the batch; sets the order of additions, so part of the result
  std::string optimizer = "adamw";  // of optim::optimizers()
  double learning_rate = 7e-3;
  std::string schedule = "constant";  // of optim::schedules()
  std::int64_t warmup = 100;
  double decay_part = 0.2;  // of all steps, at their end: where the schedule wsd comes down
  double beta1 = 0.9;       // momentum for sgd
  double beta2 = 0.99;
  double weight_decay = 0.01;
  double clip = 1;             // bound on the global gradient norm; 0: none
  double label_smoothing = 0;  // of the loss that is trained; evaluations take the plain loss
  double average = 0;          // decay of the moving average of the weights (average.h); 0: none
  std::int64_t evaluate_every = 10;
  std::size_t history = 40;  // snapshots of the weights kept along training; 0: none
  std::uint64_t seed = 0;
};

// A row for each, in the order of the command line's help.
const std::vector<Setting<TrainConfig>>& settings();

// The learning rate of a step, which count from 1, by the schedule over all steps of the config. Throws Error
// for a schedule that is not registered.
double learning_rate_at(const TrainConfig& config, std::int64_t step);

// Throws Error for a value that is not allowed, or a batch that does not divide into the shards.
void check_config(const TrainConfig& config);

}  // namespace headlight::train

// Everything that makes a run what it is: the same RunConfig gives the same bits.
#pragma once

#include <cstdint>
#include <string>

#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"

namespace headlight::train {

struct TrainConfig {
  std::int64_t steps = 700;
  std::size_t batch = 32;           // sequences a step
  std::size_t shards = 8;           // parts of the batch; sets the order of additions, so part of the result
  std::string optimizer = "adamw";  // adamw, adam or sgd
  double learning_rate = 7e-3;
  std::string schedule = "constant";  // after the warm-up: constant or cosine (to a tenth)
  std::int64_t warmup = 100;
  double beta1 = 0.9;  // momentum for sgd
  double beta2 = 0.99;
  double weight_decay = 0.01;
  double clip = 1;  // bound on the global gradient norm; 0: none
  std::int64_t evaluate_every = 10;
  std::size_t history = 40;  // moments of training whose weights are kept for the report; 0: none
  std::uint64_t seed = 0;
};

struct RunConfig {
  tasks::TaskConfig task;
  nn::TransformerConfig model;
  TrainConfig train;
};

// Throws Error unless the parts fit each other: the batch divides into shards, the model has the task's
// vocabulary and context, rates are positive, names are known.
void check_config(const RunConfig& config);

// JSON with one object for each part. from_json takes the defaults for what is missing and throws Error for
// a key or a value that it does not understand.
std::string to_json(const RunConfig& config);
RunConfig run_config_from_json(const std::string& text);

}  // namespace headlight::train

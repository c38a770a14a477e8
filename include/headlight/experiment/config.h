// Everything that makes a run what it is: the same RunConfig gives the same bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "headlight/core/setting.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"
#include "headlight/train/config.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

struct RunConfig {
  tasks::TaskConfig task;
  nn::TransformerConfig model;  // its vocabulary and context are the task's, whatever stands here
  train::TrainConfig train;
};

// All settings, part by part: "task", "model", "train".
struct ConfigPart {
  std::string name;
  std::vector<Setting<RunConfig>> rows;
};
const std::vector<ConfigPart>& settings();

// Throws Error for a setting that is not allowed, or parts that do not fit each other.
void check_config(const RunConfig& config);

// JSON with one object for each part, and the number of the format. from_json takes the defaults for what is
// missing and throws Error for a key or a value that it does not understand. It reads the older format, too.
inline constexpr int kFormat = 2;
std::string to_json(const RunConfig& config);
RunConfig run_config_from_json(const std::string& text);

// The model's settings, with the vocabulary and the context of the task.
nn::TransformerConfig model_config(const RunConfig& config);

// A model with the initial weights that the config's seed gives.
std::unique_ptr<nn::Transformer> make_model(const RunConfig& config);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

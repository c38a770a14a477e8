// The config of a run. The same RunConfig gives the same bits.
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
  nn::TransformerConfig model;  // d_vocab and n_ctx are ignored: the task sets them
  train::TrainConfig train;
};

// All settings, part by part: "task", "model", "train".
struct ConfigPart {
  std::string name;
  std::vector<Setting<RunConfig>> rows;
};
const std::vector<ConfigPart>& settings();

// Throws Error for an invalid setting, or for parts that do not fit each other.
void check_config(const RunConfig& config);

// JSON with one object per part, and the number of the format. run_config_from_json uses the default for a
// missing key and throws Error for an unknown key or an invalid value. It also reads the older format.
inline constexpr int kFormat = 2;
std::string to_json(const RunConfig& config);
RunConfig run_config_from_json(const std::string& text);

// The model's settings, with the vocabulary and the context of the task.
nn::TransformerConfig model_config(const RunConfig& config);

// A model with the initial weights that the config's seed gives.
std::unique_ptr<nn::Transformer> make_model(const RunConfig& config);

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

// A trained model in a folder: config.json and model.safetensors.
#pragma once

#include <filesystem>
#include <memory>

#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"
#include "headlight/train/config.h"

namespace headlight::train {

// Each file is written atomically, the weights first: where there is a config there is a model.
void save_checkpoint(const std::filesystem::path& folder, const RunConfig& config, nn::Transformer& model);

struct Checkpoint {
  RunConfig config;
  std::unique_ptr<nn::Transformer> model;
  std::unique_ptr<tasks::Task> task;
};

// Throws Error when a file is missing or damaged, or when the weights are not those of the config's model.
Checkpoint load_checkpoint(const std::filesystem::path& folder);

// A model with the initial weights that the config's seed gives.
std::unique_ptr<nn::Transformer> make_model(const RunConfig& config);

}  // namespace headlight::train

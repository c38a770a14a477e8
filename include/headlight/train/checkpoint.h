// A trained model in a folder: config.json and model.safetensors.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"
#include "headlight/train/config.h"

namespace headlight::train {

// Each file is written atomically, the weights first: where there is a config there is a model.
void save_checkpoint(const std::filesystem::path& folder, const RunConfig& config, nn::Transformer& model);

// Makes the folder no run any more, before anything of a new run is written to it: what is left of an old run
// must not meet the new one's files.
void forget_run(const std::filesystem::path& folder);

struct Checkpoint {
  RunConfig config;
  std::unique_ptr<nn::Transformer> model;
  std::unique_ptr<tasks::Task> task;
};

// Throws Error when a file is missing or damaged, or when the weights are not those of the config's model.
Checkpoint load_checkpoint(const std::filesystem::path& folder);

// A model's parameters by name.
using Weights = std::map<std::string, Array>;
Weights weights_of(nn::Transformer& model);

// Puts the weights into the model. Throws Error, naming the file they are from, when one is missing, has
// another shape or a number that is not finite, or is none of the model's.
void set_weights(nn::Transformer& model, Weights weights, const std::string& file);

// A model with the initial weights that the config's seed gives.
std::unique_ptr<nn::Transformer> make_model(const RunConfig& config);

}  // namespace headlight::train

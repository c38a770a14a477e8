// state.json and optimizer.safetensors.
#pragma once

#include <string>

#include "headlight/run/run.h"
#include "headlight/train/safetensors.h"

namespace headlight::run {

// The optimizer's arrays are in the order of the model's parameters and are named after them: "m/embed.W_E".
void add_state_files(Files& files, const TrainingState& state, const nn::Transformer& model);

// Throws Error that names the files in `folder` for numbers that are not finite or out of range, for arrays
// that are missing, and for others than those of the model's parameters.
TrainingState state_from(const std::string& json, train::SafetensorsFile arrays,
                         const std::filesystem::path& folder, const nn::Transformer& model);

}  // namespace headlight::run

// optimizer.safetensors and state.json: what a resumed run needs besides weights and observers.
#pragma once

#include <filesystem>
#include <string>

#include "headlight/nn/transformer.h"
#include "headlight/optim/optimizer.h"
#include "headlight/train/safetensors.h"

namespace headlight::run {

struct SavedState {
  std::int64_t steps = 0;
  double seconds = 0;
  double loss_first = 0, loss_last = 0;  // of the batches of the first and the last step
  optim::OptimizerState optimizer;
};

// The optimizer's arrays are in the order of the model's parameters and are named after them: "m/embed.W_E".
void save_state(const std::filesystem::path& folder, const SavedState& state, const nn::Transformer& model);
SavedState load_state(const std::filesystem::path& folder, const nn::Transformer& model);

// The same of files that were read. Throws Error for numbers that are not finite or out of range, for arrays
// that are missing, and for others than those of the model's parameters.
SavedState state_from(const std::string& json, train::SafetensorsFile arrays,
                      const std::filesystem::path& folder, const nn::Transformer& model);

}  // namespace headlight::run

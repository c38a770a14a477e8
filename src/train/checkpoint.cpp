#include "headlight/train/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/train/safetensors.h"

namespace headlight::train {

std::unique_ptr<nn::Transformer> make_model(const RunConfig& config) {
  Rng rng = Rng(config.train.seed).stream("init");
  return std::make_unique<nn::Transformer>(config.model, rng);
}

void save_checkpoint(const std::filesystem::path& folder, const RunConfig& config, nn::Transformer& model) {
  std::error_code error;
  std::filesystem::remove(folder / "config.json", error);  // an older run's: it must not meet the new weights
  NamedArrays arrays;
  for (const auto& [name, parameter] : nn::named_parameters(model))
    arrays.emplace_back(name, parameter.array());
  save_safetensors(folder / "model.safetensors", arrays, {{"format", "headlight"}});
  write_file(folder / "config.json", to_json(config));
}

Checkpoint load_checkpoint(const std::filesystem::path& folder) {
  std::error_code error;
  check(std::filesystem::is_directory(folder, error),
        "there is no run '{}'. Hint: ./headlight demo makes runs/demo.", folder.string());
  check(std::filesystem::exists(folder / "config.json", error), "'{}' is not a run: it has no config.json.",
        folder.string());
  Checkpoint checkpoint;
  try {
    checkpoint.config = run_config_from_json(read_file(folder / "config.json"));
    check_config(checkpoint.config);
    checkpoint.model = make_model(checkpoint.config);
    checkpoint.task = tasks::make_task(checkpoint.config.task);
  } catch (const Error& e) {
    fail("'{}' cannot be used: {}", (folder / "config.json").string(), e.what());
  }
  const auto path = folder / "model.safetensors";
  SafetensorsFile file = load_safetensors(path);
  for (auto& [name, parameter] : nn::named_parameters(*checkpoint.model)) {
    const auto found = file.arrays.find(name);
    check(found != file.arrays.end(), "'{}' lacks '{}'.", path.string(), name);
    check(found->second.shape() == parameter.shape(),
          "'{}' has '{}' of shape {}, but the config's model needs {}.", path.string(), name,
          Shape(found->second.shape()), parameter.shape());
    check(std::all_of(found->second.begin(), found->second.end(), [](Real x) { return std::isfinite(x); }),
          "'{}' has numbers in '{}' that are not finite.", path.string(), name);
    Tensor(parameter).mutable_array() = std::move(found->second);
    file.arrays.erase(found);
  }
  check(file.arrays.empty(), "'{}' has '{}', which the config's model does not.", path.string(),
        file.arrays.empty() ? "" : file.arrays.begin()->first);
  return checkpoint;
}

}  // namespace headlight::train

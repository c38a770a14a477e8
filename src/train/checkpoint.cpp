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

Weights weights_of(nn::Transformer& model) {
  Weights weights;
  for (const auto& [name, parameter] : nn::named_parameters(model)) weights.emplace(name, parameter.array());
  return weights;
}

void set_weights(nn::Transformer& model, Weights weights, const std::string& file) {
  for (auto& [name, parameter] : nn::named_parameters(model)) {
    const auto found = weights.find(name);
    check(found != weights.end(), "'{}' lacks '{}'.", file, name);
    check(found->second.shape() == parameter.shape(),
          "'{}' has '{}' of shape {}, but the config's model needs {}.", file, name,
          Shape(found->second.shape()), parameter.shape());
    check(std::all_of(found->second.begin(), found->second.end(), [](Real x) { return std::isfinite(x); }),
          "'{}' has numbers in '{}' that are not finite.", file, name);
    Tensor(parameter).mutable_array() = std::move(found->second);
    weights.erase(found);
  }
  check(weights.empty(), "'{}' has '{}', which the config's model does not.", file,
        weights.empty() ? "" : weights.begin()->first);
}

void forget_run(const std::filesystem::path& folder) {
  std::error_code none_there;
  for (const char* file : {"config.json", "summary.json", "report.html"})
    std::filesystem::remove(folder / file, none_there);
}

void save_checkpoint(const std::filesystem::path& folder, const RunConfig& config, nn::Transformer& model) {
  forget_run(folder);
  const Weights weights = weights_of(model);
  save_safetensors(folder / "model.safetensors", {weights.begin(), weights.end()}, {{"format", "headlight"}});
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
  set_weights(*checkpoint.model, load_safetensors(path).arrays, path.string());
  return checkpoint;
}

}  // namespace headlight::train

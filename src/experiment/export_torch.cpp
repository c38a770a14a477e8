#include <nlohmann/json.hpp>

#include "headlight/core/files.h"
#include "headlight/experiment/export.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/nn/settings.h"
#include "torch_module.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {

std::string torch_module_of(const nn::TransformerConfig& model) {
  nlohmann::ordered_json config;
  for (const Setting<nn::TransformerConfig>& row : nn::settings())
    config[row.key] = std::visit([](const auto& x) { return nlohmann::ordered_json(x); }, row.get(model));
  config["d_vocab"] = model.d_vocab;
  config["n_ctx"] = model.n_ctx;
  constexpr std::string_view kPlace = "@CONFIG@";
  std::string module(torch_module);
  return module.replace(module.find(kPlace), kPlace.size(), config.dump(2));
}

void export_torch(const std::filesystem::path& folder, const std::filesystem::path& file) {
  write_file(file, torch_module_of(load_run(folder).model->config()));
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

#include <algorithm>
#include <nlohmann/json.hpp>

#include "headlight/core/check.h"
#include "headlight/nn/settings.h"
#include "headlight/run/export.h"
#include "headlight/run/run.h"
#include "headlight/system/files.h"
#include "torch_module.h"

namespace headlight::run {
namespace {

// 1 2 3, as far as the vocabulary and so many positions allow.
std::string few_tokens(std::size_t d_vocab, std::size_t positions) {
  std::string tokens;
  for (std::size_t i = 1; i <= std::min<std::size_t>(3, positions); ++i)
    tokens += fmt::format("{}{}", i > 1 ? " " : "", i % d_vocab);
  return tokens;
}

}  // namespace

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

void export_torch(const Run& run, const std::filesystem::path& file) {
  write_file(file, torch_module_of(run.model->config()));
}

std::string torch_example(const nn::TransformerConfig& model) {
  if (model.architecture != nn::Architecture::encoder_decoder) return few_tokens(model.d_vocab, model.n_ctx);
  return "0 --source " + few_tokens(model.d_vocab, model.n_source);
}

}  // namespace headlight::run

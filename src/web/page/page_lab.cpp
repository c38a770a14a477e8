#include "page_lab.h"

#include <algorithm>

#include "headlight/system/base64.h"
#include "headlight/system/json.h"
#include "headlight/train/weights.h"

namespace headlight::page {
namespace {

using nlohmann::ordered_json;

// By their full names, in the order of the form.
constexpr const char* kOffered[] = {
    "task.name",       "task.n_ctx", "model.n_layers",      "model.n_heads",      "model.d_model",
    "model.positions", "model.norm", "model.d_mlp",         "model.smeared_keys", "train.optimizer",
    "train.batch",     "train.clip", "train.learning_rate", "train.seed"};

ordered_json form_json() {
  ordered_json form = ordered_json::array();
  for (const char* name : kOffered)
    for (const run::ConfigPart& part : run::settings())
      for (const Setting<run::RunConfig>& row : part.rows) {
        if (part.name + "." + row.key != name) continue;
        ordered_json& field =
            form.emplace_back(ordered_json{{"part", part.name}, {"key", row.key}, {"help", row.help}});
        if (!row.choices) continue;
        std::vector<std::string> choices = row.choices();
        std::erase(choices, "text");  // a page reads no files
        field["choices"] = std::move(choices);
      }
  return form;
}

}  // namespace

ordered_json lab_json(const run::Run& run) {
  return {{"config", json_from<ordered_json>(run::to_json(run.config))},
          {"steps", run.results.steps},
          {"seconds", run.results.train_seconds},
          {"weights", base64(train::to_safetensors(*run.model))},
          {"form", form_json()}};
}

}  // namespace headlight::page

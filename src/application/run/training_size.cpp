#include "headlight/run/training_size.h"

#include <algorithm>
#include <array>

#include "headlight/core/memory.h"
#include "headlight/core/setting_text.h"
#include "headlight/interpret/scores.h"
#include "headlight/nn/model_size.h"
#include "headlight/optim/optimizer.h"

namespace headlight::run {

void check_training_size(const RunConfig& config, const tasks::Task& task) {
  const nn::TransformerConfig model = model_config(config, task);
  const nn::ModelSize size = nn::size_of_model(model);
  const auto shards = static_cast<double>(config.train.shards),
             batch = static_cast<double>(config.train.batch),
             kept = static_cast<double>(optim::arrays_kept(config.train.optimizer)),
             positions = static_cast<double>(model.n_positions()),
             tokens = static_cast<double>(model.n_ctx + model.n_source),
             heads = static_cast<double>(model.n_layers * model.n_heads);
  struct Part {
    double numbers;
    SettingText hint;
  };
  const std::array<Part, 3> parts{
      {{size.numbers() * (1 + shards + kept),
        SettingText("most of it is for parameters and gradients; choose a smaller {}, {}, {} or {}",
                    setting_key("d_vocab"), setting_key("d_model"), setting_key("d_mlp"),
                    setting_key("train.shards"))},
       {batch * tokens * size.token,
        SettingText("most of it is for activations; choose a smaller {}, {}, {} or {}",
                    setting_key("train.batch"), setting_key("n_ctx"), setting_key("d_model"),
                    setting_key("d_vocab"))},
       {positions > interpret::kLongestPattern ? 0 : heads * positions * positions,
        SettingText("most of it is for patterns; choose a smaller {}, {} or {}", setting_key("n_ctx"),
                    setting_key("n_heads"), setting_key("n_layers"))}}};
  double numbers = 0;
  for (const Part& part : parts) numbers += part.numbers;
  const auto largest = std::max_element(parts.begin(), parts.end(),
                                        [](const Part& a, const Part& b) { return a.numbers < b.numbers; });
  require_memory(sizeof(Real) * numbers, SettingText("this training"), largest->hint);
}

}  // namespace headlight::run

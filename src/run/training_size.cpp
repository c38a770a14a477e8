#include "headlight/run/training_size.h"

#include <algorithm>
#include <array>

#include "headlight/core/memory.h"
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
    const char* hint;
  };
  const std::array<Part, 3> parts{
      {{size.numbers() * (1 + shards + kept),
        "most of it is for weights and gradients; choose a smaller --vocab, --d-model, --d-mlp or --shards"},
       {batch * tokens * size.token,
        "most of it is for activations; choose a smaller --batch, --context, --d-model or --vocab"},
       {heads * positions * positions,
        "most of it is for patterns; choose a smaller --context, --heads or --layers"}}};
  double numbers = 0;
  for (const Part& part : parts) numbers += part.numbers;
  const auto largest = std::max_element(parts.begin(), parts.end(),
                                        [](const Part& a, const Part& b) { return a.numbers < b.numbers; });
  require_memory(sizeof(Real) * numbers, "this training", largest->hint);
}

}  // namespace headlight::run

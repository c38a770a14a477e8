#include "headlight/experiment/training_memory.h"

#include <algorithm>
#include <array>

#include "headlight/core/memory.h"
#include "headlight/core/thread_pool.h"
#include "headlight/interpret/certificate.h"
#include "headlight/nn/model_size.h"
#include "headlight/optim/optimizer.h"
#include "headlight/train/history.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

double working(int threads, std::size_t shards) {
  return std::min<double>(thread_count(threads), static_cast<double>(std::max<std::size_t>(1, shards)));
}

}  // namespace

TrainingMemory training_memory(const RunConfig& config, const tasks::Task& task, int threads) {
  const nn::TransformerConfig model = model_config(config, task);
  const nn::ModelSize size = nn::size_of_model(model);
  const train::TrainConfig& train = config.train;
  const auto shards = static_cast<double>(train.shards), batch = static_cast<double>(train.batch),
             positions = static_cast<double>(model.n_positions()),
             source = static_cast<double>(model.n_source), n_ctx = static_cast<double>(model.n_ctx);
  const double weights = size.numbers() * sizeof(Real);
  // A thread reads the sequences of a shard; evaluations read eight at a time, and keep nothing for backward.
  const double rows = std::max(1.0, batch / shards);
  const double evaluated = 8 * (n_ctx + source) * 2 * static_cast<double>(model.d_vocab);
  TrainingMemory memory;
  const auto kept = static_cast<double>(optim::arrays_kept(train.optimizer));
  memory.weights = weights * (1 + shards + kept + (train.average > 0 ? 2 : 0));
  memory.activations = sizeof(Real) * working(threads, train.shards) *
                       std::max(rows * (n_ctx + source) * size.token, evaluated);
  const std::size_t moments = train::History::most_kept(train.history, weights);
  if (moments > 0) memory.history = static_cast<double>(moments + 1) * weights;  // one more until one goes
  if (task.solved_by == interpret::kInduction && interpret::can_be_certified(model, task)) {
    // Measured: certify() keeps so much of what a forward pass computes, so much more on each thread, and the
    // patterns of all heads so many times.
    constexpr double kKept = 1.4, kByThread = 0.7, kPatterns = 5;
    const auto sequences = static_cast<double>(interpret::CertifyOptions{}.sequences),
               heads = static_cast<double>(model.n_layers * model.n_heads);
    memory.certificate =
        sizeof(Real) * sequences * n_ctx *
        ((kKept + kByThread * thread_count(threads)) * size.token + kPatterns * heads * n_ctx);
  }
  memory.patterns =
      2 * sizeof(Real) * static_cast<double>(model.n_layers * model.n_heads) * positions * positions;
  return memory;
}

void require_training_memory(const RunConfig& config, const tasks::Task& task, int threads) {
  const TrainingMemory need = training_memory(config, task, threads);
  struct Part {
    double bytes;
    const char* hint;
  };
  const std::array<Part, 5> parts{
      {{need.weights,
        "most of it is for weights and gradients; choose a smaller --vocab, --d-model, --d-mlp or --shards"},
       {need.activations,
        "most of it is for activations; choose a smaller --batch, --context, --d-model or --vocab, or more "
        "--shards"},
       {need.certificate,
        "most of it is for the certificate after the training; choose a smaller --context, --layers, "
        "--d-head, --d-model, --d-mlp or --vocab, or fewer --threads"},
       {need.history, "most of it is for the weights along training; choose --history 0"},
       {need.patterns, "most of it is for patterns; choose a smaller --context, --heads or --layers"}}};
  const auto largest = std::max_element(parts.begin(), parts.end(),
                                        [](const Part& a, const Part& b) { return a.bytes < b.bytes; });
  require_memory(need.total(), "this training", largest->hint);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

// What a training would take of memory, and which part of it is the largest.
#include "headlight/run/training_size.h"

#include "catch.h"
#include "headlight/core/memory.h"
#include "headlight/nn/model_size.h"

using namespace headlight;
using namespace headlight::run;

namespace {

tasks::Task task_of(const RunConfig& config) {
  return {.config = config.task, .vocabulary = tasks::Vocabulary::of_size(2), .training = {}};
}

std::string refusal(const RunConfig& config) {
  return error_of([&] { check_training_size(config, task_of(config)); });
}

RunConfig with(std::size_t d_vocab, std::size_t n_ctx, std::size_t batch) {
  RunConfig config;
  config.task.d_vocab = d_vocab, config.task.n_ctx = n_ctx;
  config.train.batch = batch, config.train.shards = 2;
  return config;
}

// Parameters, their gradients in two shards, and what the optimizer keeps of each; activations; patterns.
std::string expected(const RunConfig& config, double kept, const std::string& hint) {
  nn::TransformerConfig model = config.model;
  model.d_vocab = config.task.d_vocab, model.n_ctx = config.task.n_ctx;
  const nn::ModelSize size = nn::size_of_model(model);
  const auto n = static_cast<double>(model.n_ctx),
             heads = static_cast<double>(model.n_layers * model.n_heads);
  const double numbers = size.numbers() * (1 + 2 + kept) +
                         static_cast<double>(config.train.batch) * n * size.token + heads * n * n;
  return fmt::format("this training needs about {} of memory; at most 8.0 GB are taken. Hint: {}.",
                     memory_text(numbers * sizeof(Real)), hint);
}

}  // namespace

TEST_CASE("a training that no memory holds is refused, with what takes most of it", "[run]") {
  RunConfig config = with(200'000'000, 16, 2);
  const std::string parameters =
      "most of it is for parameters and gradients; choose a smaller d_vocab, d_model, d_mlp or train.shards";
  config.train.optimizer = "adamw";
  CHECK(refusal(config) == expected(config, 2, parameters));
  config.train.optimizer = "sgd";
  CHECK(refusal(config) == expected(config, 1, parameters));
  config = with(64, 16, 1'000'000);
  config.train.optimizer = "adamw";
  CHECK(refusal(config) ==
        expected(config, 2,
                 "most of it is for activations; choose a smaller train.batch, n_ctx, d_model or d_vocab"));
  config = with(64, 1000, 2);
  config.train.optimizer = "adamw";
  config.model.n_layers = 40, config.model.n_heads = 64;
  CHECK(refusal(config) ==
        expected(config, 2, "most of it is for patterns; choose a smaller n_ctx, n_heads or n_layers"));
  config.task.n_ctx = 1025;  // of which a run keeps no pattern
  CHECK_NOTHROW(check_training_size(config, task_of(config)));
}

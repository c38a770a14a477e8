// A sequence that is read in parts: the same model as in one piece.
#include "headlight/nn/sequence_part.h"

#include "catch.h"
#include "headlight/nn/settings.h"
#include "headlight/run/config.h"
#include "headlight/train/trainer.h"
#include "headlight/train/weights.h"
#include "run/small_config.h"

using namespace headlight;
using run::RunConfig;

namespace {

struct Step {
  double loss = 0;
  train::Weights weights;
};

// One step of plain gradient descent, in which the weights change by half of their gradients.
Step one_step(RunConfig config, std::size_t parts) {
  config.train.shards = config.train.batch * parts;
  config.train.optimizer = "sgd";
  config.train.learning_rate = 0.5, config.train.warmup = 0, config.train.clip = 0;
  run::check_config(config);
  const auto model = run::make_model(config);
  const tasks::Task task = run::make_task(config);
  ThreadPool pool(2);
  train::Trainer trainer(*model, task, config.train, pool);
  const double loss = trainer.step().loss;
  return {loss, train::weights_of(*model)};
}

RunConfig two_sequences() {
  RunConfig config = run::small_config();
  config.task.n_ctx = 24;
  config.train.batch = 2;
  return config;
}

void check_parts_equal_the_whole(const RunConfig& config) {
  const Step whole = one_step(config, 1);
  for (const std::size_t parts : {2, 3, 8}) {
    CAPTURE(parts);
    const Step divided = one_step(config, parts);
    CHECK(divided.loss == Approx(whole.loss).epsilon(kRounding));
    for (const auto& [name, weights] : whole.weights) {
      CAPTURE(name);
      CHECK(difference(weights, divided.weights.at(name)) < kRounding);
    }
  }
}

}  // namespace

TEST_CASE("the parts of a sequence have the gradients of the whole, with every kind of positions",
          "[nn][parts]") {
  for (const auto& kind : nn::positions().entries()) {
    CAPTURE(kind.name);
    RunConfig config = two_sequences();
    config.model.positions = kind.name;
    config.model.max_distance = 6;
    check_parts_equal_the_whole(config);
  }
}

TEST_CASE("the parts of a sequence have the gradients of the whole, with all that attention may have",
          "[nn][parts]") {
  const std::vector<void (*)(RunConfig&)> changes{
      [](RunConfig& c) { c.model.smeared_keys = true; },
      [](RunConfig& c) { c.model.window = 5; },
      [](RunConfig& c) { c.model.sinks = true, c.model.score_cap = 2; },
      [](RunConfig& c) { c.model.n_kv_heads = 1, c.model.qk_norm = nn::NormKind::rms; },
      [](RunConfig& c) { c.model.dropout = 0.3; },
      [](RunConfig& c) { c.model.fused_qkv = c.model.bias = c.model.smeared_keys = true; },
      [](RunConfig& c) { c.model.tied_embeddings = true, c.model.norm_place = nn::NormPlace::post; },
      [](RunConfig& c) { c.task.name = "histogram", c.model.architecture = nn::Architecture::encoder; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CAPTURE(i);
    RunConfig config = two_sequences();
    changes[i](config);
    check_parts_equal_the_whole(config);
  }
}

TEST_CASE("two neighbouring parts have the first and the last of the blocks that are left", "[nn][parts]") {
  std::vector<std::size_t> of_four, of_five;
  for (std::size_t p = 0; p < 4; ++p) of_four.push_back(nn::SequencePart{p, 4}.block());
  for (std::size_t p = 0; p < 5; ++p) of_five.push_back(nn::SequencePart{p, 5}.block());
  CHECK(of_four == std::vector<std::size_t>{0, 3, 1, 2});
  CHECK(of_five == std::vector<std::size_t>{0, 4, 1, 3, 2});
}

TEST_CASE("what needs whole sequences refuses parts", "[nn][parts]") {
  const RunConfig config = two_sequences();
  const auto model = run::make_model(config);
  const nn::SequencePart part{0, 2};
  const nn::Hooks hooks{{"hook_embed", [](const Tensor& x) { return x; }}};
  CHECK(error_of([&] {
          (*model)(IntArray{{1, 2}}, hooks, {.part = &part});
        }) ==
        "[transformer] a part of a sequence can have no hooks, no cache and no source: these are for whole "
        "sequences.");
}

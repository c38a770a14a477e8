#include "headlight/experiment/training_memory.h"

#include "catch.h"
#include "headlight/core/system.h"
#include "headlight/experiment/experiment.h"

using namespace headlight;
using namespace headlight::experiment;

namespace {

TrainingMemory need(const RunConfig& config, int threads = 1) {
  return training_memory(config, make_task(config), threads);
}

std::string refusal(const RunConfig& config) {
  return error_of([&] { require_training_memory(config, make_task(config), 2); });
}

}  // namespace

TEST_CASE("the parts of a run's memory grow with what they are for", "[experiment]") {
  const RunConfig small;
  CHECK(need(small).total() < 1e8);
  RunConfig more = small;
  more.train.shards = 16;
  CHECK(need(more).weights > 1.5 * need(small).weights);
  more = small;
  more.train.batch = 8 * small.train.batch;
  CHECK(need(more).activations > 4 * need(small).activations);
  CHECK(need(more, 4).activations > 1.9 * need(more, 2).activations);
  CHECK(need(more, 400).activations == need(more, 8).activations);  // one thread a shard at most
  more = small;
  more.train.history = 0;
  CHECK(need(more).history == 0);
  more = small;
  more.model.d_head =
      1000;  // measured: 1.2 GB with one thread, 2.2 with four, nearly all for the certificate
  CHECK(std::abs(need(more).total() / 1.2e9 - 1) < 0.3);
  CHECK(std::abs(need(more, 4).total() / 2.2e9 - 1) < 0.3);
  more = small;
  more.model.n_layers = 30;  // measured: 0.85 GB with two threads
  CHECK(std::abs(need(more, 2).total() / 0.85e9 - 1) < 0.2);
  more.task.name = "reverse";  // which has no certificate
  CHECK(need(more).certificate == 0);
  more = small;
  more.task.n_ctx = 4 * small.task.n_ctx;
  more.task.max_segment = small.task.d_vocab;
  CHECK(need(more).patterns > 10 * need(small).patterns);
}

TEST_CASE("a run that no memory holds is refused with what makes it smaller", "[experiment]") {
  RunConfig config;
  CHECK_NOTHROW(require_training_memory(config, make_task(config), 2));
  config.train.batch = config.train.shards = 1'000'000;
  CHECK(contains(refusal(config), "this training needs about"));
  CHECK(contains(refusal(config),
                 "weights and gradients; choose a smaller --vocab, --d-model, --d-mlp or --shards"));
  config.train.shards = 1;
  config.train.batch = 1'000'000;
  CHECK(contains(refusal(config), "activations; choose a smaller --batch"));
  config = {};
  config.task.n_ctx = 1'000'000;
  config.task.max_segment = config.task.d_vocab;
  CHECK(
      contains(refusal(config), "the certificate after the training; choose a smaller --context, --layers"));
  config.task.name = "reverse";  // which has no certificate
  config.task.max_segment = 62;
  CHECK(contains(refusal(config), "patterns; choose a smaller --context"));
  CHECK_THROWS_AS(Experiment(config, {}), Error);
}

TEST_CASE("a task that no memory holds is refused before it is made", "[experiment]") {
  RunConfig config;
  config.task.d_vocab = std::size_t{1} << 62;
  CHECK(contains(error_of([&] { make_task(config); }), "the task 'repeat' of these sizes needs about"));
  config = {};
  config.task.name = "markov";
  config.task.states = std::size_t{1} << 40;
  CHECK(contains(error_of([&] { make_task(config); }), "the task 'markov' of these sizes needs about"));
}

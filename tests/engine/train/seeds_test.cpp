// What the seed decides: the initial weights and the sequences, each by itself.
#include <algorithm>
#include <set>

#include "catch.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/task_loss.h"
#include "run/small_config.h"
#include "run/whole_run.h"

using namespace headlight;
using namespace headlight::run;

namespace {

RunConfig seeded(std::uint64_t seed) {
  RunConfig config = small_config();
  config.train.seed = seed;
  return config;
}

Array initial_weights(const RunConfig& config) { return flat_weights(*make_model(config)); }

std::vector<std::int32_t> tokens_of(const tasks::Batch& batch) {
  return {batch.tokens.begin(), batch.tokens.end()};
}

// Whether any sequence of one batch is a sequence of the other.
bool share_a_sequence(const tasks::Batch& a, const tasks::Batch& b) {
  const std::size_t n = a.tokens.shape()[1];
  for (std::size_t i = 0; i < a.tokens.shape()[0]; ++i)
    for (std::size_t j = 0; j < b.tokens.shape()[0]; ++j)
      if (std::equal(a.tokens.data() + i * n, a.tokens.data() + (i + 1) * n, b.tokens.data() + j * n))
        return true;
  return false;
}

double first_loss(const RunConfig& config) { return WholeRun(config).step().loss; }

}  // namespace

TEST_CASE("the same seed gives the same initial weights, another seed others", "[seeds]") {
  const Array weights = initial_weights(seeded(0));
  CHECK(difference(weights, initial_weights(seeded(0))) == 0);
  for (const std::uint64_t other : {std::uint64_t{1}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
    CHECK(difference(weights, initial_weights(seeded(other))) > 0.1);
}

TEST_CASE("initial weights depend on model and seed, not on the data or the training", "[seeds]") {
  RunConfig other = seeded(5);
  other.task.name = "copy";
  other.train.batch = 8;
  other.train.shards = 2;
  other.train.optimizer = "sgd";
  other.train.steps = 3;
  CHECK(difference(initial_weights(seeded(5)), initial_weights(other)) == 0);
}

TEST_CASE("the same seed gives the same sequences, another seed others", "[seeds]") {
  const tasks::Batch first = training_batch(seeded(0), 20);
  CHECK(tokens_of(first) == tokens_of(training_batch(seeded(0), 20)));
  CHECK_FALSE(share_a_sequence(first, training_batch(seeded(1), 20)));
}

TEST_CASE("the trainer's sequences are those of its seed, whatever the weights", "[seeds]") {
  const auto loss_on_data_of = [](std::uint64_t seed) {
    const auto task = tasks::make_task(small_config().task);
    const auto model = make_model(seeded(7));
    ThreadPool pool(1);
    return train::task_trainer(*model, task, seeded(seed).train, pool).step().loss;
  };
  CHECK(loss_on_data_of(0) == loss_on_data_of(0));
  CHECK(loss_on_data_of(0) != loss_on_data_of(1));
  CHECK(first_loss(seeded(7)) == loss_on_data_of(7));
}

// An evaluation of the first batch, before the step, is the loss that the step reports.
TEST_CASE("a step trains on its own rows of the training stream", "[seeds]") {
  RunConfig config = seeded(2);
  WholeRun run(config);
  for (std::uint64_t step = 0; step < 3; ++step) {
    const tasks::Batch batch = training_batch(config, config.train.batch, step * config.train.batch);
    const double expected = train::evaluate(*run.model, batch, run.pool).loss;
    CHECK(run.step().loss == Approx(expected).epsilon(1e-5));
  }
}

TEST_CASE("no two steps train on the same sequence", "[seeds]") {
  const tasks::Batch first = training_batch(seeded(0), 12), second = training_batch(seeded(0), 12, 12);
  CHECK_FALSE(share_a_sequence(first, second));
  std::set<std::vector<std::int32_t>> different;
  for (std::size_t i = 0; i < 100; ++i) different.insert(tokens_of(training_batch(seeded(0), 1, i)));
  CHECK(different.size() == 100);
}

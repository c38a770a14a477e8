#include <cstring>

#include "catch.h"
#include "headlight/ops/ops.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/task_loss.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::train;
using run::make_model;
using run::RunConfig;
using run::small_config;

namespace {

// All weights after some steps.
std::vector<Array> trained(const RunConfig& config, int threads, int steps) {
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(threads);
  Trainer trainer = task_trainer(*model, task, config.train, pool);
  for (int i = 0; i < steps; ++i) trainer.step();
  std::vector<Array> weights;
  for (const auto& p : nn::parameters(*model)) weights.push_back(p.array());
  return weights;
}

bool same_bits(const std::vector<Array>& a, const std::vector<Array>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(a[i].data(), b[i].data(), a[i].size() * sizeof(Real)) != 0) return false;
  return a.size() == b.size();
}

void require_same_bits_for_all_threads(const RunConfig& config, int steps) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  steps = 2;
#endif
  const auto one = trained(config, 1, steps);
  for (const int threads : {2, 3, 8}) CHECK(same_bits(one, trained(config, threads, steps)));
}

}  // namespace

TEST_CASE("label smoothing changes the loss that is trained, and no evaluation", "[train]") {
  RunConfig plain = small_config(), smooth = small_config();
  smooth.train.label_smoothing = 0.25;
  smooth.train.shards = plain.train.shards = 1;
  const auto task = tasks::make_task(plain.task);
  const auto model = make_model(plain);
  const auto batch =
      tasks::draw_batch(task, task.training, plain.train.batch, Rng(plain.train.seed).stream("data"), 0);
  ThreadPool pool(1);
  const Tensor logits = (*model)(batch.tokens);
  const auto loss_of = [&](double smoothing) {
    return static_cast<double>(
        cross_entropy(logits, batch.targets, {.ignore_index = tasks::kNoTarget, .label_smoothing = smoothing})
            .item());
  };
  const double evaluated = evaluate(*model, batch, pool).loss;
  Trainer trainer = task_trainer(*model, task, smooth.train, pool);
  CHECK(trainer.step().loss == Approx(loss_of(0.25)).epsilon(1e-6));
  CHECK(evaluated == Approx(loss_of(0)).epsilon(1e-6));
  CHECK(std::abs(loss_of(0.25) - loss_of(0)) > 1e-3);
}

TEST_CASE("the same bits for 1, 2, 3 and 8 threads", "[train]") {
  for (const RunConfig& config : {small_config(), RunConfig{}}) require_same_bits_for_all_threads(config, 50);
}

#if !defined(__SANITIZE_ADDRESS__)  // there they would take minutes and show nothing more
namespace {

// A size of `./headlight bench`.
RunConfig sized(std::size_t d_model, std::size_t n_heads, std::size_t n_ctx, std::size_t batch,
                std::size_t d_mlp) {
  RunConfig c;
  c.task.n_ctx = n_ctx;
  c.task.distinct = false;
  c.model.d_model = d_model;
  c.model.n_heads = n_heads;
  c.model.d_mlp = d_mlp;
  c.train.batch = batch;
  c.train.shards = std::min<std::size_t>(8, batch);
  return c;
}

}  // namespace

TEST_CASE("the same bits for all threads: medium", "[train][long]") {
  require_same_bits_for_all_threads(sized(128, 4, 64, 64, 0), 10);
}
TEST_CASE("the same bits for all threads: large", "[train][long]") {
  require_same_bits_for_all_threads(sized(256, 8, 128, 16, 1024), 10);
}
TEST_CASE("the same bits for all threads: long", "[train][long]") {
  require_same_bits_for_all_threads(sized(64, 4, 1024, 4, 0), 10);
}
TEST_CASE("the same bits for all threads: longer", "[train][long]") {
  require_same_bits_for_all_threads(sized(64, 4, 2048, 2, 0), 10);
}
#endif

TEST_CASE("another seed gives other weights", "[train]") {
  RunConfig other = small_config();
  other.train.seed = 1;
  CHECK_FALSE(same_bits(trained(small_config(), 1, 1), trained(other, 1, 1)));
}

// Shards only change the order of additions.
TEST_CASE("one shard and four give the same step up to rounding", "[train]") {
  RunConfig whole = small_config();
  whole.train.shards = 1;
  whole.train.optimizer = "sgd";
  whole.train.clip = 0;  // clipping would hide a wrong length of the gradient
  RunConfig cut = whole;
  cut.train.shards = 4;
  const auto a = trained(whole, 1, 5), b = trained(cut, 1, 5);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(difference(a[i], b[i]) < 10 * kRounding);
}

TEST_CASE("training lowers the loss", "[train]") {
  const RunConfig config = small_config();
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(2);
  Trainer trainer = task_trainer(*model, task, config.train, pool);
  const double first = trainer.step().loss;
  double last = 0;
  while (trainer.steps_done() < 100) last = trainer.step().loss;
  CHECK(first > 2.3);
  CHECK(last < first - 0.3);
}

TEST_CASE("a loss that is not finite stops training and names the step", "[train]") {
  RunConfig config = small_config();
  config.train.learning_rate = 1e30;
  config.train.warmup = 0;
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(1);
  Trainer trainer = task_trainer(*model, task, config.train, pool);
  const auto message = error_of([&] {
    for (int i = 0; i < 50; ++i) trainer.step();
  });
  CHECK(contains(message, "training stopped at step "));
  CHECK(contains(message, "is not finite. Hint: a smaller learning rate"));
}

TEST_CASE("evaluation does not depend on the threads and matches its definition", "[train]") {
  const RunConfig config = small_config();
  const auto model = make_model(config);
  const auto task = tasks::make_task(config.task);
  const auto batch = tasks::draw_batch(task, task.training, 20, Rng(1));
  ThreadPool one(1), three(3);
  const Evaluation a = evaluate(*model, batch, one), b = evaluate(*model, batch, three);
  CHECK(a.accuracy_predictable == b.accuracy_predictable);
  CHECK(a.loss_predictable == b.loss_predictable);
  CHECK(a.loss_unpredictable > 1);
  CHECK(a.accuracy_predictable < 0.5);
}

TEST_CASE("a gradient that is not finite stops training before it moves anything", "[train]") {
  const Tensor x = parameter(tensor({0, 1}));
  ThreadPool pool(1);
  Trainer trainer({x}, {[&x](const Examples& e) {
                    return SummedLoss{sum(sqrt(x)), e.count};
                  }},
                  small_config().train, pool);
  CHECK(
      contains(error_of([&] { trainer.step(); }), "training stopped at step 1: the gradient is not finite"));
  CHECK(x.array()(0) == 0);
  CHECK(x.array()(1) == 1);
}

TEST_CASE("a trainer refuses a loss that is empty, and parameters that have changed their size", "[train]") {
  const RunConfig config = small_config();
  const auto task = tasks::make_task(config.task);
  ThreadPool pool(1);
  Tensor w = parameter(ones({2}));
  CHECK(contains(error_of([&] { task_loss(task, BatchLoss(), 0); }), "the loss is an empty function"));
  Trainer trainer({w}, {[&](const Examples& e) {
                    return SummedLoss{sum(w * w), e.count};
                  }},
                  config.train, pool);
  trainer.step();
  w.mutable_array() = full_array({1000}, 1);
  CHECK(
      contains(error_of([&] { trainer.step(); }),
               "training stopped at step 2: the parameters had 2 numbers when the trainer was made and have "
               "1000 now"));
}

// An evaluation's means: what they are of, and when there are none.
#include "headlight/train/evaluate.h"

#include <algorithm>

#include "catch.h"
#include "headlight/train/task_loss.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::train;

namespace {

// Nine sequences: more than one task of evaluate() takes.
tasks::Batch nine() {
  const tasks::Task task = tasks::make_task(run::small_config().task);
  return tasks::draw_batch(task, task.training, 9, Rng(2));
}

}  // namespace

TEST_CASE("the loss is a mean over the targets that there are", "[train]") {
  const auto model = run::make_model(run::small_config());
  ThreadPool pool(1);
  tasks::Batch batch = nine();
  for (std::size_t missing : {0, 3, 100}) {
    for (std::size_t i = 0; i < missing; ++i) {
      batch.targets.data()[i] = tasks::kNoTarget;
      batch.predictable.data()[i] = false;
    }
    const double total = static_cast<double>(token_loss(*model)(batch).item());
    const Evaluation e = evaluate(*model, batch, pool);
    CHECK(e.loss == Approx(total / static_cast<double>(9 * 16 - missing)));
  }
}

TEST_CASE("where nothing is predictable there is no accuracy, and all loss is of chance", "[train]") {
  const auto model = run::make_model(run::small_config());
  ThreadPool pool(1);
  tasks::Batch batch = nine();
  std::fill_n(batch.predictable.data(), batch.predictable.size(), false);
  const Evaluation e = evaluate(*model, batch, pool);
  CHECK_FALSE(e.accuracy_predictable);
  CHECK_FALSE(e.loss_predictable);
  CHECK(e.loss_unpredictable == e.loss);
}

TEST_CASE("a batch that no task could draw is refused", "[train]") {
  const auto model = run::make_model(run::small_config());
  ThreadPool pool(1);
  const int vocabulary = static_cast<int>(model->config().d_vocab);
  for (const int target : {vocabulary, 100000000, -100}) {
    tasks::Batch batch = nine();
    batch.targets(8, 3) = target;
    const std::string message =
        fmt::format("[batch] expected each target in -1 … {}, got {}.", vocabulary - 1, target);
    CHECK(error_of([&] { evaluate(*model, batch, pool); }) == message);
    CHECK(error_of([&] { evaluate(*model, batch, nn::Hooks()); }) == message);
  }
  tasks::Batch batch = nine();
  batch.targets = IntArray::from_shape({1, 1});
  CHECK(contains(error_of([&] { evaluate(*model, batch, pool); }), "of one shape (B,n), got (9,16), (1,1)"));
  CHECK(contains(error_of([&] {
                   evaluate(full_array({9, 16, 2}, 1), nine());
                 }),
                 "expected each token in 0 … 1"));
}

// What a trainer hands to models with dropout.
#include <mutex>
#include <set>

#include "catch.h"
#include "headlight/ops/reduce.h"
#include "headlight/train/task_loss.h"

using namespace headlight;

TEST_CASE("every shard of every step drops other places, whatever the number of threads", "[train]") {
  const tasks::Task task = tasks::make_task({.d_vocab = 7, .n_ctx = 10});
  const auto seeds = [&](std::uint64_t run_seed, std::size_t threads) {
    const Tensor weight = parameter(ones({1}));
    std::mutex mutex;
    std::set<std::uint64_t> seen;
    const auto loss = [&](const tasks::Batch& batch) {
      const std::lock_guard lock(mutex);
      seen.insert(batch.dropout_seed.value());
      return sum(weight);
    };
    train::TrainConfig config;
    config.batch = config.shards = 4;
    config.seed = run_seed;
    ThreadPool pool(threads);
    train::Trainer trainer({weight}, train::task_loss(task, loss, run_seed), config, pool);
    trainer.step();
    trainer.step();
    return seen;
  };
  const auto one = seeds(1, 1);
  CHECK(one.size() == 8);
  CHECK(one == seeds(1, 3));
  CHECK(one != seeds(2, 1));
}

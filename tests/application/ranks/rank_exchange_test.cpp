// Training over ranks that are threads: the bits of one process, and where a rank differs.
#include "headlight/ranks/rank_exchange.h"

#include <numeric>

#include "catch.h"
#include "headlight/system/machine.h"
#include "headlight/train/task_loss.h"
#include "headlight/train/weights.h"
#include "memory_wire.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::ranks;
using namespace std::chrono_literals;

namespace {

constexpr auto kEnough = 20s;

run::RunConfig config_of(std::size_t shards) {
  run::RunConfig config = run::small_config();
  config.train.batch = 16 * shards / std::gcd(16, shards);
  config.train.shards = shards;
  config.train.average = 0.9;  // which every rank keeps for itself
  return config;
}

std::vector<std::string> hashes_of(const nn::Transformer& model) {
  std::vector<std::string> hashes;
  for (const auto& [name, array] : train::weights_of(model)) hashes.push_back(short_hash(array));
  return hashes;
}

// Trains in this rank, and returns its weights.
std::vector<std::string> trained(train::Exchange& exchange, const run::RunConfig& config, int steps,
                                 int threads,
                                 const std::function<void(nn::Transformer&, int step)>& before = {}) {
  const auto task = tasks::make_task(config.task);
  const auto model = run::make_model(config);
  ThreadPool pool(threads);
  train::Trainer trainer = train::task_trainer(*model, task, config.train, pool, exchange);
  const auto* of_ranks = dynamic_cast<RankExchange*>(&exchange);
  for (int step = 1; step <= steps && !(of_ranks != nullptr && of_ranks->stopping()); ++step) {
    if (before) before(*model, step);
    trainer.step();
  }
  return hashes_of(*model);
}

// All ranks end with the weights of one process.
void check_ranks(const run::RunConfig& config, std::initializer_list<std::size_t> numbers) {
  const auto alone = trained(train::Trainer::alone(), config, 4, 1);
  for (const std::size_t ranks : numbers) {
    std::vector<std::vector<std::string>> weights(ranks);
    const auto errors = in_ranks(ranks, kEnough, [&](Group& group, MemoryNet&) {
      RankExchange exchange(group);
      weights[group.rank()] = trained(exchange, config, 4, 1 + static_cast<int>(group.rank()) % 2);
    });
    CHECK(errors == std::vector<std::string>(ranks));
    for (const auto& of_rank : weights) CHECK(of_rank == alone);
  }
}

}  // namespace

TEST_CASE("any number of ranks gives the bits of one process", "[ranks]") {
  check_ranks(config_of(8), {1, 2, 3, 5, 8});
  check_ranks(config_of(5), {1, 2, 3, 5});
}

TEST_CASE("more ranks than shards are refused", "[ranks]") {
  const auto errors = in_ranks(3, kEnough, [](Group& group, MemoryNet&) { RankExchange(group).mine(2); });
  CHECK(errors[0] == "3 ranks cannot divide the 2 shards of a batch. Hint: mpirun -n 2.");
}

TEST_CASE("a rank whose weights differ is named after step 50", "[ranks]") {
  const run::RunConfig config = config_of(3);
  const auto errors = in_ranks(3, kEnough, [&](Group& group, MemoryNet&) {
    RankExchange exchange(group);
    trained(exchange, config, 60, 1, [&](nn::Transformer& model, int step) {
      if (group.rank() == 1 && step == 40) model.unembed.W.mutable_array()[0] += Real(1e-3);
    });
  });
  for (const std::string& error : errors) {
    INFO(error);
    CHECK(error == errors[0]);
    CHECK(error.starts_with("after step 50 rank 1 (" + system::host_name() + ") has "));
    CHECK(contains(error, " with hash "));
    CHECK(contains(error, ", but most ranks have "));
  }
}

TEST_CASE("when one rank wants to stop, all stop after the same step", "[ranks]") {
  const run::RunConfig config = config_of(4);
  const auto after_3 = trained(train::Trainer::alone(), config, 3, 1);
  const auto errors = in_ranks(4, kEnough, [&](Group& group, MemoryNet&) {
    int step = 0;
    RankExchange exchange(group, [&] { return ++step == 3 && group.rank() == 2; });
    if (trained(exchange, config, 9, 1) != after_3) fail("stopped elsewhere");
  });
  CHECK(errors == std::vector<std::string>(4));
}

// The tree that adds up shards, and processes that hold parts of it.
#include "headlight/train/exchange.h"

#include <barrier>
#include <cstring>
#include <thread>

#include "catch.h"
#include "headlight/train/task_loss.h"
#include "headlight/train/weights.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::train;

namespace {

std::vector<ShardSum> leaves(std::size_t first, std::size_t last) {
  std::vector<ShardSum> sums;
  for (std::size_t s = first; s < last; ++s) sums.push_back({s, s + 1, {}, 0, 0});
  return sums;
}

// The tree as text: "((0+1)+2)".
std::string as_text(std::size_t shards) {
  auto sums = leaves(0, shards);
  std::vector<std::string> texts;
  for (std::size_t s = 0; s < shards; ++s) texts.push_back(std::to_string(s));
  for (const auto& [to, from] : plan_additions(sums, shards))
    texts[to] = "(" + texts[to] + "+" + texts[from] + ")";
  CHECK(sums[0].last == shards);
  return texts[0];
}

// Threads that play processes: each shows the others what it has.
class Table {
 public:
  explicit Table(std::size_t seats) : shown_(seats), ready_(static_cast<std::ptrdiff_t>(seats)) {}

  void share(std::size_t seat, std::vector<ShardSum>& sums) {
    shown_[seat] = sums;
    ready_.arrive_and_wait();
    sums.clear();
    for (const auto& of_seat : shown_) sums.insert(sums.end(), of_seat.begin(), of_seat.end());
    ready_.arrive_and_wait();
  }

 private:
  std::vector<std::vector<ShardSum>> shown_;
  std::barrier<> ready_;
};

class Seat : public Exchange {
 public:
  Seat(Table& table, std::size_t number, Range range) : table_(table), number_(number), range_(range) {}
  Range mine(std::size_t) const override { return range_; }
  void share(std::vector<ShardSum>& sums) override { table_.share(number_, sums); }

 private:
  Table& table_;
  std::size_t number_;
  Range range_;
};

bool same_weights(nn::Transformer& a, nn::Transformer& b) {
  const auto x = weights_of(a), y = weights_of(b);
  for (const auto& [name, array] : x)
    if (std::memcmp(array.data(), y.at(name).data(), array.size() * sizeof(Real)) != 0) return false;
  return true;
}

}  // namespace

TEST_CASE("shards are added up by a fixed tree", "[train]") {
  CHECK(as_text(1) == "0");
  CHECK(as_text(2) == "(0+1)");
  CHECK(as_text(3) == "((0+1)+2)");
  CHECK(as_text(6) == "(((0+1)+(2+3))+(4+5))");
  CHECK(as_text(8) == "(((0+1)+(2+3))+((4+5)+(6+7)))");
}

TEST_CASE("parts of the tree go up as far as they can", "[train]") {
  auto sums = leaves(3, 8);  // of 8: 3 waits for 2, and 4 … 7 are whole
  const auto additions = plan_additions(sums, 8);
  CHECK(additions.size() == 3);
  CHECK(sums[0].last == 4);
  CHECK(sums[1].last == 8);
}

TEST_CASE("shards divided among processes give the same bits", "[train]") {
  run::RunConfig config = run::small_config();
  config.train.shards = 6;
  config.train.clip = 0.5;
  config.train.average = 0.9;  // which every process keeps for itself
  const auto task = tasks::make_task(config.task);
  const auto alone = run::make_model(config);
  ThreadPool pool(1);
  Trainer trainer = task_trainer(*alone, task, config.train, pool);
  double loss = 0;
  for (int i = 0; i < 5; ++i) loss = trainer.step().loss;

  const std::vector<std::vector<Exchange::Range>> divisions{
      {{0, 3}, {3, 6}}, {{0, 1}, {1, 6}}, {{0, 2}, {2, 3}, {3, 6}}};
  for (const auto& ranges : divisions) {
    Table table(ranges.size());
    std::vector<std::unique_ptr<nn::Transformer>> models;
    for (std::size_t i = 0; i < ranges.size(); ++i) models.push_back(run::make_model(config));
    std::vector<double> losses(ranges.size());
    std::vector<std::thread> processes;
    for (std::size_t i = 0; i < ranges.size(); ++i)
      processes.emplace_back([&, i] {
        Seat seat(table, i, ranges[i]);
        ThreadPool own(1);
        Trainer rank = task_trainer(*models[i], task, config.train, own, seat);
        for (int step = 0; step < 5; ++step) losses[i] = rank.step().loss;
      });
    for (auto& process : processes) process.join();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      CHECK(losses[i] == loss);
      CHECK(same_weights(*alone, *models[i]));
    }
  }
}

TEST_CASE("an exchange that loses shards is an error", "[train]") {
  const run::RunConfig config = run::small_config();
  const auto task = tasks::make_task(config.task);
  const auto model = run::make_model(config);
  ThreadPool pool(1);
  struct Deaf : Exchange {
    Range mine(std::size_t) const override { return {0, 2}; }
  } deaf;
  Trainer trainer = task_trainer(*model, task, config.train, pool, deaf);
  CHECK(contains(error_of([&] { trainer.step(); }), "brought shards 0 … 2 of 4"));
}

TEST_CASE("positions without a target count nowhere in a step", "[train]") {
  run::RunConfig config = run::small_config();
  config.train.optimizer = "sgd";
  config.train.clip = 0;
  config.train.warmup = 0;
  const tasks::Task whole = tasks::make_task(config.task);
  // The same sequences twice: cut after 8 tokens, and with nothing asked from there on.
  tasks::Task cut = whole, masked = whole;
  cut.config.n_ctx = 8;
  cut.training = [whole](Rng& rng) {
    tasks::Sequence s = whole.training(rng);
    s.tokens.resize(8), s.targets.resize(8), s.predictable.resize(8), s.answers.clear();
    return s;
  };
  masked.training = [whole](Rng& rng) {
    tasks::Sequence s = whole.training(rng);
    std::fill(s.targets.begin() + 8, s.targets.end(), tasks::kNoTarget);
    return s;
  };
  ThreadPool pool(1);
  const auto a = run::make_model(config), b = run::make_model(config);
  Trainer first = task_trainer(*a, cut, config.train, pool);
  Trainer second = task_trainer(*b, masked, config.train, pool);
  for (int i = 0; i < 3; ++i) {
    const StepReport x = first.step(), y = second.step();
    CHECK(x.loss == Approx(y.loss).epsilon(1e-6));
    CHECK(x.gradient_norm == Approx(y.gradient_norm).epsilon(1e-5));
  }
  CHECK(difference(a->embed.W.array(), b->embed.W.array()) < kRounding);
}

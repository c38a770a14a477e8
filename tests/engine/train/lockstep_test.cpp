// Parts of sequences on any number of threads and processes: the same bits, and no deadlock.
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "catch.h"
#include "headlight/autograd/observer.h"
#include "headlight/train/trainer.h"
#include "headlight/train/weights.h"
#include "run/small_config.h"

using namespace headlight;
using namespace headlight::train;

namespace {

// Three sequences, each in four parts.
run::RunConfig divided_config() {
  run::RunConfig config = run::small_config();
  config.model.smeared_keys = true;
  config.train.batch = 3;
  config.train.shards = 12;
  return config;
}

// Weights after three steps.
Weights trained(const run::RunConfig& config, int threads, Exchange& exchange = Trainer::alone()) {
  const auto model = run::make_model(config);
  const tasks::Task task = run::make_task(config);
  ThreadPool pool(threads);
  Trainer trainer(*model, task, config.train, pool, exchange);
  for (int step = 0; step < 3; ++step) trainer.step();
  return weights_of(*model);
}

bool same_bits(const Weights& a, const Weights& b) {
  for (const auto& [name, array] : a)
    if (std::memcmp(array.data(), b.at(name).data(), array.size() * sizeof(Real)) != 0) return false;
  return a.size() == b.size();
}

// What threads that play processes send to each other.
class Post {
 public:
  void send(std::size_t from, std::size_t to, std::vector<ShardSum> letter) {
    const std::lock_guard lock(mutex_);
    letters_[{from, to}].push_back(std::move(letter));
    came_.notify_all();
  }
  std::vector<ShardSum> take(std::size_t from, std::size_t to) {
    std::unique_lock lock(mutex_);
    auto& letters = letters_[{from, to}];
    came_.wait(lock, [&] { return !letters.empty(); });
    std::vector<ShardSum> letter = std::move(letters.front());
    letters.erase(letters.begin());
    return letter;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::vector<ShardSum>>> letters_;
};

class Process : public Exchange {
 public:
  Process(Post& post, std::size_t number, std::vector<Range> ranges)
      : post_(post), number_(number), ranges_(std::move(ranges)) {}

  Range mine(std::size_t) const override { return ranges_[number_]; }
  std::vector<Range> ranges(std::size_t) const override { return ranges_; }

  void share(std::vector<ShardSum>& sums) override {
    const std::vector<ShardSum> own = std::move(sums);
    sums.clear();
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      if (i != number_) post_.send(number_, i, own);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const std::vector<ShardSum> theirs = i == number_ ? own : post_.take(i, number_);
      sums.insert(sums.end(), theirs.begin(), theirs.end());
    }
  }

  void swap(std::vector<Swap>& with) override {
    for (Swap& s : with) post_.send(number_, s.process, {{0, 0, std::move(s.sent), 0, 0}});
    for (Swap& s : with) {
      Array came = post_.take(s.process, number_).front().gradient;
      check(came.size() == s.received.size(), "got {} numbers, expected {}.", came.size(), s.received.size());
      s.received = std::move(came);
    }
  }

 private:
  Post& post_;
  std::size_t number_;
  std::vector<Range> ranges_;
};

// Throws when an op or its derivative is computed for the n-th time.
class Breaker final : public OpObserver {
 public:
  void arm(const char* op, int computed, int differentiated) {
    const std::lock_guard lock(mutex_);
    op_ = op, computed_ = computed, differentiated_ = differentiated;
  }
  void computed(const char* op, std::span<const Tensor>, const Array&) override { count(op, computed_); }
  void differentiated(const Tensor& output, std::size_t, const Tensor&, const Tensor&) override {
    count(output.op(), differentiated_);
  }

 private:
  void count(const std::string& op, int& left) {
    const std::lock_guard lock(mutex_);
    if (op == op_ && --left == 0) fail("'{}' broke.", op);
  }
  std::mutex mutex_;
  std::string op_;
  int computed_ = 0, differentiated_ = 0;
};

}  // namespace

TEST_CASE("parts of sequences give the same bits on any number of threads", "[train][parts]") {
  const run::RunConfig config = divided_config();
  const Weights one = trained(config, 1);
  for (const int threads : {2, 3, 5}) CHECK(same_bits(one, trained(config, threads)));
}

TEST_CASE("parts of sequences give the same bits in any number of processes", "[train][parts]") {
  const run::RunConfig config = divided_config();
  const Weights alone = trained(config, 1);
  const std::vector<std::vector<Exchange::Range>> divisions{
      {{0, 12}},
      {{0, 6}, {6, 12}},          // a sequence and a half each
      {{0, 1}, {1, 3}, {3, 12}},  // three processes for the first sequence
      {{0, 3}, {3, 5}, {5, 8}, {8, 12}}};
  for (const auto& ranges : divisions) {
    Post post;
    std::vector<Weights> weights(ranges.size());
    std::vector<std::thread> processes;
    for (std::size_t i = 0; i < ranges.size(); ++i)
      processes.emplace_back([&, i] {
        Process process(post, i, ranges);
        weights[i] = trained(config, 1 + static_cast<int>(i % 2), process);
      });
    for (std::thread& process : processes) process.join();
    CAPTURE(ranges.size());
    for (const Weights& w : weights) CHECK(same_bits(alone, w));
  }
}

TEST_CASE("an error in one part ends the step, and the next step goes on", "[train][parts]") {
  static Breaker breaker;  // observers must exist until the program ends
  const run::RunConfig config = divided_config();
  const auto model = run::make_model(config);
  const tasks::Task task = run::make_task(config);
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    Trainer trainer(*model, task, config.train, pool);
    breaker.switch_on();
    // The third time that an op is computed, one part has not been there yet.
    for (const auto& [computed, differentiated] : {std::pair{3, 0}, std::pair{0, 3}}) {
      breaker.arm("with_key_before", computed, differentiated);
      CHECK(error_of([&] { trainer.step(); }) == "training stopped at step 1: 'with_key_before' broke.");
    }
    breaker.arm("", 0, 0);
    breaker.switch_off();
    CHECK(trainer.step().step == 1);
  }
}

TEST_CASE("an exchange that does not know all parts is an error", "[train][parts]") {
  const run::RunConfig config = divided_config();
  struct Deaf : Exchange {
    Range mine(std::size_t) const override { return {0, 6}; }
  } deaf;
  CHECK(error_of([&] { trained(config, 1, deaf); }) ==
        "training stopped at step 1: an exchange names the processes of 2 of the 4 parts of a sequence.");
}

TEST_CASE("a loss of the user's own gets whole sequences", "[train][parts]") {
  const run::RunConfig config = divided_config();
  const tasks::Task task = run::make_task(config);
  ThreadPool pool(1);
  const Tensor weight = parameter(ones({1}));
  const auto loss = [&](const tasks::Batch&) { return Tensor(weight); };
  CHECK(error_of([&] { Trainer({weight}, loss, task, config.train, pool); }) ==
        "a batch of 3 is too small for 12 shards: only the trainer of a Transformer divides sequences. Hint: "
        "train.shards = 3.");
}

TEST_CASE("sequences that cannot be divided are refused", "[train][parts]") {
  TrainConfig config;
  config.batch = 2, config.shards = 16;
  nn::TransformerConfig model;
  model.n_ctx = 60;
  CHECK(
      error_of([&] { check_parts(config, model); }) ==
      "train.shards = 16 with train.batch = 2 divides each sequence into 8 parts, which 60 tokens cannot be "
      "equally. Hint: train.shards = 12, or another n_ctx.");
  model.architecture = nn::Architecture::encoder_decoder;
  CHECK(error_of([&] { check_parts(config, model); }) ==
        "train.shards = 16 with train.batch = 2 divides each sequence into 8 parts, and an encoder-decoder "
        "reads whole ones. Hint: train.shards = 2.");
}

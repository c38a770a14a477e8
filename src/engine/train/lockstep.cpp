#include "train/lockstep.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <utility>

#include "headlight/core/buffer_pool.h"
#include "headlight/core/thread_pool.h"
#include "train/part_rows.h"
#include "train/stopwatch.h"

namespace headlight::train {

// Lets at most `free` parts compute at once. A part that waits is ready again when all parts have come.
struct Lockstep::State : nn::PartExchange {
  State(Exchange& exchange, std::size_t shards, std::size_t parts, int threads, std::size_t most_parts)
      : exchange_(exchange),
        shards_(shards),
        parts_(parts),
        threads_(threads),
        pool_(static_cast<int>(most_parts)),
        local_(most_parts) {}

  void begin(Exchange::Range shards) {
    rows_ = PartRows(exchange_, shards_, parts_, shards);
    first_ = shards.first % parts_, count_ = shards.last - shards.first;
    free_ = threads_, arrived_ = 0, error_ = nullptr;
    for (Local& local : local_) local = {};
    order_.resize(count_);
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return part(a).block() > part(b).block(); });
  }

  nn::SequencePart part(std::size_t local) { return {first_ + local, parts_, this}; }

  std::vector<Tensor> gather(std::size_t part, const std::vector<Tensor>& rows) override {
    std::unique_lock lock(mutex_);
    local_[part - first_].tensors = rows;
    meet(lock, part - first_, [&] {
      std::vector<std::vector<Tensor>> brought;
      for (std::size_t i = 0; i < count_; ++i) brought.push_back(std::move(local_[i].tensors));
      const std::vector<Tensor> all = rows_.gathered(brought);
      for (std::size_t i = 0; i < count_; ++i) local_[i].tensors = all;
    });
    return std::move(local_[part - first_].tensors);
  }

  std::vector<Tensor> sum(std::size_t part, std::vector<Tensor> of_all) override {
    std::unique_lock lock(mutex_);
    rows_.add(part, std::move(of_all));
    meet(lock, part - first_, [&] {
      std::vector<std::vector<Tensor>> sums = rows_.take_sums();
      for (std::size_t i = 0; i < count_; ++i) local_[i].tensors = std::move(sums[i]);
    });
    return std::move(local_[part - first_].tensors);
  }

  // Waits until all parts have come, of which the last calls complete(), and then for a turn to compute.
  template <class Complete>
  void meet(std::unique_lock<std::mutex>& lock, std::size_t local, Complete complete) {
    if (error_) std::rethrow_exception(error_);
    trim_buffer_pool();  // no other thread could use what this one has kept
    local_[local].computes = false, ++free_;
    if (++arrived_ == count_) {
      complete();
      arrived_ = 0;
      for (std::size_t i = 0; i < count_; ++i) local_[i].ready = true;
    }
    take_turn(lock, local);
  }

  void take_turn(std::unique_lock<std::mutex>& lock, std::size_t local) {
    Stopwatch watch;
    give_turns();
    changed_.wait(lock, [&] { return local_[local].computes || error_; });
    local_[local].waited += watch.lap();
    if (error_) std::rethrow_exception(error_);
  }

  void give_turns() {
    for (const std::size_t i : order_) {
      if (free_ == 0 || !local_[i].ready) continue;
      local_[i].ready = false, local_[i].computes = true, --free_;
    }
    changed_.notify_all();
  }

  void compute(std::size_t local, std::size_t shard, const Task& task) {
    try {
      {
        std::unique_lock lock(mutex_);
        local_[local].ready = true;
        take_turn(lock, local);
      }
      task(shard, part(local));
      const std::lock_guard lock(mutex_);
      local_[local].computes = false, ++free_;
      give_turns();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      changed_.notify_all();
      throw;
    }
  }

  struct Local {
    bool ready = false, computes = false;
    double waited = 0;
    std::vector<Tensor> tensors = {};  // what the part brings, and then what it gets
  };

  Exchange& exchange_;
  std::size_t shards_, parts_;
  int threads_;
  ThreadPool pool_;
  std::size_t first_ = 0, count_ = 0;  // parts of this process in the present sequence
  PartRows rows_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_ = 0;
  std::size_t arrived_ = 0;
  std::exception_ptr error_;
  std::vector<Local> local_;
  std::vector<std::size_t> order_;  // in which turns are given
};

namespace {

// The most parts of one sequence that a range has.
std::size_t most_parts(Exchange::Range range, std::size_t parts) {
  std::size_t most = 0;
  for (std::size_t first = range.first, end; first < range.last; first = end) {
    end = std::min(range.last, first / parts * parts + parts);
    most = std::max(most, end - first);
  }
  return most;
}

}  // namespace

Lockstep::Lockstep(Exchange& exchange, std::size_t shards, std::size_t parts, int threads)
    : state_(std::make_unique<State>(exchange, shards, parts, threads,
                                     most_parts(exchange.mine(shards), parts))) {}
Lockstep::~Lockstep() = default;

void Lockstep::run(Exchange::Range shards, const Task& task) {
  State& s = *state_;
  s.begin(shards);
  s.pool_.run(s.count_, [&](std::size_t i) { s.compute(i, shards.first + i, task); });
}

double Lockstep::waited(std::size_t shard) const {
  return state_->local_[shard % state_->parts_ - state_->first_].waited;
}

}  // namespace headlight::train

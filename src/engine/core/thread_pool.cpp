#include "headlight/core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "headlight/core/check.h"

namespace headlight {

namespace {

constexpr int kMostThreads = 1024;

// Waits awake for a condition that will soon be true. Sleeping and waking takes about 50 µs, and a step of a
// small model has two rounds of work in 3 ms. Other threads may run meanwhile.
template <class Condition>
void wait_a_moment(Condition condition) {
  constexpr auto kMoment = std::chrono::microseconds(100);
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace

// One call of run(): each participating thread takes the next task until no task is left.
class PoolRound {
 public:
  PoolRound(std::size_t count, const std::function<void(std::size_t)>& task) : task_(task), errors_(count) {}

  void take_tasks() {
    for (std::size_t i = next_++; i < errors_.size(); i = next_++) {
      try {
        task_(i);
      } catch (...) {
        errors_[i] = std::current_exception();
      }
    }
  }

  void rethrow() const {
    for (const auto& error : errors_)
      if (error) std::rethrow_exception(error);
  }

 private:
  const std::function<void(std::size_t)>& task_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::exception_ptr> errors_;  // one per task; null if the task did not throw
};

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_ready, work_done;
  std::atomic<bool> running{false};  // whether a call of run() has the workers
  PoolRound* round = nullptr;
  // Written under the mutex; read without it only to see whether waiting is over.
  std::atomic<std::uint64_t> rounds{0};  // workers wake when it changes
  std::atomic<bool> stopping{false};
  std::atomic<int> busy{0};  // workers still inside the current round

  std::vector<std::thread> workers;

  void stop() {
    {
      std::lock_guard lock(mutex);
      stopping = true;
    }
    work_ready.notify_all();
    for (auto& worker : workers) worker.join();
  }

  void run(PoolRound& mine) {
    {
      std::lock_guard lock(mutex);
      round = &mine;
      busy = static_cast<int>(workers.size());
      ++rounds;
    }
    work_ready.notify_all();
    mine.take_tasks();
    wait_a_moment([&] { return busy == 0; });
    std::unique_lock lock(mutex);
    work_done.wait(lock, [&] { return busy == 0; });
  }

  void work() {
    std::uint64_t seen = 0;
    for (;;) {
      wait_a_moment([&] { return stopping || rounds != seen; });
      {
        std::unique_lock lock(mutex);
        work_ready.wait(lock, [&] { return stopping || rounds != seen; });
        if (stopping) return;
        seen = rounds;
      }
      round->take_tasks();
      std::lock_guard lock(mutex);
      if (--busy == 0) work_done.notify_one();
    }
  }
};

int thread_count(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  check(threads >= 0, "[ThreadPool] expected 0 (all cores) or more threads, got {}.", threads);
  check(threads <= kMostThreads, "[ThreadPool] {} threads are surely a mistake: expected at most {}.",
        threads, kMostThreads);
  threads = thread_count(threads);
  try {
    for (int i = 1; i < threads; ++i) state_->workers.emplace_back([this] { state_->work(); });
  } catch (const std::system_error&) {
    const std::size_t started = state_->workers.size() + 1;
    state_->stop();
    fail("[ThreadPool] the system gave only {} of {} threads.", started, threads);
  } catch (...) {  // too little memory; threads that run must not be destroyed
    state_->stop();
    throw;
  }
}

ThreadPool::~ThreadPool() { state_->stop(); }

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  check(static_cast<bool>(task), "[ThreadPool] the task is an empty function.");
  PoolRound round(count, task);
  if (state_->running.exchange(true)) {
    round.take_tasks();
  } else {
    state_->run(round);
    state_->running = false;
  }
  round.rethrow();
}

}  // namespace headlight

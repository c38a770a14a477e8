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
#include "headlight/core/gemm.h"

namespace headlight {

namespace {

constexpr int kMostThreads = 1024;

// Waits a moment for a condition that is about to come true. Going to sleep and being woken takes about 50
// µs, and a step of a small model has two rounds of work in 3 ms. Others may run meanwhile.
template <class Condition>
void wait_a_moment(Condition condition) {
  constexpr auto kMoment = std::chrono::microseconds(100);
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_ready, work_done;
  // Written under the mutex; read without it only to see whether waiting is over.
  std::atomic<std::uint64_t> round{0};  // counts calls of run(); workers wake when it changes
  std::atomic<bool> stopping{false};
  std::atomic<int> busy{0};  // workers still inside the current round

  const std::function<void(std::size_t)>* task = nullptr;
  std::size_t count = 0;
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors;

  std::vector<std::thread> workers;

  void stop() {
    {
      std::lock_guard lock(mutex);
      stopping = true;
    }
    work_ready.notify_all();
    for (auto& worker : workers) worker.join();
  }

  void take_tasks() {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        (*task)(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  }

  void work() {
    std::uint64_t seen = 0;
    for (;;) {
      wait_a_moment([&] { return stopping || round != seen; });
      {
        std::unique_lock lock(mutex);
        work_ready.wait(lock, [&] { return stopping || round != seen; });
        if (stopping) return;
        seen = round;
      }
      take_tasks();
      std::lock_guard lock(mutex);
      if (--busy == 0) work_done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  check(threads >= 0, "[ThreadPool] expected 0 (all cores) or more threads, got {}.", threads);
  check(threads <= kMostThreads, "[ThreadPool] {} threads are surely a mistake: expected at most {}.",
        threads, kMostThreads);
  if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  try {
    for (int i = 1; i < threads; ++i) state_->workers.emplace_back([this] { state_->work(); });
  } catch (const std::system_error&) {
    const std::size_t started = state_->workers.size() + 1;
    state_->stop();
    fail("[ThreadPool] the system gave only {} of {} threads.", started, threads);
  }
}

ThreadPool::~ThreadPool() { state_->stop(); }

int ThreadPool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  const SingleThreadedBlas scope;
  State& s = *state_;
  s.errors.assign(count, nullptr);
  {
    std::lock_guard lock(s.mutex);
    s.task = &task;
    s.count = count;
    s.next = 0;
    s.busy = static_cast<int>(s.workers.size());
    ++s.round;
  }
  s.work_ready.notify_all();
  s.take_tasks();
  wait_a_moment([&] { return s.busy == 0; });
  {
    std::unique_lock lock(s.mutex);
    s.work_done.wait(lock, [&] { return s.busy == 0; });
  }
  for (const auto& error : s.errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace headlight

// A fixed set of threads that run numbered tasks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace headlight {

// How many threads a setting means: 0 is one per core.
int thread_count(int threads);

class ThreadPool {
 public:
  // thread_count(threads) threads with the calling one, which works too: ThreadPool(1) starts no thread.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Calls task(0) … task(count-1), each once, on any free thread, and returns when all are done. If tasks
  // throw, the exception of the lowest-numbered task is rethrown after the others have ended. A task may call
  // run(), and several threads may: while the pool is busy, the tasks of another call run in order on the
  // thread that calls.
  void run(std::size_t count, const std::function<void(std::size_t)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight

// A fixed set of threads that run numbered tasks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace headlight::inline HEADLIGHT_PRECISION {

class ThreadPool {
 public:
  // `threads` counts the calling thread, which works too: ThreadPool(1) starts none. 0 takes as many
  // as the machine has cores.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Calls task(0) … task(count-1), each once, on whichever thread is free, and returns when all are
  // done. When tasks throw, the exception of the lowest-numbered one is rethrown after the others
  // have ended. While the pool is at work, all tasks of another call run on the thread that calls, in their
  // order: a task may call run(), and so may several threads.
  void run(std::size_t count, const std::function<void(std::size_t)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION

// The thread pool of a module, which has one thread.
#include "headlight/core/check.h"
#include "headlight/core/thread_pool.h"

namespace headlight {

struct ThreadPool::State {};

int thread_count(int) { return 1; }

ThreadPool::ThreadPool(int) {}
ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return 1; }

void ThreadPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  check(static_cast<bool>(task), "[ThreadPool] the task is an empty function.");
  for (std::size_t i = 0; i < count; ++i) task(i);
}

}  // namespace headlight

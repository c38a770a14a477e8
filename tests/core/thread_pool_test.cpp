#include <atomic>
#include <vector>

#include "catch.h"
#include "headlight/core/thread_pool.h"

using namespace headlight;

TEST_CASE("every task runs exactly once, whatever the number of threads", "[core]") {
  const int threads = GENERATE(1, 2, 3, 8);
  ThreadPool pool(threads);
  CHECK(pool.threads() == threads);
  for (std::size_t count : {0, 1, 7, 1000}) {
    std::vector<std::atomic<int>> runs(count);
    pool.run(count, [&](std::size_t i) { ++runs[i]; });
    for (const auto& n : runs) CHECK(n == 1);
  }
}

TEST_CASE("the lowest task's exception is rethrown after all have ended", "[core]") {
  ThreadPool pool(3);
  std::atomic<int> ended{0};
  const auto message = error_of([&] {
    pool.run(20, [&](std::size_t i) {
      ++ended;
      if (i == 5 || i == 13) fail("task {}", i);
    });
  });
  CHECK(message == "task 5");
  CHECK(ended == 20);
  pool.run(3, [&](std::size_t) { ++ended; });  // the pool is still usable
  CHECK(ended == 23);
}

TEST_CASE("a negative number of threads is refused", "[core]") {
  CHECK(contains(error_of([] { ThreadPool pool(-1); }), "got -1"));
}

#include <atomic>
#include <thread>
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

TEST_CASE("a task may run tasks of its own on the same pool", "[core]") {
  const int threads = GENERATE(1, 2, 4);
  ThreadPool pool(threads);
  std::vector<std::atomic<int>> runs(8 * 8 * 8);
  pool.run(8, [&](std::size_t i) {
    pool.run(8, [&](std::size_t j) { pool.run(8, [&](std::size_t k) { ++runs[(i * 8 + j) * 8 + k]; }); });
  });
  for (const auto& n : runs) CHECK(n == 1);
}

TEST_CASE("an exception of an inner task comes out of the outer run", "[core]") {
  ThreadPool pool(2);
  std::atomic<int> ended{0};
  const auto message = error_of([&] {
    pool.run(4, [&](std::size_t i) {
      pool.run(4, [&](std::size_t j) {
        ++ended;
        if (i == 2 && j >= 1) fail("task {} of {}", j, i);
      });
    });
  });
  CHECK(message == "task 1 of 2");
  CHECK(ended == 16);
}

TEST_CASE("two pools may run tasks of each other", "[core]") {
  ThreadPool one(2), other(2);
  std::atomic<int> runs{0};
  one.run(3,
          [&](std::size_t) { other.run(3, [&](std::size_t) { one.run(3, [&](std::size_t) { ++runs; }); }); });
  CHECK(runs == 27);
}

TEST_CASE("two threads may use one pool at once", "[core]") {
  const int threads = GENERATE(1, 3);
  ThreadPool pool(threads);
  std::vector<std::atomic<int>> first(20), second(30);
  std::atomic<bool> inside{false}, ended{false};
  std::thread caller([&] {
    while (!inside) std::this_thread::yield();
    pool.run(second.size(), [&](std::size_t i) { ++second[i]; });
    ended = true;
  });
  pool.run(first.size(), [&](std::size_t i) {
    inside = true;
    while (!ended) std::this_thread::yield();  // the other call begins and ends while this one lasts
    ++first[i];
  });
  caller.join();
  for (const auto& n : first) CHECK(n == 1);
  for (const auto& n : second) CHECK(n == 1);
}

TEST_CASE("a negative number of threads is refused", "[core]") {
  CHECK(contains(error_of([] { ThreadPool pool(-1); }), "got -1"));
}

TEST_CASE("an empty function is no task", "[core]") {
  ThreadPool pool(2);
  CHECK(contains(error_of([&] { pool.run(3, {}); }), "the task is an empty function"));
}

// How many threads ranks start, and what is said when they are too many.
#include "headlight/ranks/threads.h"

#include "catch.h"

using namespace headlight::ranks;

TEST_CASE("ranks divide the cores of their host", "[ranks]") {
  const Place free{"a", 8, 8, 0}, bound{"a", 8, 1, 0}, other{"b", 4, 4, 0};
  CHECK(threads_of({free, free, other}) == std::vector<int>{4, 4, 4});
  CHECK(threads_of({bound, free, free}) == std::vector<int>{1, 2, 2});
  CHECK(threads_of({{"a", 8, 8, 3}}) == std::vector<int>{3});
  CHECK(threads_of({{"a", 1, 1, 0}, {"a", 1, 1, 0}}) == std::vector<int>{1, 1});
}

TEST_CASE("threads that wait for cores are noted, with a remedy", "[ranks]") {
  CHECK(note_on_threads({{"a", 8, 8, 0}, {"a", 8, 8, 0}}).empty());
  CHECK(note_on_threads({{"a", 2, 1, 0}, {"a", 2, 1, 0}}).empty());  // bound, each to its part
  CHECK(note_on_threads({{"a", 8, 8, 4}, {"b", 2, 1, 2}}) ==
        "rank 1 (b) could use 2 cores for 2 threads, but may use 1 core. Hint: mpirun --bind-to none.");
  CHECK(note_on_threads({{"a", 8, 2, 0}, {"a", 8, 2, 0}}) ==
        "rank 0 (a) could use 4 cores for 4 threads, but may use 2 cores. Hint: mpirun --bind-to none.");
  CHECK(note_on_threads({{"a", 4, 4, 4}, {"a", 4, 4, 4}}) ==
        "2 ranks with 8 threads in all share 4 cores of a. Hint: --threads 2.");
  CHECK(note_on_threads({{"a", 2, 2, 1}, {"a", 2, 2, 1}, {"a", 2, 2, 1}}) ==
        "3 ranks with 3 threads in all share 2 cores of a. Hint: fewer ranks there would be as fast.");
}

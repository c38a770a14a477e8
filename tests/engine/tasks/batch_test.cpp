// Batches made by hand, and sequences that cannot be drawn.
#include "headlight/tasks/batch.h"

#include <cstdint>

#include "catch.h"
#include "headlight/tasks/toy_tasks.h"

using namespace headlight;
using namespace headlight::tasks;

namespace {

IntArray twos(const Shape& shape) { return IntArray(shape, 2); }

Batch batch_of_twos() {
  return {twos({2, 5}), twos({2, 5}), BoolArray({2, 5}, true), twos({2, 3}), twos({2, 5})};
}

// What is said of the batch after a change, with a vocabulary of 4.
std::string said_of(const std::function<void(Batch&)>& change) {
  Batch batch = batch_of_twos();
  change(batch);
  return error_of([&] { check_batch(batch, 4); });
}

}  // namespace

TEST_CASE("a batch is checked part by part", "[tasks]") {
  CHECK_NOTHROW(check_batch(batch_of_twos(), 4));
  const char* shapes = "of one shape (B,n)";
  CHECK(contains(said_of([](Batch& b) { b.tokens = twos({10}); }), shapes));
  CHECK(contains(said_of([](Batch& b) { b.targets = twos({2, 4}); }), shapes));
  CHECK(contains(said_of([](Batch& b) { b.predictable = BoolArray({1}, true); }), shapes));
  CHECK(contains(said_of([](Batch& b) {
                   b.source = twos({3, 3});
                 }),
                 "expected a source (2,m) or (0), got (3,3)"));
  CHECK(contains(said_of([](Batch& b) {
                   b.answers = twos({1, 1});
                 }),
                 "expected answers (2,5) or (0), got (1,1)"));
  CHECK(said_of([](Batch& b) { b.tokens(1, 4) = -1; }) == "[batch] expected each token in 0 … 3, got -1.");
  CHECK(said_of([](Batch& b) { b.targets(1, 4) = 4; }) == "[batch] expected each target in -1 … 3, got 4.");
  CHECK(said_of([](Batch& b) { b.source(1, 2) = 4; }) ==
        "[batch] expected each source token in 0 … 3, got 4.");
  CHECK(said_of([](Batch& b) { b.answers(1, 4) = 3; }) == "[batch] expected each answer in -1 … 2, got 3.");
  CHECK(said_of([](Batch& b) {
          b.source = IntArray::from_shape({0});
          b.answers(0, 0) = 5;
        }) == "[batch] expected each answer in -1 … 4, got 5.");
}

TEST_CASE("rows that a batch lacks are refused", "[tasks]") {
  const Batch batch = batch_of_twos();
  CHECK(batch_rows(batch, 1, 1).source.shape()[1] == 3);
  CHECK(contains(error_of([&] { batch_rows(batch, 0, 3); }), "expected rows of the batch's 2, got 3 from 0"));
  CHECK(contains(error_of([&] { batch_rows(batch, 1, SIZE_MAX); }), "from 1"));
  Batch broken = batch;
  broken.targets = twos({2, 4});
  CHECK(contains(error_of([&] { batch_rows(broken, 0, 1); }), "of one shape (B,n)"));
}

TEST_CASE("an empty generator draws nothing", "[tasks]") {
  const Task task = make_task({});
  CHECK(contains(error_of([&] { draw_batch(task, {}, 2, Rng(1)); }), "the generator is empty"));
}

TEST_CASE("a segment has a length that fits", "[tasks]") {
  for (const char* name : {"repeat", "copy", "reverse", "sort"}) {
    INFO(name);
    const Task task = make_task({.name = name});
    Rng rng(1);
    for (const std::size_t length : {std::size_t{0}, task.longest_segment + 1, std::size_t{SIZE_MAX}})
      CHECK(error_of([&] { task.with_segment(length, rng); }) ==
            fmt::format("[with_segment] expected a segment of 1 … {} tokens, got {}.", task.longest_segment,
                        length));
    CHECK_NOTHROW(task.with_segment(task.longest_segment, rng));
  }
}

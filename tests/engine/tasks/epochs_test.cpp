#include "headlight/tasks/epochs.h"

#include <set>

#include "catch.h"
#include "headlight/tasks/batch.h"

using namespace headlight;
using namespace headlight::tasks;

TEST_CASE("every epoch reads each example once, in an order of its own", "[tasks]") {
  for (const std::size_t count : {1, 2, 3, 5, 16, 17, 100, 1000}) {
    const Epochs order(count, 7);
    std::vector<std::vector<std::size_t>> epochs;
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
      epochs.push_back(order.batch(epoch * count, count));
      CHECK(std::set<std::size_t>(epochs.back().begin(), epochs.back().end()).size() == count);
      CHECK(order.epoch(epoch * count) == epoch);
      CHECK(order.epoch(epoch * count + count - 1) == epoch);
    }
    if (count >= 16) {
      CHECK(epochs[0] != epochs[1]);
      CHECK(epochs[1] != epochs[2]);
      CHECK(epochs[0] != Epochs(count, 8).batch(0, count));
    }
  }
}

TEST_CASE("an epoch's first example may be any", "[tasks]") {
  std::vector<int> first(10);
  for (std::uint64_t epoch = 0; epoch < 2000; ++epoch) ++first[Epochs(10, 3)(10 * epoch)];
  for (const int times : first) CHECK(std::abs(times - 200) < 60);  // four standard deviations
}

TEST_CASE("no examples have no order", "[tasks]") {
  CHECK(error_of([] { Epochs(0, 1); }) == "[epochs] there are no examples to read.");
}

TEST_CASE("training reads the sequences at its places, and what is measured is drawn", "[tasks]") {
  using Numbers = std::vector<std::int32_t>;
  const auto tokens_of = [](const Batch& batch) { return Numbers(batch.tokens.begin(), batch.tokens.end()); };
  const auto number = [](std::uint64_t token) { return Sequence{{static_cast<std::int32_t>(token)}, {1}}; };
  Task task{.config = {.name = "counting", .d_vocab = 100, .n_ctx = 1},
            .vocabulary = Vocabulary::of_size(100),
            .training = [=](Rng& rng) { return number(rng.below(100)); }};
  const Numbers drawn = tokens_of(draw_batch(task, task.training, 5, Rng(2), 7));
  CHECK(tokens_of(draw_training_batch(task, 5, Rng(2), 7)) == drawn);
  task.training_at = [=](std::uint64_t, Rng& rng) { return number(rng.below(100)); };
  CHECK(tokens_of(draw_training_batch(task, 5, Rng(2), 7)) == drawn);  // the same random numbers
  task.training_at = [=](std::uint64_t place, Rng&) { return number(place); };
  CHECK(tokens_of(draw_training_batch(task, 3, Rng(1), 40)) == Numbers{40, 41, 42});
  CHECK(tokens_of(draw_batch(task, task.training, 5, Rng(2), 7)) == drawn);
  CHECK(error_of([&] { draw_training_batch(task, 3, Rng(1), 98); }) ==
        "the task 'counting' drew the token 100, which is outside the vocabulary 0 … 99.");
}

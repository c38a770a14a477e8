// The sequences with repeats that a certificate is measured on, and their controls.
#include "headlight/interpret/repeated_sequences.h"

#include <map>
#include <set>

#include "catch.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

using Query = std::pair<std::size_t, std::size_t>;  // sequence, position

std::map<Query, std::set<std::size_t>> keys_of(const RepeatedSequences& repeats) {
  std::map<Query, std::set<std::size_t>> keys;
  for (const Follower& f : repeats.followers) CHECK(keys[{f.sequence, f.query}].insert(f.key).second);
  CHECK(keys.size() == repeats.queries);
  return keys;
}

bool is_special(const tasks::Task& task, std::int32_t token) {
  return std::find(task.special.begin(), task.special.end(), token) != task.special.end();
}

// Special tokens stay, targets and marks stay, and no other token comes twice before all have come once.
void check_control(const tasks::Task& task, const RepeatedSequences& repeats) {
  const tasks::Batch &control = repeats.control, &batch = repeats.repeated;
  CHECK(control.targets == batch.targets);
  CHECK(std::equal(control.predictable.data(), control.predictable.data() + batch.predictable.size(),
                   batch.predictable.data()));
  CHECK(control.tokens != batch.tokens);
  const std::size_t plain = task.config.d_vocab - task.special.size();
  for (std::size_t b = 0; b < batch.tokens.shape()[0]; ++b) {
    std::set<std::int32_t> seen;
    for (std::size_t t = 0; t < batch.tokens.shape()[1]; ++t) {
      const std::int32_t token = control.tokens(b, t);
      if (is_special(task, batch.tokens(b, t))) {
        CHECK(token == batch.tokens(b, t));
        continue;
      }
      CHECK_FALSE(is_special(task, token));
      CHECK(seen.insert(token).second);
      if (seen.size() == plain) seen.clear();
    }
  }
}

}  // namespace

TEST_CASE("random repeats come back at every distance from 4 to five eighths of the context",
          "[interpret][certificate]") {
  const tasks::Task task = tasks::make_task({.d_vocab = 40, .n_ctx = 32});
  const RepeatedSequences repeats = random_repeats(task, 400, Rng(6));
  const IntArray& tokens = repeats.repeated.tokens;
  std::set<std::size_t> distances, runs;
  for (const Follower& f : nearest_followers(repeats.followers)) distances.insert(f.query + 1 - f.key);
  CHECK(*distances.begin() == 4);
  CHECK(*distances.rbegin() == 20);  // 33 · 5/8
  CHECK(distances.size() == 17);
  const auto keys = keys_of(repeats);
  for (const auto& [query, all] : keys) {
    const auto [b, t] = query;
    std::set<std::size_t> expected;  // no other token of the sequence is one of the segment
    for (std::size_t j = 0; j < t; ++j)
      if (tokens(b, j) == tokens(b, t)) expected.insert(j + 1);
    CHECK(all == expected);
    std::size_t length = 1;  // of the predictable tokens in a row
    while (keys.contains({b, t + length})) ++length;
    if (!keys.contains({b, t - 1})) runs.insert(length + 1);
  }
  CHECK(*runs.rbegin() == 12);  // below two thirds of the longest distance
  CHECK(runs.contains(3));
  check_control(task, repeats);
}

TEST_CASE("a task's own repeats have every follower, and say which is the answer",
          "[interpret][certificate]") {
  for (const char* name : {"repeat", "copy"}) {
    INFO(name);
    const tasks::Task task = tasks::make_task(
        {.name = name, .d_vocab = 14, .n_ctx = 24, .min_segment = 6, .max_segment = 8, .distinct = false});
    const RepeatedSequences repeats = *own_repeats(task, 50, Rng(6));
    const tasks::Batch& batch = repeats.repeated;
    const tasks::Batch drawn = tasks::draw_batch(task, task.training, 50, Rng(6).stream("own"));
    CHECK(batch.tokens == drawn.tokens);
    const auto keys = keys_of(repeats);
    std::size_t answered = 0, several = 0;
    for (std::size_t b = 0; b < 50; ++b)
      for (std::size_t t = 0; t < 24; ++t) {
        std::set<std::size_t> expected;
        if (batch.predictable(b, t) && batch.answers(b, t) > 0)
          for (std::size_t key = 1; key < t; ++key)
            if (batch.tokens(b, key - 1) == batch.tokens(b, t)) expected.insert(key);
        CHECK(keys.contains({b, t}) == !expected.empty());
        if (expected.empty()) continue;
        CHECK(keys.at({b, t}) == expected);
        answered += expected.contains(static_cast<std::size_t>(batch.answers(b, t))) ? 1 : 0;
        several += expected.size() > 1 ? 1 : 0;
      }
    for (const Follower& f : repeats.followers)
      CHECK(f.answers == (batch.tokens(f.sequence, f.key) == batch.targets(f.sequence, f.query)));
    CHECK(answered > 200);
    CHECK(several > 3);
    check_control(task, repeats);
  }
  const tasks::Task reverse = tasks::make_task({.name = "reverse", .d_vocab = 14, .n_ctx = 24}),
                    parity = tasks::make_task({.name = "parity", .n_ctx = 16});
  CHECK(own_questions(reverse, 4, Rng(1)).has_value());
  CHECK_FALSE(own_repeats(parity, 4, Rng(1)));
}

TEST_CASE("followers beside the answer are those of queries that no follower answers",
          "[interpret][certificate]") {
  RepeatedSequences repeats = random_repeats(tasks::make_task({.d_vocab = 20, .n_ctx = 16}), 2, Rng(1));
  repeats.followers = {
      {0, 5, 2, false}, {0, 5, 4, true}, {0, 9, 3, false}, {0, 9, 6, false}, {1, 9, 2, true}};
  const RepeatedSequences beside = beside_the_answer(repeats);
  REQUIRE(beside.followers.size() == 2);
  CHECK((beside.followers[0].key == 3 && beside.followers[1].key == 6));
  CHECK(beside.queries == 1);
}

TEST_CASE("moved followers keep those that their query sees", "[interpret][certificate]") {
  RepeatedSequences repeats = random_repeats(tasks::make_task({.d_vocab = 20, .n_ctx = 16}), 2, Rng(1));
  repeats.followers = {{0, 5, 2}, {0, 5, 5}, {0, 9, 4}, {1, 9, 8}};
  const RepeatedSequences later = moved(repeats, 2);
  REQUIRE(later.followers.size() == 2);
  CHECK((later.followers[0].query == 5 && later.followers[0].key == 4));
  CHECK((later.followers[1].query == 9 && later.followers[1].key == 6 && later.followers[1].sequence == 0));
  CHECK(later.queries == 2);
  CHECK(moved(repeats, 0).queries == 3);
  CHECK(moved(repeats, 1).followers.size() == 3);  // a query sees itself
}

TEST_CASE("repeats need a context of 16 and 8 plain tokens", "[interpret][certificate]") {
  tasks::Task task = tasks::make_task({.d_vocab = 20, .n_ctx = 16});
  CHECK(has_room_for_repeats(task));
  task.config.n_ctx = 15;
  CHECK_FALSE(has_room_for_repeats(task));
  task.config.n_ctx = 16, task.config.d_vocab = 10, task.special = {0, 1};
  CHECK(has_room_for_repeats(task));
  task.special = {0, 1, 2};
  CHECK_FALSE(has_room_for_repeats(task));
}

#include <set>

#include "catch.h"
#include "headlight/tasks/task.h"

using namespace headlight;
using namespace headlight::tasks;

TEST_CASE("repeat repeats a segment of distinct tokens", "[tasks]") {
  const auto task = make_task({});
  Rng rng(1);
  std::set<std::size_t> periods;
  for (int i = 0; i < 200; ++i) {
    const Sequence s = task->draw(rng);
    REQUIRE(s.tokens.size() == 65);
    std::size_t period = 1;
    while (s.tokens[period] != s.tokens[0]) ++period;
    periods.insert(period);
    CHECK(std::set(s.tokens.begin(), s.tokens.begin() + static_cast<long>(period)).size() == period);
    for (std::size_t t = period; t < s.tokens.size(); ++t) CHECK(s.tokens[t] == s.tokens[t - period]);
    for (std::size_t t = 0; t < 64; ++t) CHECK(s.predictable[t] == (t >= period));
  }
  CHECK(*periods.begin() == 16);
  CHECK(*periods.rbegin() == 32);
}

TEST_CASE("held-out periods are those never trained on", "[tasks]") {
  const auto ranges = make_task({})->held_out();
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].first == 8);
  CHECK(ranges[0].last == 15);
  CHECK(ranges[1].first == 33);
  CHECK(ranges[1].last == 40);
}

TEST_CASE("copy copies its prefix after the separator", "[tasks]") {
  const auto task = make_task({.name = "copy"});
  Rng rng(2);
  std::set<std::size_t> lengths;
  for (int i = 0; i < 100; ++i) {
    const Sequence s = i % 2 == 0 ? task->draw(rng) : task->draw_held_out(rng);
    REQUIRE(s.tokens.size() == 65);
    const auto n =
        static_cast<std::size_t>(std::find(s.tokens.begin(), s.tokens.end(), 0) - s.tokens.begin());
    if (i % 2 == 0) lengths.insert(n);
    for (std::size_t t = 0; t < n; ++t) CHECK(s.tokens[n + 1 + t] == s.tokens[t]);
    for (std::size_t t = 0; t < 64; ++t) CHECK(s.predictable[t] == (t >= n && t < 2 * n));
  }
  CHECK(lengths.size() > 5);
  const auto fixed = make_task({.name = "copy", .fixed_offset = true});
  for (int i = 0; i < 20; ++i) CHECK(fixed->draw(rng).tokens[32] == 0);
  CHECK(fixed->held_out()[0].last == 31);
}

TEST_CASE("a sequence does not depend on its batch", "[tasks]") {
  const auto task = make_task({});
  const Rng rng(3);
  const Batch all = draw_batch(*task, 8, rng), tail = draw_batch(*task, 3, rng, 5);
  for (std::size_t t = 0; t < 64; ++t) CHECK(all.tokens(6, t) == tail.tokens(1, t));
  for (std::size_t t = 0; t + 1 < 64; ++t) CHECK(all.targets(0, t) == all.tokens(0, t + 1));
  const Batch part = batch_rows(all, 6, 2);
  CHECK(part.targets(0, 63) == all.targets(6, 63));
  CHECK(part.predictable(1, 40) == all.predictable(7, 40));
}

TEST_CASE("tokens have names, and names are tokens", "[tasks]") {
  const auto task = make_task({});
  CHECK(task->token_text(0) == "A");
  CHECK(task->token_text(63) == "/");
  CHECK(task->tokens_from_text("AB a9/") == std::vector<std::int32_t>{0, 1, 26, 61, 63});
  CHECK(contains(error_of([&] { task->tokens_from_text("A!"); }), "'!' is not a token"));
  CHECK(contains(error_of([&] { task->tokens_from_text("  "); }), "there are no tokens"));
  CHECK(contains(error_of([&] { task->tokens_from_text(std::string(65, 'A')); }), "65 tokens do not fit"));
  const auto wide = make_task({.d_vocab = 100});
  CHECK(wide->tokens_from_text("99 0") == std::vector<std::int32_t>{99, 0});
  CHECK(contains(error_of([&] { wide->tokens_from_text("100"); }), "expected numbers 0 … 99"));
  CHECK(make_task({.name = "copy"})->token_text(0) == "|");
}

TEST_CASE("tasks that cannot be posed are refused", "[tasks]") {
  const auto message = [](const TaskConfig& c) { return error_of([&] { make_task(c); }); };
  CHECK(contains(message({.name = "sort"}), "unknown task 'sort': expected repeat or copy"));
  CHECK(contains(message({.n_ctx = 4}), "a context of 4 is too short"));
  CHECK(contains(message({.d_vocab = 20}), "needs a vocabulary of at least as many; it has 20"));
  CHECK(contains(message({.min_segment = 30, .max_segment = 20}), "segments of 30 … 20 tokens do not fit"));
  CHECK(contains(message({.max_segment = 40}), "do not fit a context of 64"));
  CHECK(contains(message({.d_vocab = 2, .distinct = false}), "at least 3 tokens"));
}

#include <set>

#include "catch.h"
#include "headlight/tasks/batch.h"
#include "headlight/tasks/task.h"
#include "tasks/posed.h"

using namespace headlight;
using namespace headlight::tasks;

namespace {

// Of a sequence that repeats distinct tokens.
std::size_t period_of(const Sequence& s) {
  std::size_t period = 1;
  while (period < s.tokens.size() && s.tokens[period] != s.tokens[0]) ++period;
  return period;
}

}  // namespace

TEST_CASE("repeat repeats a segment of distinct tokens", "[tasks]") {
  const auto task = make_task({});
  Rng rng(1);
  std::set<std::size_t> periods;
  for (int i = 0; i < 200; ++i) {
    const Sequence s = task.training(rng);
    REQUIRE(s.tokens.size() == 64);
    const std::size_t period = period_of(s);
    periods.insert(period);
    CHECK(std::set(s.tokens.begin(), s.tokens.begin() + static_cast<long>(period)).size() == period);
    for (std::size_t t = period; t < s.tokens.size(); ++t) CHECK(s.tokens[t] == s.tokens[t - period]);
    for (std::size_t t = 0; t + 1 < 64; ++t) CHECK(s.targets[t] == s.tokens[t + 1]);
    CHECK(s.targets[63] == s.tokens[64 - period]);
    CHECK(s.note == "segment of " + std::to_string(period) + " tokens");
    for (std::size_t t = 0; t < 64; ++t) CHECK(s.predictable[t] == (t >= period));
  }
  CHECK(*periods.begin() == 16);
  CHECK(*periods.rbegin() == 32);
}

TEST_CASE("held-out periods are those never trained on", "[tasks]") {
  const Task task = make_task({});
  Rng rng(4);
  std::set<std::size_t> periods;
  for (int i = 0; i < 500; ++i) periods.insert(period_of(task.held_out(rng)));
  std::set<std::size_t> expected;
  for (std::size_t period = 8; period <= 40; ++period)
    if (period < 16 || period > 32) expected.insert(period);
  CHECK(periods == expected);
  CHECK(task.trained_on == "segments of 16 to 32 tokens");
}

TEST_CASE("copy copies its prefix after the separator", "[tasks]") {
  const auto task = make_task({.name = "copy"});
  Rng rng(2);
  std::set<std::size_t> lengths;
  for (int i = 0; i < 100; ++i) {
    const Sequence s = i % 2 == 0 ? task.training(rng) : task.held_out(rng);
    REQUIRE(s.tokens.size() == 64);
    const auto n =
        static_cast<std::size_t>(std::find(s.tokens.begin(), s.tokens.end(), 0) - s.tokens.begin());
    if (i % 2 == 0) lengths.insert(n);
    for (std::size_t t = 0; t < n; ++t) CHECK(s.targets[n + t] == s.tokens[t]);
    for (std::size_t t = 0; t < 64; ++t) CHECK(s.predictable[t] == (t >= n && t < 2 * n));
  }
  CHECK(lengths.size() > 5);
  const auto fixed = make_task({.name = "copy", .fixed_offset = true});
  for (int i = 0; i < 20; ++i) CHECK(fixed.training(rng).tokens[32] == 0);
  for (int i = 0; i < 20; ++i) CHECK(fixed.held_out(rng).tokens[32] != 0);
  CHECK(fixed.trained_on == "segments of 32 tokens");
  CHECK(fixed.words.answer ==
        "After the separator comes the copy: each of its tokens is the one a fixed distance back.");
}

TEST_CASE("a sequence does not depend on its batch", "[tasks]") {
  const auto task = make_task({});
  const Rng rng(3);
  const Batch all = draw_batch(task, task.training, 8, rng),
              tail = draw_batch(task, task.training, 3, rng, 5);
  for (std::size_t t = 0; t < 64; ++t) CHECK(all.tokens(6, t) == tail.tokens(1, t));
  for (std::size_t t = 0; t + 1 < 64; ++t) CHECK(all.targets(0, t) == all.tokens(0, t + 1));
  const Batch part = batch_rows(all, 6, 2);
  CHECK(part.targets(0, 63) == all.targets(6, 63));
  CHECK(part.predictable(1, 40) == all.predictable(7, 40));
}

TEST_CASE("tokens have names, and names are tokens", "[tasks]") {
  const Task task = make_task({});
  CHECK(task.vocabulary.text(0) == "A");
  CHECK(task.vocabulary.text(63) == "/");
  CHECK(read_tokens(task, "AB a9/") == std::vector<std::int32_t>{0, 1, 26, 61, 63});
  CHECK(contains(error_of([&] { read_tokens(task, "A!"); }), "'!' is not a token"));
  CHECK(contains(error_of([&] { read_tokens(task, "  "); }), "there are no tokens"));
  CHECK(contains(error_of([&] { read_tokens(task, std::string(65, 'A')); }), "65 tokens do not fit"));
  const Task wide = make_task({.d_vocab = 100});
  CHECK(read_tokens(wide, "99 0") == std::vector<std::int32_t>{99, 0});
  CHECK(contains(error_of([&] { read_tokens(wide, "100"); }), "expected numbers 0 … 99"));
  CHECK(make_task({.name = "copy"}).vocabulary.text(0) == "|");
  CHECK(make_task({.name = "copy"}).vocabulary.text(1) == "A");
}

TEST_CASE("a vocabulary of one's own is read back", "[tasks]") {
  const Vocabulary words({"the", "cat", "sat"});
  CHECK(words.tokens(" cat  the ") == std::vector<std::int32_t>{1, 0});
  CHECK(contains(error_of([&] { words.tokens("dog"); }), "expected words such as 'the'"));
  const Vocabulary characters({"a", " ", "é"});
  CHECK(characters.tokens("é a") == std::vector<std::int32_t>{2, 1, 0});
  CHECK(contains(error_of([] { Vocabulary({"a", "a"}); }), "look alike: 'a'"));
  CHECK(contains(error_of([] { Vocabulary({"a", ""}); }), "has no text"));
  CHECK(contains(error_of([] { Vocabulary({}); }), "at least one token"));
  CHECK(contains(error_of([&] { words.text(3); }), "3 is not a token: expected 0 … 2"));
}

namespace {

// Three tokens, of which only the last is asked for.
Task answer_task(Sequence drawn) {
  return {.config = {.name = "answer", .d_vocab = 4, .n_ctx = 3},
          .vocabulary = Vocabulary::of_size(4),
          .training = [drawn](Rng&) { return drawn; }};
}

}  // namespace

TEST_CASE("a task may ask for some positions only", "[tasks]") {
  const Task task = answer_task({{1, 2, 3}, {kNoTarget, kNoTarget, 0}});
  const Batch batch = draw_batch(task, task.training, 2, Rng(0));
  CHECK(batch.targets(1, 2) == 0);
  CHECK(batch.targets(1, 1) == kNoTarget);
  CHECK(batch.predictable(1, 2));
  CHECK_FALSE(batch.predictable(1, 1));
  CHECK(batch.source.size() == 0);
}

TEST_CASE("a task may have a source for an encoder", "[tasks]") {
  Task task = answer_task({{1, 2}, {2, 3}, {}, {3, 2, 1, 0}});
  CHECK(contains(error_of([&] { draw_batch(task, task.training, 2, Rng(0)); }), "a source of 4 tokens"));
  task.n_source = 4;
  const Batch batch = draw_batch(task, task.training, 3, Rng(0));
  CHECK(batch.source.shape()[1] == 4);
  CHECK(batch.source(2, 1) == 2);
  CHECK(batch_rows(batch, 1, 2).source(1, 0) == 3);
}

TEST_CASE("sequences that do not fit their task are refused", "[tasks]") {
  const auto refused = [](const Sequence& s) {
    const Task task = answer_task(s);
    return error_of([&] { draw_batch(task, task.training, 1, Rng(0)); });
  };
  CHECK(contains(refused({{1, 2, 3}, {2, 3}}), "drew 3 tokens with 2 targets"));
  CHECK(contains(refused({{1, 2, 3}, {2, 3, 0}, {true}}),
                 "1 marks of what is predictable; expected 3 of each"));
  CHECK(contains(refused({{1, 2, 3, 0}, {2, 3, 0, 1}}), "drew 4 tokens; its context holds 1 … 3"));
  CHECK(contains(refused({{}, {}}), "drew 0 tokens"));
  CHECK(contains(refused({{1, 4, 3}, {2, 3, 0}}), "drew the token 4, which is outside the vocabulary 0 … 3"));
  CHECK(contains(refused({{1, 2, 3}, {2, 3, 4}}), "drew the target 4"));
  CHECK(contains(refused({{1, 2, 3}, {-2, 3, 0}}), "drew the target -2"));
  CHECK(contains(error_of([] { next_token_sequence({1}, {}); }), "a token to read and one to say"));
}

TEST_CASE("sequences of one batch have one length", "[tasks]") {
  Task task = answer_task({});
  task.training = [](Rng& rng) { return rng.below(2) == 0 ? Sequence{{1}, {2}} : Sequence{{1, 2}, {2, 3}}; };
  CHECK(contains(error_of([&] { draw_batch(task, task.training, 20, Rng(0)); }), "different lengths"));
}

TEST_CASE("a task says what it lacks", "[tasks]") {
  Task task = answer_task({{1}, {2}});
  task.config.d_vocab = 5;
  CHECK(contains(error_of([&] { check_task(task); }), "has 4 tokens in its vocabulary, but d_vocab = 5"));
  task.config.d_vocab = 3;
  CHECK(contains(error_of([&] { check_task(task); }), "has 4 tokens in its vocabulary, but d_vocab = 3"));
  task.config.d_vocab = 4;
  task.training = {};
  CHECK(contains(error_of([&] { check_task(task); }), "has no training sequences"));
  task.config.name = "";
  CHECK(contains(error_of([&] { check_task(task); }), "needs a name"));
}

TEST_CASE("tasks that cannot be posed are refused", "[tasks]") {
  const auto message = [](const TaskConfig& c) { return error_of([&] { make_task(c); }); };
  CHECK(contains(message({.name = "shuffle"}), "unknown task 'shuffle': expected repeat"));
  CHECK(contains(message({.n_ctx = 4}), "a context of 4 is too short"));
  CHECK(contains(message({.d_vocab = 20}), "needs a vocabulary of at least as many; it has 20"));
  CHECK(contains(message({.min_segment = 30, .max_segment = 20}), "segments of 30 … 20 tokens do not fit"));
  CHECK(contains(message({.max_segment = 40}), "do not fit a context of 64"));
  CHECK(contains(message({.d_vocab = 2, .distinct = false}), "at least 3 tokens"));
}

TEST_CASE("the separator stands in a copied sequence once", "[tasks]") {
  const Task task = make_task({.name = "copy", .d_vocab = 12, .n_ctx = 20});
  Rng rng(5);
  for (int i = 0; i < 50; ++i) {
    const Sequence s = task.training(rng);
    CHECK(std::count(s.tokens.begin(), s.tokens.end(), kSeparator) == 1);
    CHECK(s.targets.back() != kSeparator);
  }
}

TEST_CASE("heads are scored on repetitions that copying was not trained on", "[tasks]") {
  for (const bool fixed_offset : {false, true}) {
    const Task task = make_task({.name = "copy", .fixed_offset = fixed_offset});
    Rng rng(6);
    std::set<std::size_t> periods;
    for (int i = 0; i < 50; ++i) periods.insert(period_of(task.scored(rng)));
    CHECK(periods.size() > 5);
    for (const std::size_t period : periods) CHECK((period < task.config.min_segment || period > 32));
  }
}

TEST_CASE("tokens of one's own may fill the context", "[tasks]") {
  const Task task = make_task({});
  CHECK(read_tokens(task, std::string(64, 'A')).size() == 64);
}

TEST_CASE("rows of a batch keep their own marks and sources", "[tasks]") {
  Task task = answer_task({});
  task.n_source = 2;
  task.training = [](Rng& rng) {
    const bool sure = rng.below(2) == 0;
    return Sequence{{1, 2}, {2, 3}, {sure, !sure}, {sure ? 1 : 2, 3}};
  };
  const Batch all = draw_batch(task, task.training, 12, Rng(7));
  const auto sure = std::count(all.source.begin(), all.source.end(), 1);
  CHECK((sure > 0 && sure < 12));
  for (std::size_t first = 0; first < 12; ++first) {
    const Batch one = batch_rows(all, first, 1);
    for (std::size_t t = 0; t < 2; ++t) {
      CHECK(one.predictable(0, t) == all.predictable(first, t));
      CHECK(one.source(0, t) == all.source(first, t));
    }
  }
  task.training = [](Rng&) { return Sequence{{1, 2}, {2, 3}, {}, {3, 4}}; };
  CHECK(contains(error_of([&] { draw_batch(task, task.training, 1, Rng(0)); }), "drew the source token 4"));
}

// Before a test adds its own.
const std::vector<std::string> kShipped = registry().names();

TEST_CASE("every task of the registry says what it is, what solves it and what to look for", "[tasks]") {
  for (const auto& name : kShipped) {
    INFO(name);
    const TaskWords words = make_task(posed(name)).words;
    for (const std::string* text : {&words.what, &words.answer, &words.success, &words.look_for})
      CHECK(text->ends_with('.'));
    CHECK(words.skill.empty() == (name == "text"));
    CHECK_FALSE(contains(words.look_for, "later layer"));  // a model may have one layer
  }
}

TEST_CASE("a token knows which copy of the segment it belongs to", "[tasks]") {
  for (const std::string name : {"repeat", "copy"}) {
    const Task task = make_task({.name = name});
    const Sequence s = draw_sequence(task, task.training, Rng(1), 0);
    REQUIRE(s.repeats.size() == s.tokens.size());
    const auto first = [&](std::int32_t copy) {
      return std::find(s.repeats.begin(), s.repeats.end(), copy) - s.repeats.begin();
    };
    const std::size_t length = static_cast<std::size_t>(std::count(s.repeats.begin(), s.repeats.end(), 0));
    const auto second = static_cast<std::size_t>(first(1));
    CHECK(second == length + (name == "copy" ? 1 : 0));
    for (std::size_t i = 0; i < length; ++i) CHECK(s.tokens[i] == s.tokens[second + i]);
    CHECK((name == "copy") == (s.repeats[length] == -1));
  }
}

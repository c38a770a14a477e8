// What each toy task draws, checked by definitions written anew.
#include "headlight/tasks/toy_tasks.h"
#include "tasks/posed.h"

#include <algorithm>
#include <map>
#include <set>

#include "catch.h"
#include "headlight/tasks/batch.h"

using namespace headlight;
using namespace headlight::tasks;

namespace {

using Tokens = std::vector<std::int32_t>;

std::vector<Sequence> some(const Task& task, const Generator& generator, std::size_t count = 30) {
  std::vector<Sequence> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(draw_sequence(task, generator, Rng(1), i));
  return all;
}

std::string text_of(const Task& task, const Tokens& tokens) {
  std::string text;
  for (const std::int32_t token : tokens) text += token < 0 ? "_" : task.vocabulary.text(token);
  return text;
}

std::string refusal(const TaskConfig& c) {
  return error_of([&] { make_task(c); });
}

// The targets that there are.
Tokens asked_of(const Sequence& s) {
  Tokens all;
  std::copy_if(s.targets.begin(), s.targets.end(), std::back_inserter(all),
               [](std::int32_t t) { return t != kNoTarget; });
  return all;
}

const std::vector<std::string> kToys = registry().names();

}  // namespace

TEST_CASE("an answer's position holds the target, for every task", "[tasks]") {
  for (const bool with_source : {false, true})
    for (const std::string& name : kToys) {
      INFO(name);
      const Task task = make_task(posed(name, with_source));
      std::size_t answers = 0;
      for (const Sequence& s : some(task, task.training, 10))
        for (std::size_t t = 0; t < s.answers.size(); ++t)
          if (s.answers[t] >= 0) {
            ++answers;
            CHECK((s.source.empty() ? s.tokens : s.source).at(static_cast<std::size_t>(s.answers[t])) ==
                  s.targets[t]);
          }
      const std::set<std::string> none{"markov", "histogram", "parity", "addition", "brackets"};
      CHECK((answers == 0) == none.contains(name));
    }
}

TEST_CASE("an answer outside the sequence is refused", "[tasks]") {
  Task task = make_task({.name = "parity", .n_ctx = 2});
  task.training = [](Rng&) { return Sequence{.tokens = {0, 1}, .targets = {0, 1}, .answers = {0, 2}}; };
  CHECK(contains(error_of([&] { draw_batch(task, task.training, 1, Rng(0)); }), "an answer at position 2"));
  task.training = [](Rng&) { return Sequence{.tokens = {0, 1}, .targets = {0, 1}, .answers = {0}}; };
  CHECK(contains(error_of([&] { draw_batch(task, task.training, 1, Rng(0)); }), "2 tokens with 1 answers"));
}

TEST_CASE("reverse and sort ask for the segment in another order", "[tasks]") {
  for (const std::string name : {"reverse", "sort"})
    for (const bool with_source : {false, true})
      for (const bool distinct : {false, true}) {
        const Task task = make_task({.name = name,
                                     .d_vocab = 14,
                                     .n_ctx = 24,
                                     .max_segment = 10,
                                     .distinct = distinct,
                                     .with_source = with_source});
        CHECK(task.n_source == (with_source ? 12 : 0));
        for (const Generator& generator : {task.training, task.held_out})
          for (const Sequence& s : some(task, generator)) {
            const Tokens answer = asked_of(s);
            const Tokens& question = with_source ? s.source : s.tokens;
            Tokens expected(question.begin(), question.begin() + static_cast<long>(answer.size()));
            if (name == "sort")
              std::sort(expected.begin(), expected.end());
            else
              std::reverse(expected.begin(), expected.end());
            CHECK(answer == expected);
            const std::size_t first = with_source ? 0 : answer.size();  // the separator
            CHECK(s.tokens[first] == kSeparator);
            for (std::size_t j = 0; j + 1 < answer.size(); ++j) CHECK(s.tokens[first + 1 + j] == answer[j]);
            CHECK((std::set(answer.begin(), answer.end()).size() == answer.size() || !distinct));
          }
      }
  CHECK(contains(refusal({.name = "reverse", .d_vocab = 33}), "need a vocabulary of at least 34; it has 33"));
  CHECK(contains(refusal({.name = "sort", .d_vocab = 33}), "Hint: max_segment = 31"));
}

TEST_CASE("other lengths than those trained on are held out of reversing", "[tasks]") {
  const Task task = make_task({.name = "reverse", .n_ctx = 32, .min_segment = 6, .max_segment = 8});
  std::set<std::size_t> trained, held_out;
  for (const Sequence& s : some(task, task.training, 100)) trained.insert(asked_of(s).size());
  for (const Sequence& s : some(task, task.held_out, 100)) held_out.insert(asked_of(s).size());
  CHECK(trained == std::set<std::size_t>{6, 7, 8});
  CHECK(held_out == std::set<std::size_t>{3, 4, 5, 9, 10});
}

TEST_CASE("recall and mqar ask for the values of keys", "[tasks]") {
  for (const std::string name : {"recall", "mqar"}) {
    const Task task = make_task({.name = name, .d_vocab = 21, .n_ctx = 32, .pairs = 8, .queries = 3});
    const std::size_t queries = name == "mqar" ? 3 : 1;
    std::set<std::size_t> trained, held_out;
    for (const bool train : {true, false})
      for (const Sequence& s : some(task, train ? task.training : task.held_out, 100)) {
        std::map<std::int32_t, std::int32_t> values;
        std::size_t t = 0;
        for (; s.targets[t] == kNoTarget; t += 2) {
          CHECK((s.tokens[t] >= 1 && s.tokens[t] <= 10 && s.tokens[t + 1] > 10));
          CHECK(values.emplace(s.tokens[t], s.tokens[t + 1]).second);  // keys are distinct
        }
        (train ? trained : held_out).insert(t / 2);
        std::set<std::int32_t> keys;
        for (std::size_t q = 0; q < queries; ++q, ++t) {
          CHECK(values.at(s.tokens[t]) == s.targets[t]);
          keys.insert(s.tokens[t]);
        }
        CHECK(keys.size() == queries);
        for (; t < 32; ++t) CHECK((s.tokens[t] == 0 && s.targets[t] == kNoTarget));
      }
    CHECK(trained == std::set<std::size_t>{4, 5, 6, 7, 8});
    CHECK(held_out == (queries == 1 ? std::set<std::size_t>{2, 3, 9, 10} : std::set<std::size_t>{3, 9, 10}));
    CHECK(task.vocabulary.text(1) == "A");
    CHECK(task.vocabulary.text(11) == "a");
  }
  CHECK(contains(refusal({.name = "recall", .n_ctx = 16, .pairs = 8}), "Hint: task.pairs = 7"));
  CHECK(
      contains(refusal({.name = "mqar", .pairs = 3, .queries = 4}), "4 queries need at least as many pairs"));
  CHECK(contains(refusal({.name = "recall", .d_vocab = 4}), "expected at least 5 tokens"));
}

TEST_CASE("khop follows the definition of Sanford et al.", "[tasks]") {
  for (const std::size_t hops : {1, 2, 3}) {
    const Task task = make_task({.name = "khop", .n_ctx = 40, .hops = hops, .states = 3});
    for (const Sequence& s : some(task, task.training)) {
      // find(i) = max({0} ∪ {j ≤ i : x(j-1) = x(i)}), positions from 1 on
      const auto find = [&](std::size_t i) {
        std::size_t found = 0;
        for (std::size_t j = 2; i > 0 && j <= i; ++j)
          if (s.tokens[j - 2] == s.tokens[i - 1]) found = j;
        return found;
      };
      for (std::size_t i = 1; i <= 40; ++i) {
        std::size_t at = i;
        for (std::size_t k = 0; k < hops; ++k) at = find(at);
        CHECK(s.targets[i - 1] == (at == 0 ? 0 : s.tokens[at - 1]));
      }
    }
  }
  CHECK(contains(refusal({.name = "khop", .n_ctx = 16, .hops = 5, .states = 4}), "it has room for 4"));
  const std::size_t wraps = std::size_t{1} << 62;  // times 4 letters
  CHECK(contains(refusal({.name = "khop", .n_ctx = 16, .hops = wraps, .states = 4}), "it has room for 4"));
  CHECK(contains(refusal({.name = "khop", .n_ctx = 16, .states = 0}), "at least 1 letter, got states = 0"));
  CHECK(make_task({.name = "khop", .n_ctx = 16, .hops = 4, .states = 4}).config.d_vocab == 5);
}

TEST_CASE("in a sequence a trigger has one follower, in the next sequence another", "[tasks]") {
  const Task task = make_task({.name = "triggers", .d_vocab = 12, .n_ctx = 48, .triggers = 3});
  std::set<std::int32_t> of_first;
  for (const Sequence& s : some(task, task.training)) {
    std::map<std::int32_t, std::int32_t> follower;
    for (std::size_t t = 0; t < 48; ++t) {
      const bool known = follower.contains(s.tokens[t]);
      CHECK(s.predictable[t] == known);
      if (s.tokens[t] >= 3) continue;
      CHECK(s.targets[t] >= 3);
      CHECK(follower.emplace(s.tokens[t], s.targets[t]).first->second == s.targets[t]);
    }
    if (follower.contains(0)) of_first.insert(follower[0]);
  }
  CHECK(of_first.size() > 5);
  CHECK(contains(refusal({.name = "triggers", .d_vocab = 6}),
                 "5 triggers and two more tokens do not fit a vocabulary of 6. Hint: at most 4 triggers"));
  CHECK(contains(refusal({.name = "triggers", .triggers = SIZE_MAX}), "do not fit a vocabulary of 64"));
  CHECK(contains(refusal({.name = "triggers", .d_vocab = 2}), "a vocabulary of 2 is too small"));
  CHECK(contains(refusal({.name = "triggers", .d_vocab = 1'000'000}),
                 "the task 'triggers' of this vocabulary needs about 8000.0 GB"));
}

TEST_CASE("histogram and parity count", "[tasks]") {
  const Task histogram = make_task({.name = "histogram", .n_ctx = 20, .states = 3});
  for (const Sequence& s : some(histogram, histogram.training))
    for (std::size_t t = 0; t < 20; ++t)
      CHECK(text_of(histogram, {s.targets[t]}) ==
            "×" + std::to_string(std::count(s.tokens.begin(), s.tokens.begin() + static_cast<long>(t) + 1,
                                            s.tokens[t])));
  const Task parity = make_task({.name = "parity", .n_ctx = 20});
  for (const Sequence& s : some(parity, parity.training))
    for (std::size_t t = 0; t < 20; ++t)
      CHECK(s.targets[t] == std::count(s.tokens.begin(), s.tokens.begin() + static_cast<long>(t) + 1, 1) % 2);
}

TEST_CASE("no sum is both trained on and held out", "[tasks]") {
  const Task task = make_task({.name = "addition", .modulus = 7});
  std::set<std::string> trained, held_out;
  for (const bool train : {true, false})
    for (const Sequence& s : some(task, train ? task.training : task.held_out, 600)) {
      CHECK(s.targets[3] == (s.tokens[0] + s.tokens[2]) % 7);
      (train ? trained : held_out).insert(text_of(task, s.tokens));
    }
  CHECK(trained.size() == 35);
  CHECK(held_out.size() == 14);
  for (const std::string& sum : held_out) CHECK_FALSE(trained.contains(sum));
  CHECK(task.config.n_ctx == 4);
  CHECK(contains(refusal({.name = "addition", .modulus = 2000}), "must be 2 … 1000, got 2000"));
}

TEST_CASE("brackets are closed in order", "[tasks]") {
  const Task task = make_task({.name = "brackets", .n_ctx = 60});
  std::size_t deepest = 0;
  for (const Sequence& s : some(task, task.training)) {
    std::string open;
    for (std::size_t t = 0; t < 60; ++t) {
      const std::string bracket = text_of(task, {s.tokens[t]});
      if (bracket == "(" || bracket == "[") {
        open += bracket == "(" ? ')' : ']';
      } else {
        REQUIRE_FALSE(open.empty());
        CHECK(bracket == std::string(1, open.back()));
        open.pop_back();
      }
      deepest = std::max(deepest, open.size());
      CHECK(text_of(task, {s.targets[t]}) == (open.empty() ? "·" : std::string(1, open.back())));
    }
  }
  CHECK(deepest == 8);
}

TEST_CASE("heads are scored on repetitions where a head could copy", "[tasks]") {
  for (const std::string name : {"recall", "mqar", "triggers"}) CHECK(bool(make_task({.name = name}).scored));
  for (const std::string name : {"sort", "markov", "parity"})
    CHECK_FALSE(bool(make_task({.name = name}).scored));
}

// The sequences that a run is looked at on.
#include "headlight/run/examples.h"

#include <regex>

#include "catch.h"

using namespace headlight;
using namespace headlight::run;

TEST_CASE("examples are in turn of the kind trained on and of the other", "[run]") {
  const tasks::Task task = tasks::make_task({});
  const auto all = examples(task, 0, 4);
  REQUIRE(all.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    INFO(all[i].label);
    CHECK(all[i].label.starts_with(std::to_string(i + 1) + ": segment of "));
    CHECK(contains(all[i].label, "unlike those in training") == (i % 2 == 1));
    CHECK(contains(all[i].label, "segments of 16 to 32 tokens") == (i % 2 == 1));
  }
  CHECK(first_example(task, 0).tokens == all[0].tokens);
  CHECK(first_example(task, 1).tokens != all[0].tokens);
}

TEST_CASE("the last example is what heads are scored on, where that is of another kind", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "copy"});
  const auto two = examples(task, 0, 2);
  CHECK(contains(two[1].label, "repeated random tokens, as the heads are scored on: segment of "));
  const auto one = examples(task, 0, 1);
  REQUIRE(one.size() == 1);
  CHECK_FALSE(contains(one[0].label, "scored"));
  CHECK(one[0].tokens == two[0].tokens);
}

TEST_CASE("a task that holds nothing out has examples of one kind", "[run]") {
  tasks::Task task = tasks::make_task({});
  task.held_out = {};
  for (const Example& example : examples(task, 0, 3))
    CHECK_FALSE(contains(example.label, "unlike those in training"));
}

TEST_CASE("of one's own tokens the last has no target", "[run]") {
  const Example own = own_example({3, 1, 2});
  CHECK(own.tokens == std::vector<std::int32_t>{3, 1, 2});
  CHECK(own.targets == std::vector<std::int32_t>{1, 2, tasks::kNoTarget});
  CHECK(own.predictable == std::vector<bool>(3, false));
}

// D D A B C D A X: after the second D comes another token than after the first; A follows D again.
TEST_CASE("a token of one's own is predictable when it follows the same token as the last time", "[run]") {
  const Example own = own_example({3, 3, 0, 1, 2, 3, 0, 9});
  CHECK(own.predictable == std::vector<bool>{false, false, false, false, false, true, false, false});
}

TEST_CASE("an example of one's own has a token at least", "[run]") {
  CHECK(error_of([] { own_example({}, {}); }) == "[own_example] expected tokens, got none.");
}

TEST_CASE("an example says what it is, and whether such sequences were trained on", "[run]") {
  // Every kind of sequence has its own note, and a token that its own stream draws.
  const auto noting = [](const std::string& note) {
    return [note](Rng& rng) {
      const auto token = static_cast<std::int32_t>(rng.below(1000));
      return tasks::Sequence{{token, 1}, {2, token}, {true, false}, {token, 4}, note, {0, -1}};
    };
  };
  tasks::Task task{.config = {.name = "noted", .d_vocab = 1000, .n_ctx = 2},
                   .vocabulary = tasks::Vocabulary::of_size(1000),
                   .training = noting("trained"),
                   .held_out = noting("held out"),
                   .scored = noting("scored"),
                   .scored_on = "noise",
                   .trained_on = "the others"};
  const auto labels = [&](std::size_t count) {
    std::vector<std::string> all;
    for (const Example& example : examples(task, 7, count)) all.push_back(example.label);
    return all;
  };
  CHECK(labels(1) == std::vector<std::string>{"1: trained, like those in training"});
  CHECK(labels(4) == std::vector<std::string>{
                         "1: trained, like those in training",
                         "2: held out, unlike those in training (the others)",
                         "3: trained, like those in training",
                         "4: noise, as the heads are scored on: scored, a kind that is not in training"});
  const auto all = examples(task, 7, 4);
  for (const std::size_t i : {0U, 1U, 2U, 3U}) {
    Rng rng = Rng(7).stream("example").stream("sequence", i == 3 ? 0 : i);
    const auto token = static_cast<std::int32_t>(rng.below(1000));
    CHECK(all[i].tokens == std::vector<std::int32_t>{token, 1});
    CHECK(all[i].targets == std::vector<std::int32_t>{2, token});
    CHECK(all[i].source == std::vector<std::int32_t>{token, 4});
    CHECK(all[i].repeats == std::vector<std::int32_t>{0, -1});
    CHECK(all[i].predictable == std::vector<bool>{true, false});
  }
  task.scored_on.clear();
  task.trained_on.clear();
  task.training = noting("");
  CHECK(labels(2) == std::vector<std::string>{"1: a sequence, like those in training",
                                              "2: held out, unlike those in training"});
}

// By the numbers that the label itself names.
TEST_CASE("what a label calls unlike those in training has another length", "[run]") {
  const std::regex lengths(
      "segment of (\\d+) tokens.*unlike those in training .segments of (\\d+)( to (\\d+))? ");
  std::size_t found = 0;
  for (const char* name : {"repeat", "copy", "planted", "reverse", "sort"})
    for (const std::size_t shortest : {std::size_t{0}, std::size_t{12}})
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        tasks::TaskConfig config;
        config.name = name, config.min_segment = config.max_segment = shortest;
        for (const Example& example : examples(tasks::make_task(config), seed, 6)) {
          CAPTURE(name, example.label);
          std::smatch is;
          if (!std::regex_search(example.label, is, lengths)) continue;
          const int length = std::stoi(is[1]), first = std::stoi(is[2]);
          const int last = is[4].matched ? std::stoi(is[4]) : first;
          CHECK((length < first || length > last));
          ++found;
        }
      }
  CHECK(found > 80);
}

TEST_CASE("tokens of one's own have no targets where the task asks for labels", "[run]") {
  const tasks::Task task = tasks::make_task({.name = "parity", .n_ctx = 4});
  const Example own = own_example(task, "101", "");
  CHECK(own.label == "your own tokens");
  CHECK(own.tokens == std::vector<std::int32_t>{1, 0, 1});
  CHECK(own.targets == std::vector<std::int32_t>(3, tasks::kNoTarget));
  CHECK(own.predictable.empty());
  CHECK(own_example(tasks::make_task({}), "ABA", "").targets ==
        std::vector<std::int32_t>{1, 0, tasks::kNoTarget});
}

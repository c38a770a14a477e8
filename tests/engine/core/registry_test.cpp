#include "headlight/core/registry.h"
#include "catch.h"

using namespace headlight;

TEST_CASE("a registry finds by name and lists what there is", "[core]") {
  Registry<int> numbers("number", {{"one", "the first", 1}, {"two", "the second", 2}});
  CHECK(numbers.find("two") == 2);
  CHECK(contains(error_of([&] { numbers.find("twoo"); }),
                 "unknown number 'twoo': expected one or two. Did you mean 'two'?"));
  CHECK(error_of([&] { numbers.find("something else"); }) ==
        "unknown number 'something else': expected one or two.");
  numbers.add({"three", "one more", 3});
  CHECK(numbers.find("three") == 3);
  CHECK(numbers.names() == std::vector<std::string>{"one", "two", "three"});
  CHECK(error_of([&] { numbers.add({"one", "again", 4}); }) == "there is a number 'one' already.");
}

TEST_CASE("an entry ignores what others use and it does not", "[core]") {
  Registry<int> numbers("number", {{"one", "", 1, SettingKeys{"size"}},
                                   {"two", "", 2, SettingKeys{"colour"}},
                                   {"three", "", 3, kNoSettings},
                                   {"four", "", 4}});
  CHECK_FALSE(numbers.ignores("one", "size"));
  CHECK(numbers.ignores("two", "size"));
  CHECK(numbers.ignores("three", "size"));
  CHECK_FALSE(numbers.ignores("three", "weight"));
  CHECK_FALSE(numbers.ignores("four", "size"));
  CHECK_FALSE(numbers.ignores("five", "size"));
}

TEST_CASE("names are listed as in a sentence", "[core]") {
  CHECK(listed({}).empty());
  CHECK(listed({"a"}) == "a");
  CHECK(listed({"a", "b"}) == "a or b");
  CHECK(listed({"a", "b", "c"}) == "a, b or c");
}

TEST_CASE("the name that was meant takes the fewest changes", "[core]") {
  CHECK(did_you_mean("repaet", {"copy", "repeat"}) == " Did you mean 'repeat'?");
  CHECK(did_you_mean("x", {"copy", "repeat"}).empty());
  CHECK(did_you_mean("copy", {}).empty());
}

TEST_CASE("a name that is far away is not suggested", "[core]") {
  CHECK(did_you_mean("mars", {"mark"}) == " Did you mean 'mark'?");
  CHECK(did_you_mean("mare", {"task"}).empty());
  CHECK(did_you_mean("runs/none", {"runs/demo"}).empty());  // a folder is no part of the name
  CHECK(did_you_mean("runs/dmeo", {"runs/demo"}) == " Did you mean 'runs/demo'?");
  CHECK(did_you_mean("--loss", {"--lr"}).empty());
  CHECK(did_you_mean("--stpes", {"--steps"}) == " Did you mean '--steps'?");
}

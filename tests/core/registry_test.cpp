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

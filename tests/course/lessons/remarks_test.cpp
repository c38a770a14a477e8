// What is said of numbers that are wrong in a general way.
#include "verdict/remarks.h"

#include <cmath>

#include "catch.h"

using namespace headlight::grader;

namespace {

// The remark on a result of this shape, "" without one.
std::string remark(const headlight::Shape& shape, const std::vector<double>& expected,
                   const std::vector<double>& found) {
  Verdict verdict;
  verdict.kind = Kind::wrong_numbers;
  verdict.expected = {{"result", shape, expected}};
  verdict.found = {{"result", shape, found}};
  std::size_t first = 0;
  while (expected[first] == found[first]) ++first;
  verdict.where = Verdict::Where{0, first};
  return remark_on(verdict).value_or("");
}

}  // namespace

TEST_CASE("wrong numbers of a general kind have a remark", "[grader]") {
  CHECK(
      remark({3}, {5, 7, 9}, {5, 4.448e-315, 9}) ==
      "4.448e-315 is no result of this arithmetic: it comes from a variable that was never given a value, or "
      "from outside of an array.");
  CHECK(remark({2}, {0, 1}, {0, std::pow(2.0, 64) - 1}) ==
        "1.845e+19 is 2^64, less a little: a std::size_t has no sign, and goes on from there when it falls "
        "below 0.");
  CHECK(
      remark({3}, {2.5, -1.25, 4}, {2, -1, 4}) ==
      "Every number found here is the expected one without its fraction. Perhaps a whole number, such as an "
      "int, holds it, or whole numbers were divided.");
  CHECK(remark({2}, {0.5, 7}, {0, 0}).starts_with("Every number found here is 0. Perhaps whole numbers"));
  CHECK(remark({3}, {1, 2, 4}, {3, 6, 12}) == "Every number found here is 3 times the expected one.");
  CHECK(remark({3}, {1, 2.5, 4}, {-0.5, 1, 2.5}) == "Every number found here is the expected one minus 1.5.");
  CHECK(remark({2, 2}, {1, 2, 3, 4}, {1, 3, 2, 4}) ==
        "What is found here is the transpose of what is expected: rows and columns are exchanged.");
  CHECK(remark({5}, {1, 2, 4, 8, 16}, {0, 1, 2, 4, 8}) ==
        "Every number found here stands one place too late.");
  CHECK(remark({4, 2}, {1, 2, 5, 7, 4, 4, 9, 8}, {5, 7, 4, 4, 9, 8, 0, 0}) ==
        "Every row found here stands one place too early.");
  CHECK(remark({4}, {1, 3, 2, 5}, {5, 3, 1, 2}) ==
        "The numbers found here are the expected ones in another order.");
  CHECK(remark({3}, {4, 9, 25}, {2, 3, 5}) == "Every number found here is the root of the expected one.");
  CHECK(remark({3}, {4, 9, 2}, {0.25, 1.0 / 9, 0.5}) ==
        "Every number found here is 1 divided by the expected one.");
  CHECK(remark({3}, {4, -9, 2}, {4, 9, 2}) ==
        "Every number found here is the expected one without its sign.");
  CHECK(remark({2, 3}, {1, 2, 4, 3, 5, 4}, {2, 4, 8, 9, 15, 12}) ==
        "Every row found here is the expected one times a factor, which differs from row to row.");
  CHECK(remark({2, 3}, {1, 2, 4, 3, 5, 4}, {2, 3, 5, 0, 2, 1}) ==
        "Every row found here is the expected one plus a number, which differs from row to row.");
  CHECK(remark({4}, {1, 3, 2, 5}, {0, 3, 2, 5}) ==
        "Only the first number found here is wrong: it is 0. Does a loop begin at the right place?");
  CHECK(remark({3, 2}, {1, 3, 2, 5, 7, 6}, {1, 3, 2, 5, 0, 0}) ==
        "Only the last row found here is wrong: it is 0. Does a loop end at the right place?");
  CHECK(remark({2, 3}, {1, 3, 2, 5, 7, 6}, {1, 3, 0, 5, 7, 0}) ==
        "Only the last column found here is wrong: it is 0. Does a loop end at the right place?");
  CHECK(remark({3, 2}, {1, 3, 2, 5, 7, 6}, {1, 3, 2, 5, 7, 4}) == "Only the last row found here is wrong.");
  CHECK(remark({4}, {1, 3, 2, 5}, {1, 0, 2, 5}) == "");
  CHECK(remark({1, 3}, {5, 2, 1}, {5, 2, 0.33}) == "");
  CHECK(remark({3, 3}, {1, 0, 0, 0.5, 0.5, 0, 0.5, 0.5, 2e-5}, {0.5, 0.5, 2e-5, 1, 0, 0, 0.5, 0.5, 0}) == "");
}

TEST_CASE("wrong numbers of no general kind have none", "[grader]") {
  CHECK(remark({3}, {5, 7, 9}, {5, 7 + 1e-7, 9}).empty());
  CHECK(remark({3}, {1, 2, 4}, {3, 6, 11}).empty());
  CHECK(remark({1}, {5}, {10}).empty());       // one number has always a factor
  CHECK(remark({2}, {0, 1}, {0, 0}).empty());  // a 0 that is right says nothing
  CHECK(remark({1}, {2}, {0}).empty());        // a place
  CHECK(remark({2}, {3, 3}, {4.202e-3, 4.202e-3}).empty());
  CHECK(remark({2}, {3, 5}, {3e-40, 5e-40}).empty());  // no factor that anyone writes
}

TEST_CASE("a result that lies is said to be the transpose", "[grader]") {
  Verdict verdict;
  verdict.kind = Kind::wrong_shape;
  verdict.where = Verdict::Where{0, 0};
  verdict.expected = {{"result", {2, 3}, {1, 2, 3, 4, 5, 6}}};
  verdict.found = {{"result", {3, 2}, {1, 4, 2, 5, 3, 6}}};
  CHECK(remark_on(verdict) ==
        "What is found here is the transpose of what is expected: rows and columns are exchanged.");
  verdict.found[0].numbers = {1, 2, 3, 4, 5, 6};
  CHECK_FALSE(remark_on(verdict));
}

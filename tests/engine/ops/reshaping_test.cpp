// Axes joined, added and taken apart; parts, copies and orders of the numbers.
#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/ops/ops.h"

using namespace headlight;

TEST_CASE("axes are joined, dropped and added", "[ops]") {
  const Tensor x = zeros({2, 3, 4});
  CHECK(flatten(x).shape() == Shape{24});
  CHECK(flatten(x, 1).shape() == Shape{2, 12});
  CHECK(flatten(x, 0, -2).shape() == Shape{6, 4});
  CHECK(flatten(Tensor(1)).shape() == Shape{1});
  CHECK(unsqueeze(x, 0).shape() == Shape{1, 2, 3, 4});
  CHECK(unsqueeze(x, -1).shape() == Shape{2, 3, 4, 1});
  CHECK(squeeze(zeros({2, 1, 3}), 1).shape() == Shape{2, 3});
  CHECK(error_of([&] { squeeze(x, 1); }) ==
        "[squeeze] axis 1 of (2,3,4) has length 3, not 1. Hint: reshape() joins axes.");
  CHECK(error_of([&] { flatten(x, 2, 1); }) ==
        "[flatten] expected a first axis before the last, got 2 and 1.");
}

TEST_CASE("a place of the first axis is x[i]", "[ops]") {
  const Tensor x = parameter({{1, 2, 3}, {4, 5, 6}});
  CHECK(to_string(x[1], 0) == "[4, 5, 6]");
  CHECK(to_string(x[-2], 0) == "[1, 2, 3]");
  CHECK(x[1][2].item() == 6);
  CHECK(to_string(grad(x[0][1] * 7, {x})[0], 0) == "[[0, 7, 0],\n [0, 0, 0]]");
  const auto row = [](const auto& in) { return in[0][1] * in[0][1] * in[0][-2]; };
  CHECK(gradcheck("index", row, {x}).ok);
  CHECK(gradgradcheck("index", row, {x}, {.tolerance = kDouble ? 1e-6 : 5e-2}).ok);
  CHECK(error_of([&] { x[2]; }) == "[x[i]] place 2 is outside the first axis of a tensor of shape (2,3).");
  CHECK(error_of([&] { x[-3]; }) == "[x[i]] place -3 is outside the first axis of a tensor of shape (2,3).");
  CHECK(error_of([&] { x[0][0][0]; }) == "[x[i]] a scalar has no axis to index.");
  static_assert(!std::is_assignable_v<Tensor, Tensor>, "x[0] = y would change nothing");
}

TEST_CASE("several axes are sliced at once", "[ops]") {
  const Tensor x = reshape(arange(24), {2, 3, 4});
  CHECK(to_string(slice(x, {range(0, 1), all(), 3}), 0) == "[[3, 7, 11]]");
  CHECK(to_string(slice(x, {-1, range(1), range(0, kEnd, 2)}), 0) == "[[16, 18],\n [20, 22]]");
  CHECK(to_string(slice(x, {1, 2, 3}), 0) == "23");
  CHECK(slice(x, {1}).shape() == Shape{3, 4});
  CHECK(slice(x, {range(5)}).shape() == Shape{0, 3, 4});
  CHECK(error_of([&] {
          slice(x, {all(), 3});
        }) == "[slice] place 3 is outside axis 1 of a tensor of shape (2,3,4).");
  CHECK(error_of([&] { slice(x, {0, 0, 0, 0}); }) == "[slice] 4 indices for a tensor of shape (2,3,4).");
}

TEST_CASE("an axis is split into equal parts or into given lengths", "[ops]") {
  const Tensor x = arange(5);
  const auto pairs = split(x, 2), given = split(x, {1, 4});
  REQUIRE(pairs.size() == 3);
  CHECK(to_string(pairs[1], 0) == "[2, 3]");
  CHECK(to_string(pairs[2], 0) == "[4]");
  REQUIRE(given.size() == 2);
  CHECK(to_string(given[1], 0) == "[1, 2, 3, 4]");
  CHECK(error_of([&] {
          split(x, {2, 2});
        }) == "[split] the lengths add up to 4, but axis 0 of (5) has length 5.");
  CHECK(error_of([&] { split(x, 0); }) == "[split] expected parts of length at least 1, got 0.");
}

TEST_CASE("numbers are padded, turned round, moved on and copied", "[ops]") {
  const Tensor x = tensor({1, 2, 3}), table = tensor({{1, 2}, {3, 4}});
  CHECK(to_string(pad(x, 0, 1, 2), 0) == "[0, 1, 2, 3, 0, 0]");
  CHECK(to_string(pad(table, 0, 1, 0, 9), 0) == "[[9, 9],\n [1, 2],\n [3, 4]]");
  CHECK(to_string(flip(x), 0) == "[3, 2, 1]");
  CHECK(to_string(flip(table, 0), 0) == "[[3, 4],\n [1, 2]]");
  CHECK(to_string(roll(x, 1), 0) == "[3, 1, 2]");
  CHECK(to_string(roll(x, -4), 0) == "[2, 3, 1]");
  CHECK(to_string(roll(table, 1, 0), 0) == "[[3, 4],\n [1, 2]]");
  CHECK(to_string(repeat(x, {2}), 0) == "[1, 2, 3, 1, 2, 3]");
  CHECK(to_string(repeat(table, {1, 2}), 0) == "[[1, 2, 1, 2],\n [3, 4, 3, 4]]");
  CHECK(to_string(repeat(tensor({1, 2}), {2, 1}), 0) == "[[1, 2],\n [1, 2]]");
  CHECK(to_string(repeat_interleave(x, 2), 0) == "[1, 1, 2, 2, 3, 3]");
  CHECK(to_string(repeat_interleave(table, 2, 0), 0) == "[[1, 2],\n [1, 2],\n [3, 4],\n [3, 4]]");
  CHECK(error_of([&] { repeat(table, {2}); }) == "[repeat] expected a number for each axis of (2,2), got 1.");
}

TEST_CASE("assignments with an operator bind a new tensor", "[ops]") {
  Tensor x = parameter({1, 2});
  const Tensor before = x;
  x += 1, x *= 3, x -= 2, x /= 2;
  CHECK(to_string(x) == "[2.0000, 3.5000]");
  CHECK(to_string(before) == "[1.0000, 2.0000]");
  CHECK(to_string(grad(sum(x), {before})[0]) == "[1.5000, 1.5000]");
}

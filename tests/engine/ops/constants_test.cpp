// Constants from sizes, indices and random numbers.
#include <array>
#include <cmath>

#include "catch.h"
#include "headlight/ops/ops.h"

using namespace headlight;

TEST_CASE("constants from sizes and indices", "[ops]") {
  CHECK(to_string(eye(2), 0) == "[[1, 0],\n [0, 1]]");
  CHECK(to_string(eye(2, 3), 0) == "[[1, 0, 0],\n [0, 1, 0]]");
  CHECK(eye(0).shape() == Shape{0, 0});
  CHECK(to_string(linspace(0, 1, 5), 2) == "[0.00, 0.25, 0.50, 0.75, 1.00]");
  CHECK(to_string(linspace(3, 1, 2), 0) == "[3, 1]");
  CHECK(to_string(linspace(3, 1, 1), 0) == "[3]");
  CHECK(linspace(0, 1, 0).shape() == Shape{0});
  CHECK(linspace(0, 0.1, 7).array()(6) == Real(0.1));
  CHECK(to_string(one_hot({2, 0}, 3), 0) == "[[0, 0, 1],\n [1, 0, 0]]");
  CHECK(one_hot(IntArray{{1, 2}, {0, 1}}, 4).shape() == Shape{2, 2, 4});
  CHECK(to_string(zeros_like(eye(2)), 0) == "[[0, 0],\n [0, 0]]");
  CHECK(to_string(ones_like(tensor({5, 6})), 0) == "[1, 1]");
  CHECK_FALSE(ones_like(parameter({1, 2})).requires_grad());
  CHECK(error_of([] { one_hot({3}, 3); }) == "[one_hot] index 3 is not in 0 … 2.");
  CHECK(error_of([] { one_hot({-1}, 3); }) == "[one_hot] index -1 is not in 0 … 2.");
}

TEST_CASE("random constants come from the generator, within their bounds", "[ops]") {
  Rng rng(1), same(1);
  const Array uniform = rand({1000}, rng, -1, 3).array();
  CHECK(difference(uniform, rand({1000}, same, -1, 3).array()) == 0);
  CHECK((*std::min_element(uniform.begin(), uniform.end()) >= -1 &&
         *std::max_element(uniform.begin(), uniform.end()) < 3));
  std::array<int, 4> seen{};
  for (std::int32_t i : randint(-1, 3, {1000}, rng)) ++seen.at(static_cast<std::size_t>(i + 1));
  for (int count : seen) CHECK(std::abs(count - 250) < 60);
  const Tensor coins = bernoulli(repeat(tensor({0, 0.25, 1}), {1000, 1}), rng);
  const Array shares = mean(coins, 0).array();
  CHECK((shares(0) == 0 && shares(2) == 1 && std::abs(shares(1) - 0.25) < 0.05));
  CHECK(error_of([&] { randint(3, 3, {1}, rng); }) ==
        "[randint] expected a low number below the high one, got 3 and 3.");
  CHECK(error_of([&] { bernoulli(tensor({1.5}), rng); }) ==
        "[bernoulli] expected probabilities in [0, 1], got 1.5.");
}

TEST_CASE("multinomial draws places as often as their weights say", "[ops]") {
  Rng rng(2);
  const IntArray drawn = multinomial(tensor({{1, 0, 3}, {0, 2, 0}}), 1000, rng, true);
  std::array<int, 3> seen{};
  for (std::size_t i = 0; i < 1000; ++i) {
    ++seen.at(static_cast<std::size_t>(drawn(0, i)));
    REQUIRE(drawn(1, i) == 1);
  }
  CHECK(seen[1] == 0);
  CHECK(std::abs(seen[0] - 250) < 60);
  for (int i = 0; i < 50; ++i) {
    const IntArray pair = multinomial(tensor({5, 0, 1, 1}), 3, rng);
    CHECK((pair(0) != pair(1) && pair(1) != pair(2) && pair(0) != pair(2)));
    for (std::int32_t place : pair) CHECK(place != 1);
  }
  CHECK(error_of([&] {
          multinomial(tensor({5, 0, 1}), 3, rng);
        }) == "[multinomial] 3 to draw out of 2 weights above 0.");
  CHECK(error_of([&] {
          multinomial(tensor({0, 0}), 1, rng, true);
        }) == "[multinomial] 1 to draw out of 0 weights above 0.");
  CHECK(error_of([&] {
          multinomial(tensor({5, -1}), 1, rng);
        }) == "[multinomial] expected weights of at least 0, got -1.");
}

// What each kind of positions computes.
#include "headlight/nn/positions.h"
#include "catch.h"
#include "headlight/ops/ops.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

const Positions& kind(const std::string& name) { return positions().find(name); }

RelativeBias bias_of(const std::string& name, const PositionSizes& sizes, const Tensor& numbers = {}) {
  return kind(name).bias(sizes)(numbers);
}

// The numbers 0, 1, 2, … in one row, so that a bias shows which of them it takes.
Tensor counted(std::size_t count) {
  Array numbers = empty_array({1, count});
  for (std::size_t i = 0; i < count; ++i) numbers(0, i) = static_cast<Real>(i);
  return Tensor(std::move(numbers));
}

}  // namespace

TEST_CASE("ALiBi's slopes are powers of two, also for other counts of heads", "[nn][positions]") {
  const auto slopes = [](std::size_t heads) {
    const RelativeBias bias = bias_of("alibi", {.n_ctx = 4, .n_heads = heads});
    CHECK(bias.first == 0);
    CHECK(bias.values.array()(0, 0) == 0);
    std::vector<double> log_slopes;
    for (std::size_t h = 0; h < heads; ++h)
      log_slopes.push_back(std::log2(-static_cast<double>(bias.values.array()(h, 3)) / 3));
    return log_slopes;
  };
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) < 1e-5);
  };
  near(slopes(4), {-2, -4, -6, -8});
  near(slopes(8), {-1, -2, -3, -4, -5, -6, -7, -8});
  near(slopes(1), {-8});
  near(slopes(6), {-2, -4, -6, -8, -1, -3});  // those of 4, and every second of 8
  const RelativeBias both = bias_of("alibi", {.n_ctx = 3, .n_heads = 1, .causal = false});
  CHECK(both.first == -2);
  CHECK(both.values.array()(0, 0) == both.values.array()(0, 4));
  CHECK(both.values.array()(0, 2) == 0);
}

TEST_CASE("T5's buckets grow with the distance", "[nn][positions]") {
  const auto buckets = [](const PositionSizes& sizes) {
    const RelativeBias bias = bias_of("t5", sizes, counted(std::min<std::size_t>(32, sizes.max_distance)));
    std::vector<int> of;
    for (Real b : bias.values.array()) of.push_back(static_cast<int>(b));
    return of;
  };
  // As transformers' T5Attention._relative_position_bucket gives them, for 32 buckets up to 128.
  const auto causal = buckets({.n_ctx = 200, .max_distance = 128});
  for (int t = 0; t < 16; ++t) CHECK(causal[static_cast<std::size_t>(t)] == t);
  for (const auto& [distance, bucket] : {std::pair(16, 16),
                                         {18, 16},
                                         {19, 17},
                                         {20, 17},
                                         {21, 18},
                                         {40, 23},
                                         {64, 26},
                                         {100, 30},
                                         {113, 31},
                                         {127, 31},
                                         {128, 31},
                                         {199, 31}})
    CHECK(causal[static_cast<std::size_t>(distance)] == bucket);
  const auto both = buckets({.n_ctx = 200, .max_distance = 128, .causal = false});
  CHECK(both.size() == 399);
  for (const auto& [distance, bucket] : {std::pair(0, 0),
                                         {7, 7},
                                         {8, 8},
                                         {11, 8},
                                         {12, 9},
                                         {128, 15},
                                         {199, 15},
                                         {-1, 17},
                                         {-7, 23},
                                         {-12, 25},
                                         {-199, 31}})
    CHECK(both[static_cast<std::size_t>(distance + 199)] == bucket);
  CHECK(buckets({.n_ctx = 6, .max_distance = 4}) == std::vector<int>{0, 1, 2, 3, 3, 3});
}

TEST_CASE("relative positions have a number for each distance up to the longest", "[nn][positions]") {
  Rng rng(1);
  const PositionSizes causal{.n_heads = 2, .max_distance = 3}, both{.max_distance = 3, .causal = false};
  CHECK(kind("relative").rel_bias(causal, rng).shape() == Shape{2, 4});
  CHECK(kind("relative").rel_bias(both, rng).shape() == Shape{4, 7});
  CHECK(bias_of("relative", both, counted(7)).first == -3);
}

TEST_CASE("sinusoidal vectors are waves, as long as an embedding", "[nn][positions]") {
  Rng rng(1);
  const Tensor vectors = kind("sinusoidal").vectors({.n_ctx = 5, .d_model = 6}, rng);
  CHECK_FALSE(vectors.requires_grad());
  const double factor = std::sqrt(2.0 / 6);
  for (std::size_t p = 0; p < 5; ++p)
    for (std::size_t i = 0; i < 3; ++i) {
      const double angle = static_cast<double>(p) / std::pow(10000.0, static_cast<double>(2 * i) / 6);
      CHECK(std::abs(static_cast<double>(vectors.array()(p, 2 * i)) - factor * std::sin(angle)) < 1e-6);
      CHECK(std::abs(static_cast<double>(vectors.array()(p, 2 * i + 1)) - factor * std::cos(angle)) < 1e-6);
    }
  CHECK(difference(sum(vectors * vectors, {-1}).array(), ones({5}).array()) < 1e-5);
}

TEST_CASE("a rotation of later positions is a part of the whole rotation", "[nn][positions]") {
  Rng rng(1);
  const auto rotate = kind("rotary").rotation({.n_ctx = 7, .d_head = 4});
  const Tensor x = randn({2, 7, 8}, rng);
  CHECK(difference(slice(rotate(x, 0), 1, 5).array(), rotate(slice(x, 1, 5), 5).array()) == 0);
}

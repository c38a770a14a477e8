// Ranges that are rounded outward, against exact arithmetic.
#include "proofs/ranges.h"

#include "catch.h"
#include "dyadic.h"
#include "property.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

using ExactNumbers = std::vector<Dyadic>;

double drawn_end(Rng& rng) {
  const double powers[] = {-1000, -60, -1, 0, 0, 1, 10, 52, 53, 80, 900};
  const double size = std::ldexp(1 + rng.uniform(), static_cast<int>(powers[rng.below(11)]));
  return rng.below(2) == 0 ? size : -size;
}

Range drawn_range(Rng& rng) {
  const double low = rng.below(8) == 0 ? 0 : drawn_end(rng);
  if (rng.below(3) == 0) return {low, low};
  const double high = rng.below(2) == 0 ? std::nextafter(low, 1e300) : drawn_end(rng);
  return {std::min(low, high), std::max(low, high)};
}

// Ranges of weights that weights adding up to 1 can have, wide, narrow or exact.
Ranges drawn_shares(Rng& rng, std::size_t n) {
  std::vector<double> weights;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += weights.emplace_back(std::exp(4 * rng.normal()));
  const double width = std::ldexp(1, -static_cast<int>(rng.below(60)));
  Ranges all;
  for (const double w : weights)
    all.push_back({w / sum * (1 - width * rng.uniform()) * (1 - 0x1p-50),
                   std::min(1.0, w / sum * (1 + width * rng.uniform()) * (1 + 0x1p-50))});
  return all;
}

// The least Σ w_i x_i: an end of the weights' ranges for all but one, which takes what is left. Every such
// choice is tried.
Dyadic least_sum(const ExactNumbers& x, const Ranges& weights) {
  Dyadic least = 1e300;
  for (std::size_t rest = 0; rest < x.size(); ++rest)
    for (std::size_t ends = 0; ends < std::size_t{1} << x.size(); ++ends) {
      Dyadic left = 1, sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (i == rest) continue;
        const Dyadic weight = (ends >> i & 1) == 1 ? weights[i].high : weights[i].low;
        left = left - weight, sum = sum + weight * x[i];
      }
      if (left < weights[rest].low || Dyadic(weights[rest].high) < left) continue;
      sum = sum + left * x[rest];
      if (sum < least) least = sum;
    }
  return least;
}

}  // namespace

TEST_CASE("sums, differences and joined ranges hold the exact ones, and little more",
          "[interpret][weights_bound]") {
  for_all(3000, [](Rng& rng, std::size_t) {
    const Range x = drawn_range(rng), y = drawn_range(rng), sum = x + y, difference = x - y,
                both = joined(x, y), ball = range_of({x.low, std::abs(y.high)});
    const auto check_range = [](const Range& range, const Dyadic& low, const Dyadic& high) {
      REQUIRE(Dyadic(range.low) <= low);
      REQUIRE(high <= Dyadic(range.high));
      REQUIRE(low - low.size() * Dyadic(0x1p-50) <= Dyadic(range.low));
      REQUIRE(Dyadic(range.high) <= high + high.size() * Dyadic(0x1p-50));
    };
    check_range(sum, Dyadic(x.low) + y.low, Dyadic(x.high) + y.high);
    check_range(difference, Dyadic(x.low) - y.high, Dyadic(x.high) - y.low);
    check_range(ball, Dyadic(x.low) - std::abs(y.high), Dyadic(x.low) + std::abs(y.high));
    REQUIRE((both.low == std::min(x.low, y.low) && both.high == std::max(x.high, y.high)));
  });
}

TEST_CASE("a mix holds every sum whose weights are in their ranges, and little more",
          "[interpret][weights_bound]") {
  for_all(600, [](Rng& rng, std::size_t n) {
    const Ranges weights = drawn_shares(rng, n);
    Ranges x;
    ExactNumbers low, negative;
    Dyadic largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(drawn_range(rng));
      low.emplace_back(x[i].low), negative.emplace_back(-x[i].high);
      for (const Dyadic& size : {low[i].size(), negative[i].size()})
        if (largest < size) largest = size;
    }
    const Range sum = mix(x, weights);
    const Dyadic least = least_sum(low, weights), most = -least_sum(negative, weights);
    const Dyadic rounding = largest * Dyadic(static_cast<double>(n) * 0x1p-48) + Dyadic(1e-299);
    REQUIRE(Dyadic(sum.low) <= least);
    REQUIRE(most <= Dyadic(sum.high));
    REQUIRE(least <= Dyadic(sum.low) + rounding);
    REQUIRE(Dyadic(sum.high) <= most + rounding);
  });
}

TEST_CASE("weights of scores in ranges are in theirs, which are little wider", "[interpret][weights_bound]") {
  for_all(400, [](Rng& rng, std::size_t n) {
    Ranges scores;
    for (std::size_t i = 0; i < n; ++i) {
      const double sizes[] = {0, 1e-9, 1, 30, 400, 720, 900};
      const double center = sizes[rng.below(7)] * (2 * rng.uniform() - 1);
      scores.push_back({center - sizes[rng.below(4)] * rng.uniform(), center + sizes[rng.below(4)] / 3});
    }
    const Ranges weights = softmax_ranges(scores);
    for (std::size_t i = 0; i < n; ++i) {
      Dyadic highest = 0, lowest = 0;  // the sums of e^(other - own score)
      for (std::size_t j = 0; j < n; ++j) {
        const Dyadic own_low = scores[i].low, own_high = scores[i].high;
        highest = highest + (i == j ? 1 : exp_of(Dyadic(scores[j].high) - own_low));
        lowest = lowest + (i == j ? 1 : exp_of(Dyadic(scores[j].low) - own_high));
      }
      REQUIRE(Dyadic(weights[i].low) * highest <= 1);
      REQUIRE(Dyadic(1) <= Dyadic(weights[i].high) * lowest);
      REQUIRE(Dyadic(1 - 1e-12) <= (Dyadic(weights[i].low) + Dyadic(2e-300)) * highest);
      REQUIRE((Dyadic(weights[i].high) - Dyadic(2e-300)) * lowest <= 1 + 1e-12);
    }
  });
}

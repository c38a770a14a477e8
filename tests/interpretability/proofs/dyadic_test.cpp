// The exact arithmetic that bounds on rounding are compared with.
#include "dyadic.h"

#include "catch.h"
#include "property.h"

using namespace headlight;

namespace {

// A whole number of up to 60 bits, as two doubles that add up to it, and itself.
struct Whole {
  std::int64_t number;
  Dyadic exact() const {
    const std::int64_t low = number % (1 << 30);
    return Dyadic(static_cast<double>(number - low)) + Dyadic(static_cast<double>(low));
  }
};

bool equal(const Dyadic& x, const Dyadic& y) { return x <= y && y <= x; }

}  // namespace

TEST_CASE("exact numbers add, multiply and compare as whole numbers do", "[interpret][balls]") {
  for_all(2000, [](Rng& rng, std::size_t) {
    const auto drawn = [&] {
      const auto bits = rng.below(31);
      const auto size = static_cast<std::int64_t>(rng.next() >> (63 - bits));
      return rng.below(2) == 0 ? size : -size;
    };
    const std::int64_t a = drawn(), b = drawn(), c = drawn();
    REQUIRE(equal(Whole{a * b + c}.exact(), Whole{a}.exact() * Whole{b}.exact() + Whole{c}.exact()));
    REQUIRE(equal(Whole{a - b}.exact(), Whole{a}.exact() - Whole{b}.exact()));
    REQUIRE((a < b) == (Dyadic(static_cast<double>(a)) < Dyadic(static_cast<double>(b))));
    const int far = static_cast<int>(rng.below(3000)) - 1500;  // 1 and 2^far together, and apart again
    const Dyadic power = Dyadic(1).times_power_of_two(far);
    REQUIRE(equal((Whole{a}.exact() + power) * power - power * power, Whole{a}.exact() * power));
  });
}

TEST_CASE("powers of e multiply as they must", "[interpret][balls]") {
  for_all(50, [](Rng& rng, std::size_t) {
    const double x = 800 * rng.normal(), y = rng.normal();
    const Dyadic sum = exp_of(Dyadic(x) + Dyadic(y)), product = exp_of(x) * exp_of(y);
    REQUIRE((sum - product).size() <= sum.times_power_of_two(-240));
  });
  for (const double x : {-700.0, -20.5, -1e-9, 0.0, 1.0, 300.0}) {
    const Dyadic e = exp_of(x), library = std::exp(x);
    CHECK((e - library).size() <= e.times_power_of_two(-52));
  }
}

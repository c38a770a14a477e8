#include "headlight/core/math.h"

#include <cmath>
#include <limits>

#include "catch.h"
#include "headlight/core/rng.h"

using namespace headlight;

namespace {

// How far y is from exact, in units of the last place of a double there.
double units_off(double y, long double exact) {
  const double nearest = static_cast<double>(exact);
  if (y == nearest) return 0;
  const double unit =
      std::nextafter(std::abs(nearest), std::numeric_limits<double>::infinity()) - std::abs(nearest);
  return static_cast<double>(std::abs(static_cast<long double>(y) - exact) / static_cast<long double>(unit));
}

template <class Function, class Exact>
double worst_of(double low, double high, Function function, Exact exact) {
  Rng rng(3);
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = low + (high - low) * rng.uniform();
    worst = std::max(worst, units_off(function(x), exact(static_cast<long double>(x))));
  }
  return worst;
}

const double kInfinity = std::numeric_limits<double>::infinity(),
             kNotANumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("math: exp, log, sin and cos of doubles are within 2 units in the last place", "[math]") {
  if constexpr (std::numeric_limits<long double>::digits < 60) return;  // nothing more exact to compare with
  const auto exp = [](long double x) { return std::exp(x); };
  CHECK(worst_of(-1, 1, math::exp, exp) <= 2);
  CHECK(worst_of(-745, 709.7, math::exp, exp) <= 2);
  const auto log = [](long double x) { return std::log(x); };
  CHECK(worst_of(0, 2, math::log, log) <= 2);
  CHECK(worst_of(0.999, 1.001, math::log, log) <= 2);
  CHECK(worst_of(0, 1e300, math::log, log) <= 2);
  CHECK(worst_of(0, 1e-310, math::log, log) <= 2);
  const auto sin = [](long double x) { return std::sin(x); };
  const auto cos = [](long double x) { return std::cos(x); };
  for (const double range : {1.0, 100.0, 1048576.0}) {
    CHECK(worst_of(-range, range, math::sin, sin) <= 2);
    CHECK(worst_of(-range, range, math::cos, cos) <= 2);
  }
  double worst = 0;  // where nearly all digits of the angle cancel
  for (int k = -600'000; k < 600'000; k += 7) {
    const double x = k * 1.5707963267948966;
    worst = std::max(worst, units_off(math::sin(x), std::sin(static_cast<long double>(x))));
  }
  CHECK(worst <= 2);
}

TEST_CASE("math: expm1 and log1p are within 5 units in the last place, near 0 too", "[math]") {
  if constexpr (std::numeric_limits<long double>::digits < 60) return;
  const auto expm1 = [](long double x) { return std::expm1(x); };
  const auto log1p = [](long double x) { return std::log1p(x); };
  for (const double range : {1e-12, 1e-3, 0.9, 30.0}) {
    CHECK(worst_of(-range, range, math::expm1, expm1) <= 5);
    CHECK(worst_of(-std::min(range, 0.999), range, math::log1p, log1p) <= 5);
  }
}

TEST_CASE("math: infinities, zeros and NaN", "[math]") {
  CHECK(math::exp(0) == 1);
  CHECK(math::exp(1000) == kInfinity);
  CHECK(math::exp(-1000) == 0);
  CHECK(math::exp(-kInfinity) == 0);
  CHECK(std::isnan(math::exp(kNotANumber)));
  CHECK(math::log(1) == 0);
  CHECK(math::log1p(0) == 0);
  CHECK(math::log1p(-1) == -kInfinity);
  CHECK(math::log1p(kInfinity) == kInfinity);
  CHECK(std::isnan(math::log1p(-2)));
  CHECK(math::expm1(0) == 0);
  CHECK(math::expm1(-kInfinity) == -1);
  CHECK(math::expm1(1000) == kInfinity);
  CHECK(std::isnan(math::expm1(kNotANumber)));
  CHECK(math::log(0) == -kInfinity);
  CHECK(math::log(kInfinity) == kInfinity);
  CHECK(std::isnan(math::log(-1)));
  CHECK(std::isnan(math::log(kNotANumber)));
  CHECK(math::sin(0) == 0);
  CHECK(math::cos(0) == 1);
  CHECK(contains(error_of([] { math::sin(2e6); }),
                 "[sin, cos] expected an angle of at most 2^20, got 2000000"));
  CHECK_THROWS(math::cos(kNotANumber));
}

TEST_CASE("math: powers", "[math]") {
  CHECK(math::power(10.0, 0.0) == 1);
  CHECK(units_off(math::power(10000.0, -0.3), std::pow(10000.0L, -0.3L)) <=
        2 * (1 + 0.3 * std::log(10000.0)));
  CHECK(math::power(0.999, std::size_t{1}) == 0.999);
  CHECK(math::power(3.0, std::size_t{5}) == 243);
  CHECK(math::power(0.9, std::size_t{0}) == 1);
  CHECK(units_off(math::power(0.999, std::size_t{1000}),
                  std::pow(static_cast<long double>(0.999), 1000.0L)) <= 501);
}

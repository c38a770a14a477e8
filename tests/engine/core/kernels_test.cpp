#include <bit>
#include <limits>
#include <type_traits>
#include <vector>

#include "catch.h"
#include "headlight/core/kernels.h"
#include "headlight/core/norm_kernels.h"
#include "headlight/core/rng.h"
#include "headlight/core/row_kernels.h"
#include "headlight/core/version.h"

using namespace headlight;

namespace {

constexpr Real kInf = std::numeric_limits<Real>::infinity();

// The largest error of a kernel over these numbers, in units of the spacing of numbers at the exact value.
template <class Kernel, class Exact>
double worst_error(Kernel kernel, Exact exact, const std::vector<Real>& at) {
  Array x = empty_array({at.size()});
  std::copy(at.begin(), at.end(), x.data());
  const Array y = kernel(x);
  double worst = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const long double expected = exact(static_cast<long double>(at[i]));
    const Real near = static_cast<Real>(expected), found = y.data()[i];
    if (near == found) continue;  // infinities among them
    const Real spacing = std::nextafter(std::abs(near), kInf) - std::abs(near);
    const double error = static_cast<double>(std::abs(static_cast<long double>(found) - expected) / spacing);
    worst = error > worst || std::isnan(error) ? error : worst;
  }
  return worst;
}

std::vector<Real> range(double from, double to) {
  constexpr int n = 100000;
  std::vector<Real> at;
  for (int i = 0; i <= n; ++i) at.push_back(static_cast<Real>(from + (to - from) * i / n));
  return at;
}

// Numbers of every magnitude and both signs, subnormal ones too, spread evenly over their bit patterns.
std::vector<Real> all_magnitudes() {
  using Bits = std::conditional_t<kDouble, std::uint64_t, std::uint32_t>;
  constexpr Bits kSteps = 1000003;
  std::vector<Real> at;
  for (Bits i = 0; i < kSteps; ++i) {
    const Real x = std::bit_cast<Real>(static_cast<Bits>(i * (std::numeric_limits<Bits>::max() / kSteps)));
    if (!std::isnan(x)) at.push_back(x);
  }
  return at;
}

}  // namespace

TEST_CASE("exp and tanh are within 2 units of exact over the whole range", "[core]") {
  const auto exact_exp = [](long double x) { return std::exp(x); };
  const auto exact_tanh = [](long double x) { return std::tanh(x); };
  const double smallest = kDouble ? -750 : -105, largest = kDouble ? 710 : 90;
  CHECK(worst_error(kernels::exp, exact_exp, range(smallest, largest)) <= 2);
  CHECK(worst_error(kernels::exp, exact_exp, all_magnitudes()) <= 2);
  CHECK(worst_error(kernels::tanh, exact_tanh, range(-12, 12)) <= 2);
  CHECK(worst_error(kernels::tanh, exact_tanh, all_magnitudes()) <= 2);
}

TEST_CASE("log and erf are within 2 units of exact over the whole range", "[core]") {
  const auto exact_log = [](long double x) { return std::log(x); };
  const auto exact_erf = [](long double x) { return std::erf(x); };
  std::vector<Real> positive = all_magnitudes();
  std::erase_if(positive, [](Real x) { return x < 0; });
  CHECK(worst_error(kernels::log, exact_log, positive) <= 2);
  CHECK(worst_error(kernels::log, exact_log, range(0.99, 1.01)) <= 2);
  CHECK(worst_error(kernels::log, exact_log, range(1e-6, 1e6)) <= 2);
  CHECK(worst_error(kernels::erf, exact_erf, all_magnitudes()) <= 2);
  CHECK(worst_error(kernels::erf, exact_erf, range(-6, 6)) <= 2);
}

TEST_CASE("powers are the C library's to 2 units, at its odd places too", "[core]") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const std::vector<Real> odd = {0, -Real(0), 1,    -1,    2,   -2,         Real(0.5),  -Real(0.5),
                                 3, -3,       kInf, -kInf, nan, Real(1e30), Real(-1e30)};
  for (const Real x : odd)
    for (const Real y : odd) {
      const Real found = kernels::pow(full_array({1}, x), full_array({1}, y)).data()[0],
                 expected = std::pow(x, y);
      INFO(x << " to the " << y << ": " << found << ", expected " << expected);
      CHECK(((std::isnan(found) && std::isnan(expected)) ||
             (found == expected && std::signbit(found) == std::signbit(expected)) ||
             std::abs(found - expected) <= 2 * std::numeric_limits<Real>::epsilon() * std::abs(expected)));
    }
  for (const double y : {-3.3, 0.1, 0.7, 2.5}) {
    const auto power = [&](const Array& x) { return kernels::pow(x, full_array({1}, static_cast<Real>(y))); };
    const auto exact = [&](long double x) {
      return std::pow(x, static_cast<long double>(static_cast<Real>(y)));
    };
    CHECK(worst_error(power, exact, range(1e-3, 1e3)) <= 2);
  }
}

TEST_CASE("sums along a row have sixteen lanes: the same bits whatever the machine's vectors", "[core]") {
  if constexpr (kDouble) return;  // its sums of numbers are of chunks in double precision too
  for (const std::size_t n : {1, 15, 16, 17, 100, 1000}) {
    Rng rng(n);
    const Array x = rng.normal_array({n}), y = rng.normal_array({n});
    Real lane[16] = {}, products[16] = {};
    const std::size_t whole = n - n % 16;
    const auto fused = [](Real a, Real b, Real c) {
      return fuses_multiply_add() ? std::fma(a, b, c) : a * b + c;
    };
    for (std::size_t i = 0; i < whole; ++i) {
      lane[i % 16] += x(i);
      products[i % 16] = fused(x(i), y(i), products[i % 16]);
    }
    for (std::size_t half = 8; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) {
        lane[i] += lane[i + half];
        products[i] += products[i + half];
      }
    for (std::size_t i = whole; i < n; ++i) {
      lane[0] += x(i);
      products[0] = fused(x(i), y(i), products[0]);
    }
    CHECK(kernels::sum_row(x.data(), n) == lane[0]);
    CHECK(kernels::dot_row(x.data(), y.data(), n) == products[0]);
  }
}

TEST_CASE("vectorised functions keep infinities and NaN", "[core]") {
  // 37 elements: the vectorised body and the tail of the loop.
  for (std::size_t at = 0; at < 37; ++at) {
    Array x = full_array({37}, 1);
    x.data()[at] = -kInf;
    CHECK(kernels::exp(x).data()[at] == 0);
    CHECK(kernels::tanh(x).data()[at] == -1);
    x.data()[at] = kInf;
    CHECK(kernels::exp(x).data()[at] == kInf);
    CHECK(kernels::log(x).data()[at] == kInf);
    CHECK(kernels::sigmoid(x).data()[at] == 1);
    x.data()[at] = std::numeric_limits<Real>::quiet_NaN();
    CHECK(std::isnan(kernels::exp(x).data()[at]));
    CHECK(std::isnan(kernels::tanh(x).data()[at]));
    x.data()[at] = Real(-0.0);
    CHECK(kernels::exp(x).data()[at] == 1);
    CHECK(std::signbit(kernels::tanh(x).data()[at]));
    x.data()[at] = std::numeric_limits<Real>::quiet_NaN();
    CHECK(std::isnan(kernels::relu(x).data()[at]));
    CHECK(std::isnan(kernels::maximum(x, full_array({37}, 0)).data()[at]));
    x.data()[at] = -1000;
    CHECK(kernels::sigmoid(x).data()[at] == Approx(0).margin(1e-30));
  }
}

TEST_CASE("broadcasting matches its definition in every position", "[core]") {
  Rng rng(3);
  const Shape a_shape =
      GENERATE(Shape{2, 3, 4}, Shape{1, 3, 1}, Shape{4}, Shape{3, 1}, Shape{2, 1, 4}, Shape{});
  const Shape b_shape = GENERATE(Shape{2, 3, 4}, Shape{2, 1, 1}, Shape{1, 4}, Shape{3, 4}, Shape{1});
  const Array a = rng.normal_array(a_shape), b = rng.normal_array(b_shape);
  const Array z = kernels::sub(a, b);
  const Shape shape = broadcast_shapes(a_shape, b_shape, "sub");
  REQUIRE(z.shape() == shape);
  std::size_t flat = 0;
  Shape index(shape.size(), 0);
  const auto value = [&](const Array& x, const Shape& own) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < own.size(); ++i)
      at = at * own[i] + (own[i] == 1 ? 0 : index[shape.size() - own.size() + i]);
    return x.data()[at];
  };
  for (; flat < z.size(); ++flat) {
    CHECK(z.data()[flat] == value(a, a_shape) - value(b, b_shape));
    for (std::size_t i = shape.size(); i > 0; --i) {
      if (++index[i - 1] < shape[i - 1]) break;
      index[i - 1] = 0;
    }
  }
}

TEST_CASE("sum_to is the transpose of broadcast_to", "[core]") {
  Rng rng(4);
  const Shape small =
      GENERATE(Shape{}, Shape{1}, Shape{4}, Shape{3, 1}, Shape{1, 4}, Shape{2, 1, 4}, Shape{1, 3, 1});
  const Array x = rng.normal_array(small), y = rng.normal_array({2, 3, 4});
  const Array up = kernels::broadcast_to(x, {2, 3, 4}), down = kernels::sum_to(y, small);
  double left = 0, right = 0;
  for (std::size_t i = 0; i < up.size(); ++i) left += double(up.data()[i]) * double(y.data()[i]);
  for (std::size_t i = 0; i < x.size(); ++i) right += double(x.data()[i]) * double(down.data()[i]);
  CHECK(left == Approx(right).margin(1e-5));
}

// Whole vectors, what is left after them, and the chunks of long rows.
TEST_CASE("sums, products and maxima of rows of every width", "[core]") {
  Rng rng(8);
  std::vector<std::size_t> widths{255, 256, 257, 1023, 1024, 1025, 2100};
  for (std::size_t width = 0; width <= 70; ++width) widths.push_back(width);
  for (const std::size_t width : widths) {
    const Array x = rng.normal_array({width}, -5), y = rng.normal_array({width});
    double sum = 0, product = 0, exponentials = 0, magnitude = 1;
    Real largest = -kInf;
    for (std::size_t i = 0; i < width; ++i) {
      sum += double(x(i));
      product += double(x(i)) * double(y(i));
      exponentials += std::exp(double(x(i)));
      magnitude += std::abs(double(x(i)));
      largest = std::max(largest, x(i));
    }
    INFO("width " << width);
    CHECK(std::abs(double(kernels::sum_row(x.data(), width)) - sum) < kRounding * magnitude);
    CHECK(std::abs(double(kernels::dot_row(x.data(), y.data(), width)) - product) < kRounding * magnitude);
    CHECK(kernels::max_row(x.data(), width) == largest);
    if (width > 0)
      CHECK(std::abs(double(kernels::minus_log_softmax(kernels::softmax_sum_row(x.data(), width), 0)) -
                     std::log(exponentials)) < 4 * kRounding);
  }
}

TEST_CASE("a fully masked softmax row is zeros", "[core]") {
  Real row[3] = {-kInf, -kInf, -kInf};
  kernels::softmax_row(row, row, 3);
  for (Real y : row) CHECK(y == 0);
  Real large[3] = {10000, -10000, 10000};
  kernels::softmax_row(large, large, 3);
  CHECK(large[0] == Approx(0.5));
  CHECK(large[1] == 0);
}

TEST_CASE("a NaN among hidden keys is not taken for nothing", "[core]") {
  constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
  for (std::size_t at = 0; at < 20; ++at) {
    std::vector<Real> row(20, -kInf), y(20);
    row[at] = kNaN;
    kernels::softmax_row(row.data(), y.data(), 20);
    CHECK(std::isnan(y[at]));
    CHECK(std::isnan(kernels::softmax_sum_row(row.data(), 20).others));
  }
}

TEST_CASE("sums of long rows stay accurate", "[core]") {
  const Array x = full_array({1000000}, Real(0.1));
  CHECK(double(kernels::sum_to(x, Shape{}).data()[0]) == Approx(100000).epsilon(kDouble ? 1e-11 : 1e-5));
}

TEST_CASE("arrays of no elements pass through", "[core]") {
  const Array none = empty_array({0, 3});
  CHECK(kernels::exp(none).shape() == Shape{0, 3});
  CHECK(kernels::add(none, full_array({3}, 1)).size() == 0);
  CHECK(kernels::sum_to(none, {1, 3}).data()[2] == 0);
  CHECK(kernels::permute(none, {1, 0}).shape() == Shape{3, 0});
}

TEST_CASE("kernels that put numbers back look at the axes first", "[core]") {
  const Array scalar = full_array({}, 1), row = full_array({2}, 1), rows = full_array({2, 3}, 1);
  CHECK(contains(error_of([&] { kernels::add_rows(scalar, IntArray{0}, 3); }), "[add_rows] expected rows"));
  CHECK(
      contains(error_of([&] { kernels::unslice(scalar, {}, 0, 0, 1); }), "() is no part of () along axis 0"));
  CHECK(contains(error_of([&] { kernels::unslice(row, {4, 3}, 0, 0, 1); }), "(2) is no part of (4,3)"));
  CHECK(contains(error_of([&] { kernels::unslice(rows, {4, 2}, 0, 0, 1); }), "(2,3) is no part of (4,2)"));
  CHECK(contains(error_of([&] {
                   kernels::unslice(rows, {4, 3}, 0, 1, 3);
                 }),
                 "[unslice] 2 elements from 1 in steps of 3 do not lie within axis 0 of (4,3)"));
}

// What the functions of numbers, reductions and orders mean, on numbers that a reader can check.
#include <cmath>
#include <limits>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

using Limits = std::numeric_limits<Real>;

// Of the sum of f(x).
Array slope(Tensor (*f)(const Tensor&), const Tensor& values) {
  const Tensor x = parameter(values.array());
  return grad(sum(f(x)), {x})[0].array();
}

}  // namespace

TEST_CASE("sin, cos, expm1 and log1p are exact, near 0 too", "[ops]") {
  const double tolerance = kDouble ? 1e-15 : 1e-7;
  for (const double x : {1e-20, 1e-8, 1e-3, 0.5, 2.0, 30.0}) {
    INFO(x);
    const Tensor of(x);
    const auto near = [&](const Tensor& y, double right) {
      CHECK(std::abs(double(y.item()) - right) <= 3 * tolerance * std::abs(right));
    };
    const auto rounded = double(of.item());
    near(sin(of), std::sin(rounded)), near(cos(of), std::cos(rounded));
    near(expm1(of), std::expm1(rounded)), near(expm1(-of), std::expm1(-rounded));
    near(log1p(of), std::log1p(rounded));
    if (rounded < 1) near(log1p(-of), std::log1p(-rounded));
    near(softplus(-of), std::log1p(std::exp(-rounded)));
  }
  CHECK(to_string(log1p(tensor({-1, Limits::infinity(), -2, Limits::quiet_NaN()}))) ==
        "[-inf, inf, nan, nan]");
  CHECK(to_string(expm1(tensor({-Limits::infinity(), Limits::infinity(), 1e4, -1e4, Limits::quiet_NaN()}))) ==
        "[-1.0000, inf, inf, -1.0000, nan]");
  CHECK(to_string(softplus(tensor({-Limits::infinity(), Limits::infinity(), 1e4, -1e4}))) ==
        "[0.0000, inf, 10000.0000, 0.0000]");
  CHECK(to_string(sin(tensor({Limits::infinity(), Limits::quiet_NaN()}))) == "[nan, nan]");
  CHECK(error_of([] { cos(Tensor(2e6)); }) == "[sin, cos] expected an angle of at most 2^20, got 2000000.");
}

TEST_CASE("steps, kinks and clamps", "[ops]") {
  const Tensor x = tensor({-1.5, -0.5, 0, 0.5, 1.5});
  CHECK(to_string(floor(x), 0) == "[-2, -1, 0, 0, 1]");
  CHECK(to_string(sign(x), 0) == "[-1, -1, 0, 1, 1]");
  CHECK(to_string(square(x), 2) == "[2.25, 0.25, 0.00, 0.25, 2.25]");
  CHECK(to_string(leaky_relu(x, Real(0.1)), 2) == "[-0.15, -0.05, 0.00, 0.50, 1.50]");
  CHECK(to_string(clamp(x, Real(-0.5), 1), 1) == "[-0.5, -0.5, 0.0, 0.5, 1.0]");
  CHECK(to_string(clamp(tensor({Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}), 0, 1)) ==
        "[nan, 1.0000, 0.0000]");
  CHECK(to_string(slope(sign, x), 0) == "[0, 0, 0, 0, 0]");
  CHECK(to_string(slope(floor, x), 0) == "[0, 0, 0, 0, 0]");
  CHECK(to_string(slope([](const Tensor& a) { return clamp(a, Real(-0.5), 1); }, x), 0) == "[0, 1, 1, 1, 0]");
  CHECK(to_string(slope([](const Tensor& a) { return leaky_relu(a, Real(0.1)); }, x), 1) ==
        "[0.1, 0.1, 0.1, 1.0, 1.0]");
  CHECK(to_string(minimum(x, 0), 1) == "[-1.5, -0.5, 0.0, 0.0, 0.0]");
  CHECK(to_string(slope([](const Tensor& a) { return minimum(a, 0); }, x), 1) == "[1.0, 1.0, 0.5, 0.0, 0.0]");
  CHECK(error_of([&] { clamp(x, 2, 1); }) ==
        "[clamp] expected a lowest number that is at most the highest, got 2 and 1.");
}

TEST_CASE("reductions of a matrix, by one axis or several", "[ops]") {
  const Tensor x = tensor({{1, -2, 3}, {4, 5, -6}});
  CHECK(to_string(sum(x, -1), 0) == "[2, 3]");
  CHECK(to_string(sum(x, 0, true), 0) == "[[5, 3, -3]]");
  CHECK(sum(x, {}, true).shape() == Shape{1, 1});
  CHECK(to_string(sum(x, {0, 1}), 0) == "5");
  CHECK(to_string(mean(x, 0), 1) == "[2.5, 1.5, -1.5]");
  CHECK(to_string(max(x, -1), 0) == "[3, 5]");
  CHECK(to_string(min(x, -1), 0) == "[-2, -6]");
  CHECK(to_string(prod(x, 0), 0) == "[4, -10, -18]");
  CHECK(prod(x).item() == 720);
  CHECK(prod(zeros({0})).item() == 1);
  CHECK(to_string(norm(tensor({{3, 4}, {0, 0}}), 1), 0) == "[5, 0]");
  CHECK(to_string(stddev(tensor({1, 2, 3, 4})), 4) == "1.1180");
  CHECK(to_string(stddev(tensor({1, 2, 3, 4}), {}, false, 1), 4) == "1.2910");
  CHECK(to_string(cumsum(x, 0), 0) == "[[1, -2, 3],\n [5, 3, -3]]");
  CHECK(to_string(cumsum(x), 0) == "[[1, -1, 2],\n [4, 9, 3]]");
  CHECK(
      to_string(
          logsumexp(
              tensor({{100, 100}, {-Limits::infinity(), 0}, {-Limits::infinity(), -Limits::infinity()}}), 1),
          4) == "[100.6931, 0.0000, -inf]");
  CHECK(error_of([] {
          min(zeros({2, 0}), 1);
        }) == "[min] the minimum over no numbers is undefined: shape (2,0).");
}

TEST_CASE("gradients of reductions at their singular places", "[ops]") {
  CHECK(to_string(slope([](const Tensor& a) { return norm(a, 1); }, tensor({{3, 4}, {0, 0}})), 1) ==
        "[[0.6, 0.8],\n [0.0, 0.0]]");
  CHECK(to_string(slope([](const Tensor& a) { return stddev(a); }, tensor({2, 2})), 1) == "[0.0, 0.0]");
  CHECK(to_string(slope([](const Tensor& a) { return prod(a, 1); }, tensor({{2, 0, 3}, {0, 5, 0}})), 0) ==
        "[[0, 6, 0],\n [0, 0, 0]]");
  CHECK(to_string(slope([](const Tensor& a) { return logsumexp(a, 1); },
                        tensor({{-Limits::infinity(), 0}, {-Limits::infinity(), -Limits::infinity()}})),
                  0) == "[[0, 1],\n [0, 0]]");
  CHECK(to_string(slope([](const Tensor& a) { return min(a); }, tensor({1, 3, 1})), 1) == "[0.5, 0.0, 0.5]");
}

TEST_CASE("long running sums stay accurate", "[ops]") {
  const Array sums = cumsum(full({1000000}, Real(0.1))).array();
  CHECK(std::abs(double(sums.data()[999999]) / (1e6 * double(Real(0.1))) - 1) < 1e-6);
}

TEST_CASE("sorting keeps the places, and the gradient goes back to them", "[ops]") {
  const Tensor x = parameter({{3, 1, 2}, {5, 5, 4}});
  const Sorted up = sort(x), down = sort(x, 1, true), columns = sort(x, 0);
  CHECK(to_string(up.values, 0) == "[[1, 2, 3],\n [4, 5, 5]]");
  CHECK(to_string(up.indices) == "[[1, 2, 0],\n [2, 0, 1]]");
  CHECK(to_string(down.values, 0) == "[[3, 2, 1],\n [5, 5, 4]]");
  CHECK(to_string(down.indices) == "[[0, 2, 1],\n [0, 1, 2]]");
  CHECK(to_string(columns.values, 0) == "[[3, 1, 2],\n [5, 5, 4]]");
  CHECK(to_string(argsort(x, 0, true)) == "[[1, 1, 1],\n [0, 0, 0]]");
  CHECK(to_string(grad(sum(up.values * tensor({1, 10, 100})), {x})[0], 0) ==
        "[[100, 1, 10],\n [10, 100, 1]]");
  CHECK(to_string(topk(x, 2).values, 0) == "[[3, 2],\n [5, 5]]");
  CHECK(to_string(topk(x, 2).indices) == "[[0, 2],\n [0, 1]]");
  CHECK(to_string(topk(x, 1, 0, false).values, 0) == "[[3, 1, 2]]");
  CHECK(error_of([&] { topk(x, 4); }) ==
        "[topk] expected at most 3 numbers along axis -1 of (2,3), got k = 4.");
}

TEST_CASE("the places of the largest and the smallest numbers", "[ops]") {
  const Tensor x = tensor({{3, 1, 3}, {-1, 5, -1}});
  CHECK(to_string(argmax(x)) == "[0, 1]");
  CHECK(to_string(argmin(x)) == "[1, 0]");
  CHECK(to_string(argmax(x, 0)) == "[0, 1, 0]");
  CHECK(argmax(flatten(x))() == 4);
  const Tensor odd = tensor({1, Limits::quiet_NaN(), 2, Limits::quiet_NaN()});
  CHECK(argmax(odd)() == 1);
  CHECK(argmin(odd)() == 1);
  CHECK(to_string(argsort(odd)) == "[0, 2, 1, 3]");
  CHECK(to_string(argsort(odd, 0, true)) == "[1, 3, 2, 0]");
  CHECK(error_of([] {
          argmax(zeros({2, 0}));
        }) == "[argmax] the place of the largest of no numbers is undefined: shape (2,0).");
  CHECK(error_of([] { argmin(zeros({0})); }) ==
        "[argmin] the place of the smallest of no numbers is undefined: shape (0).");
}

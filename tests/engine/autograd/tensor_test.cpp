// A tensor's making, printing and gradient, as someone new to the library writes them.
#include "headlight/autograd/tensor.h"
#include "headlight/autograd/recording.h"

#include <sstream>

#include "catch.h"
#include "headlight/ops/ops.h"

using namespace headlight;

TEST_CASE("tensors print through fmt and through streams", "[autograd]") {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  std::ostringstream out;
  out << x << x.shape();
  CHECK(out.str() == to_string(x) + "(2,2)");
  CHECK(fmt::format("{}", x) == "[[1.0000, 2.0000],\n [3.0000, 4.0000]]");
  CHECK(fmt::format("{:.1e}", x[0]) == "[1.0e+00, 2.0e+00]");
  CHECK(fmt::format("{}", Tensor(1e-6)) == "1.0000e-06");
  CHECK(fmt::format("{:.1f}", 2 * x) == "[[2.0, 4.0],\n [6.0, 8.0]]");
  CHECK(fmt::format("{}", parameter(tensor({1})).grad()) == "undefined");
}

TEST_CASE("parameters are made from numbers, lists, tensors and arrays", "[autograd]") {
  CHECK(parameter(0.5).shape() == Shape{});
  CHECK(parameter(3).item() == 3);
  CHECK(parameter({1, 2}).shape() == Shape{2});
  CHECK(parameter({{1, 2}}).shape() == Shape{1, 2});
  CHECK(parameter({{{{1, 2.5f}}}}).shape() == Shape{1, 1, 1, 2});
  CHECK(parameter(Array{1, 2}).shape() == Shape{2});
  const Tensor w = parameter({{1, 2}, {3, 4}});
  CHECK(w.requires_grad());
  CHECK(difference(w.array(), tensor({{1, 2}, {3, 4}}).array()) == 0);
  CHECK(contains(error_of([] {
                   parameter({{1, 2}, {3}});
                 }),
                 "lists side by side have different shapes: (2) and (1)"));
}

TEST_CASE("parameters are made from xtensor's expressions and other containers", "[autograd]") {
  const Array x{1, 2};
  CHECK(to_string(parameter(2 * x + 1)) == "[3.0000, 5.0000]");
  CHECK(to_string(parameter(xt::view(x, xt::range(1, 2)))) == "[2.0000]");
  CHECK(parameter(xt::xarray<double>{1, 2}).requires_grad());
  CHECK(contains(error_of([] { parameter(IntArray{1, 2} * 2); }), "whole numbers (tokens, indices)"));
  CHECK(contains(error_of([] { parameter(xt::xarray<long>{1}); }), "whole numbers (tokens, indices)"));
}

TEST_CASE("tensors and parameters are made from std::vectors", "[autograd]") {
  const std::vector<double> row{1, 2};
  const std::vector<std::vector<int>> rows{{1, 2, 3}, {4, 5, 6}};
  CHECK(tensor(row).shape() == Shape{2});
  CHECK(tensor(rows).array()(1, 2) == 6);
  CHECK(tensor({row, row}).shape() == Shape{2, 2});
  CHECK(tensor(row, {2, 1}).array()(1, 0) == 2);
  CHECK(tensor({1, 2, 3, 4}, {2, 2}).shape() == Shape{2, 2});
  CHECK(parameter(rows).shape() == Shape{2, 3});
  CHECK(tensor(std::vector<float>()).shape() == Shape{0});
  CHECK(contains(error_of([] {
                   tensor(std::vector<std::vector<double>>{{1, 2}, {3}});
                 }),
                 "lists side by side have different shapes"));
}

TEST_CASE("a parameter that was replaced instead of updated is explained", "[autograd]") {
  Tensor w = parameter({1, 2});
  const auto step = [&] {
    sum(w * w).backward();
    w = w - 0.1 * w.grad();
  };
  step();
  CHECK(error_of(step) ==
        "[grad] the result of 'sub' of shape (2) is not a parameter, and backward() leaves "
        "gradients at parameters only. Hint: make it with parameter(). If `x = x - …` or `x -= …` "
        "replaced a parameter, update it in place instead, x.mutable_array() -= 0.1 * "
        "x.grad().array(), or with an optimizer. (The gradient of a result is grad(loss, {x}).)");
}

TEST_CASE("a parameter that NoGrad made a constant is explained", "[autograd]") {
  Tensor w = parameter({1, 2});
  const Tensor other = parameter(1);
  sum(w * w).backward();
  {
    const NoGrad no_grad;
    w = w - 0.1 * w.grad();
  }
  CHECK(
      contains(error_of([&] { sum(w * w).backward(); }),
               "`w = w - …` under NoGrad makes a constant of a parameter; w.mutable_array() -= … does not."));
  sum(w * other).backward();
  CHECK(contains(error_of([&] { w.grad(); }),
                 "[grad] a tensor of shape (2) is not a parameter, and backward()"));
}

TEST_CASE("the update in place that messages advise takes the step", "[autograd]") {
  Tensor x = parameter({1, 2});
  for (int step = 0; step < 2; ++step) {
    x.zero_grad();
    sum(x * x).backward();
    x.mutable_array() -= 0.25 * x.grad().array();
  }
  CHECK(difference(x.array(), tensor({0.25, 0.5}).array()) == 0);
}

TEST_CASE("a gradient can be asked for, and one that was set is kept", "[autograd]") {
  Tensor x = parameter({1, 2}), constant = tensor({1, 2});
  CHECK_FALSE(x.has_grad());
  CHECK_FALSE(x.grad().defined());
  sum(x).backward();
  CHECK(x.has_grad());
  CHECK_FALSE(constant.has_grad());
  constant.set_grad(tensor({3, 4}));
  CHECK(constant.grad().array()(1) == 4);
  CHECK(
      contains(error_of([] { Tensor() + 1; }), "Hint: it was default-constructed, or it is a grad() before"));
}

// Jacobians, Hessians and derivatives in a direction: against formulas, differences and each other.
#include "headlight/autograd/derivatives.h"

#include <cmath>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/recording.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

void check_close(const Tensor& got, const Tensor& expected, double tolerance = kRounding) {
  CHECK(difference(got.array(), expected.array()) <= tolerance);
  CHECK_FALSE(got.requires_grad());
}

// (f(x + h v) - f(x - h v)) / 2h
Tensor differences(const TensorFunction& f, const Tensor& x, const Tensor& v) {
  const double h = kDouble ? 1e-5 : 1e-2;
  return (f(x + h * v) - f(x - h * v)) / (2 * h);
}

// Fused ops: causal attention of three positions, then a norm.
Tensor fused(const Tensor& x) {
  return layer_norm(x + scaled_dot_product_attention(x, x, x, {.causal = true}), ones({4}), zeros({4}));
}

Tensor drawn(const char* name, const Shape& shape) {
  Rng rng = Rng(0).stream(name);
  return randn(shape, rng);
}

}  // namespace

TEST_CASE("jacobian gives the derivatives of known formulas", "[derivatives]") {
  const Tensor x = tensor({2, 3});
  const auto f = [](const Tensor& p) { return stack({p[0] * p[1], square(p[0]), sin(p[1])}); };
  check_close(jacobian(f, x), tensor({{3, 2}, {4, 0}, {0, std::cos(3.0)}}));
  const Tensor w = drawn("w", {2, 3});
  check_close(jacobian([&](const Tensor& p) { return matmul(p, w); }, x), transpose(w));
  check_close(jacobian([](const Tensor& p) { return p; }, x), eye(2));
  check_close(jacobian([](const Tensor& p) { return sum(square(p)); }, x), tensor({4, 6}));
  check_close(jacobian([](const Tensor& p) { return sign(p); }, x), zeros({2, 2}));
  // Of a softmax: J = diag(s) - s sᵀ.
  const Tensor s = softmax(x);
  check_close(jacobian([](const Tensor& p) { return softmax(p); }, x),
              eye(2) * s - reshape(s, {2, 1}) * reshape(s, {1, 2}));
}

TEST_CASE("jvp is J v, grad is vᵀJ, and both agree with differences", "[derivatives]") {
  const Tensor x = drawn("x", {3, 4}), v = drawn("v", {3, 4}), u = drawn("u", {3, 4});
  const Tensor whole = jacobian(fused, x);
  REQUIRE(whole.shape() == Shape{3, 4, 3, 4});
  const Tensor j = reshape(whole, {12, 12}), product = jvp(fused, x, v);
  check_close(reshape(product, {12}), reshape(matmul(j, reshape(v, {12, 1})), {12}));
  check_close(product, differences(fused, x, v), kDouble ? 1e-8 : 1e-2);
  const Tensor leaf = parameter(x);
  check_close(reshape(grad(fused(leaf), {leaf}, {.cotangent = u})[0], {1, 12}),
              matmul(reshape(u, {1, 12}), j));
  const auto nothing = [](const Tensor& p) { return sign(p); };
  check_close(jvp(nothing, x, v), zeros({3, 4}));
  check_close(jvp([](const Tensor& p) { return p; }, x, v), v);
}

TEST_CASE("hessian gives the second derivatives of known formulas", "[derivatives]") {
  const Tensor a = drawn("a", {3, 3}), x = drawn("x", {3});
  const auto quadratic = [&](const Tensor& p) { return sum(p * matmul(p, a)); };  // H = A + Aᵀ
  check_close(hessian(quadratic, x), a + transpose(a));
  const Tensor s = softmax(x);
  check_close(hessian([](const Tensor& p) { return logsumexp(p); }, x),  // diag(s) - s sᵀ
              eye(3) * s - reshape(s, {3, 1}) * reshape(s, {1, 3}));
  check_close(hessian([](const Tensor& p) { return sum(p); }, x), zeros({3, 3}));
  check_close(hessian([](const Tensor& p) { return square(p); }, tensor({3})), tensor({{{2}}})[0]);
}

TEST_CASE("hessian of fused ops is symmetric and agrees with differences of gradients", "[derivatives]") {
  const Tensor x = drawn("x", {3, 4}), weights = drawn("weights", {3, 4}), v = drawn("v", {3, 4});
  const auto f = [&](const Tensor& p) { return sum(weights * fused(p)); };
  const Tensor h = reshape(hessian(f, x), {12, 12});
  check_close(h, transpose(h));
  const auto gradient = [&](const Tensor& p) {
    const Tensor leaf = parameter(p);
    return grad(f(leaf), {leaf})[0];
  };
  check_close(reshape(matmul(h, reshape(v, {12, 1})), {3, 4}), differences(gradient, x, v),
              kDouble ? 1e-7 : 0.1);
}

TEST_CASE("derivatives leave no gradient, need no recording, and pass over freed graphs", "[derivatives]") {
  Tensor w = parameter({2, 3});
  const Tensor kept = w * w, x = parameter({1, 4});
  sum(kept).backward();
  w.zero_grad();
  const NoGrad no_grad;
  const auto f = [&](const Tensor& p) { return kept * p; };
  check_close(jacobian(f, x), tensor({{4, 0}, {0, 9}}));
  check_close(hessian([&](const Tensor& p) { return sum(f(p * p)); }, x), tensor({{8, 0}, {0, 18}}));
  check_close(jvp(f, x, ones({2})), tensor({4, 9}));
  CHECK_FALSE(w.has_grad());
  CHECK_FALSE(x.has_grad());
}

TEST_CASE("derivatives refuse what has none", "[derivatives]") {
  const Tensor x = tensor({1, 2});
  const auto same = [](const Tensor& p) { return p; };
  const auto cut = [](const Tensor& p) { return p.detach(); };
  const auto each = [&](const TensorFunction& f, const Tensor& at) {
    return std::vector<std::pair<std::string, std::string>>{{"jacobian", error_of([&] { jacobian(f, at); })},
                                                            {"hessian", error_of([&] { hessian(f, at); })},
                                                            {"jvp", error_of([&] { jvp(f, at, x); })}};
  };
  for (const auto& [op, error] : each({}, x))
    CHECK(error == "[" + op + "] expected a function, got an empty one.");
  for (const auto& [op, error] : each(same, {}))
    CHECK(error == "[" + op + "] expected a tensor, got an undefined one.");
  for (const auto& [op, error] : each([](const Tensor&) { return Tensor(); }, x))
    CHECK(error == "[" + op + "] expected a function that returns a tensor, got an undefined one.");
  const Tensor other = parameter({1, 2});
  for (const TensorFunction& f : {TensorFunction(cut), TensorFunction([&](const Tensor&) { return other; })})
    for (const auto& [op, error] : each(f, x))
      CHECK(error == "[" + op +
                         "] expected a function whose result depends on its argument, got one whose result "
                         "does not. Hint: was the graph cut by detach() or NoGrad, or is another tensor used "
                         "in its place?");
  CHECK(error_of([&] { hessian(same, x); }) ==
        "[hessian] expected a function that returns one number, got shape (2). Hint: take its sum() or "
        "mean().");
  CHECK(error_of([&] { jvp(same, x, ones({3})); }) ==
        "[jvp] expected a direction of the argument's shape (2), got (3).");
  CHECK(error_of([&] { jvp(same, x, {}); }) == "[jvp] expected a direction, got an undefined tensor.");
}

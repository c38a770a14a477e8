// Exercise 3, solved.
#include "exercise.h"
#include "functions.h"

// z = x ⊙ y     x̄ = g ⊙ y     ȳ = g ⊙ x     each summed over the copies that broadcasting made
std::pair<Tensor, Tensor> mul_vjp(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g * y, x.shape()), sum_to(g * x, y.shape())};
}

// y = Σ x along an axis     x̄ = g, repeated along it
Tensor sum_vjp(const Tensor& g, const Shape& shape, std::size_t axis) {
  Shape kept = shape;
  kept[axis] = 1;
  return broadcast_to(reshape_to(g, kept), shape);
}

// Y = X W     X̄ = g Wᵀ     W̄ = Xᵀ g
std::pair<Tensor, Tensor> matmul_vjp(const Tensor& g, const Tensor& X, const Tensor& W) {
  return {matmul(g, transpose(W)), matmul(transpose(X), g)};
}

// y = softmax(x) along rows     x̄ = y ⊙ (g - Σ y ⊙ g)
Tensor softmax_vjp(const Tensor& g, const Tensor& y) { return y * (g - sum(y * g, {-1}, true)); }

// ∂/∂xᵢ Σ u ⊙ f(x), by central differences
Tensor measured_vjp(const Forward& f, const Tensor& x, const Tensor& u) {
  constexpr double h = 1e-5;
  Array moved = x.array(), slopes = moved;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const auto at = [&](double number) {
      moved.data()[i] = number;
      return sum(u * f(Tensor(moved))).item();
    };
    const double here = x.array().data()[i];
    slopes.data()[i] = (at(here + h) - at(here - h)) / (2 * h);
    moved.data()[i] = here;
  }
  return Tensor(slopes);
}

bool gradient_check(const Forward& f, const Backward& vjp, const Tensor& x) {
  Rng rng(1);
  const Tensor u = randn(f(x).shape(), rng);
  const Array claimed = vjp(u, x).array(), measured = measured_vjp(f, x, u).array();
  if (claimed.shape() != measured.shape()) return false;
  double largest = 0;
  for (double slope : measured) largest = std::max(largest, std::abs(slope));
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double error = std::abs(claimed.data()[i] - measured.data()[i]);
    if (!(error <= 1e-9 + 1e-6 * largest)) return false;  // also when it is NaN
  }
  return true;
}

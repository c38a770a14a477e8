// Exercise 3, solved.
#include "exercise.h"
#include "functions.h"

// z = x / y     x̄ = g / y     ȳ = -g ⊙ x / y²     each summed over the copies that broadcasting made
std::pair<Tensor, Tensor> div_vjp(const Tensor& g, const Tensor& x, const Tensor& y) {
  return {sum_to(g / y, x.shape()), sum_to(-g * x / (y * y), y.shape())};
}

// y = 1/n Σ (x - m)²     x̄ = g 2 (x - m) / n: what comes through the mean m adds up to 0, as Σ (x - m) does
Tensor variance_vjp(const Tensor& g, const Tensor& x, int axis) {
  const Tensor m = mean(x, {axis}, true);
  return 2 * reshape_to(g, m.shape()) * (x - m) / static_cast<double>(x.length(axis));
}

// Y = X Xᵀ     X̄ = g X + gᵀ X: X is the left factor and the right one
Tensor gram_vjp(const Tensor& g, const Tensor& X) { return matmul(g + transpose(g), X); }

// y = x / s     x̄ = (g - Σ y ⊙ g) / s
Tensor shares_vjp(const Tensor& g, const Tensor& x) {
  const Tensor s = sum(x, {-1}, true);
  return (g - sum(g * x / s, {-1}, true)) / s;
}

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

// How many of 100 checks along one direction find that one of n numbers is 1 % too large.
double finders(std::size_t n) {
  constexpr double h = 1e-5;
  int found = 0;
  for (int k = 1; k <= 100; ++k) {
    Rng rng(static_cast<std::uint64_t>(k));
    const Tensor x = randn({n}, rng), u = randn({n}, rng), d = randn({n}, rng);
    const auto loss = [&](const Tensor& at) { return sum(u * at * at).item(); };
    const double measured = (loss(x + h * d) - loss(x - h * d)) / (2 * h);
    Array x_bar = (2 * u * x).array();
    x_bar.data()[n - 1] *= 1.01;
    const double claimed = sum(Tensor(x_bar) * d).item();
    if (std::abs(claimed - measured) > 1e-9 + 1e-6 * std::abs(measured)) ++found;
  }
  return found;
}

std::vector<Trial> one_wrong_number() {
  return {{10, 100, finders(10)}, {300, 30, finders(300)}, {10000, 1, finders(10000)}};
}

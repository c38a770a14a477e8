#include "headlight/optim/muon.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/gemm.h"
#include "headlight/core/row_kernels.h"

namespace headlight::optim {
namespace {

// The odd polynomial as + bs³ + cs⁵ of one Newton–Schulz step. It does not converge to 1: a large slope at 0
// lifts small singular values in few steps, and leaves the large ones around 1.
constexpr double kA = 3.4445, kB = -4.7750, kC = 2.0315;

constexpr double kTiny = 1e-7;  // keeps a gradient of zeros 0

MatrixView view_of(Array& x) { return {x.data(), x.shape()[0], x.shape()[1], x.shape()[1]}; }

}  // namespace

Array orthogonalized(const Array& g, int steps) {
  check(g.dimension() == 2, "[orthogonalized] expected a matrix (m,n), got {}.", Shape(g.shape()));
  const bool tall = g.shape()[0] > g.shape()[1];
  const std::size_t side = std::min(g.shape()[0], g.shape()[1]);
  const double norm = std::sqrt(kernels::sum_of_squares_row(g.data(), g.size()));
  Array x = g, next = empty_array(g.shape());
  for (Real& value : x) value *= static_cast<Real>(1 / (norm + kTiny));
  Array a = empty_array({side, side}), polynomial = a;
  for (int step = 0; step < steps; ++step) {
    const MatrixView X = view_of(x), A = view_of(a), P = view_of(polynomial);
    tall ? gemm(X.t(), X, A) : gemm(X, X.t(), A);
    std::copy(a.begin(), a.end(), polynomial.begin());
    gemm(A, A, P, static_cast<Real>(kC), static_cast<Real>(kB));  // bA + cA²
    std::copy(x.begin(), x.end(), next.begin());
    tall ? gemm(X, P, view_of(next), 1, static_cast<Real>(kA))
         : gemm(P, X, view_of(next), 1, static_cast<Real>(kA));
    std::swap(x, next);
  }
  return x;
}

Muon::Muon(std::vector<Tensor> parameters, const OptimizerConfig& config)
    : AdamW(std::move(parameters), config), momentum_(config.beta1) {}

void Muon::update(std::size_t index, Real* parameter, const Real* gradient, std::size_t n) {
  if (!is_matrix(index)) return AdamW::update(index, parameter, gradient, n);
  const Shape shape = parameters()[index].shape();  // (fan_in, fan_out)
  const Real momentum = static_cast<Real>(momentum_);
  Array& velocity = first_moment(index);
  Array direction = empty_array(shape);
  Real *v = velocity.data(), *d = direction.data();
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = momentum * v[i] + gradient[i];
    d[i] = gradient[i] + momentum * v[i];
  }
  direction = orthogonalized(direction);
  const double ratio = static_cast<double>(shape[1]) / static_cast<double>(shape[0]);
  const Real shrink = static_cast<Real>(1 - learning_rate_of(index) * weight_decay_of(index));
  const Real rate = static_cast<Real>(learning_rate_of(index) * std::sqrt(std::max(1.0, ratio)));
  for (std::size_t i = 0; i < n; ++i) parameter[i] = shrink * parameter[i] - rate * direction.data()[i];
}

}  // namespace headlight::optim

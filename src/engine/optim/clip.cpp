#include "headlight/optim/clip.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/row_kernels.h"

namespace headlight::optim {
namespace {

void scale(Real* x, std::size_t n, double factor) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= static_cast<Real>(factor);
}

double clip_factor(double norm, double max_norm) {
  check(max_norm > 0, "[clip_by_global_norm] expected a positive bound, got {}.", max_norm);
  return std::isfinite(norm) && norm > max_norm ? max_norm / norm : 1;
}

}  // namespace

double global_norm(const Real* gradients, std::size_t n) {
  return std::sqrt(kernels::sum_of_squares_row(gradients, n));
}

double clip_by_global_norm(Real* gradients, std::size_t n, double max_norm) {
  const double norm = global_norm(gradients, n), factor = clip_factor(norm, max_norm);
  if (factor < 1) scale(gradients, n, factor);
  return norm;
}

double clip_by_global_norm(std::vector<Tensor> parameters, double max_norm) {
  double squares = 0;
  for (const Tensor& p : parameters)
    if (p.has_grad()) squares += kernels::sum_of_squares_row(p.grad().array().data(), p.size());
  const double norm = std::sqrt(squares), factor = clip_factor(norm, max_norm);
  if (factor < 1)
    for (Tensor& p : parameters)
      if (p.has_grad()) {
        Array scaled = p.grad().array();
        scale(scaled.data(), scaled.size(), factor);
        p.set_grad(Tensor(std::move(scaled)));
      }
  return norm;
}

}  // namespace headlight::optim

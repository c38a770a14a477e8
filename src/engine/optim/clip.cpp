#include "headlight/optim/clip.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/flat_kernels.h"
#include "headlight/core/row_kernels.h"

namespace headlight::optim {
namespace {

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
  if (factor < 1) kernels::scale(gradients, n, static_cast<Real>(factor));
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
        kernels::scale(scaled.data(), scaled.size(), static_cast<Real>(factor));
        p.set_grad(Tensor(std::move(scaled)));
      }
  return norm;
}

}  // namespace headlight::optim

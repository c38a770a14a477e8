#include "headlight/interpret/spectrum.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "linalg.h"

namespace headlight::interpret {
namespace {

void check_finite(const char* op, const Matrix& a) {
  for (const double x : a) check(std::isfinite(x), "[{}] expected finite numbers, got {}.", op, x);
}

}  // namespace

Matrix product(const Matrix& a, const Matrix& b) {
  check(a.shape(1) == b.shape(0), "[product] expected A (m,k) and B (k,n), got ({},{}) and ({},{}).",
        a.shape(0), a.shape(1), b.shape(0), b.shape(1));
  if (a.size() == 0 || b.size() == 0) return xt::zeros<double>({a.shape(0), b.shape(1)});  // BLAS refuses it
  const OneBlasThread scope;
  return xt::linalg::dot(a, b);
}

std::vector<std::complex<double>> eigenvalues(const Matrix& a) {
  check(a.shape(0) == a.shape(1), "[eigenvalues] expected a square matrix, got ({},{}).", a.shape(0),
        a.shape(1));
  check_finite("eigenvalues", a);
  if (a.size() == 0) return {};
  const OneBlasThread scope;
  const auto found = xt::linalg::eigvals(a);
  std::vector<std::complex<double>> sorted(found.begin(), found.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](auto x, auto y) { return std::abs(x) > std::abs(y); });
  return sorted;
}

Svd svd(const Matrix& a) {
  check_finite("svd", a);
  if (a.size() == 0) return {};
  const OneBlasThread scope;
  const auto [left, values, right] = xt::linalg::svd(a, false);
  return {{values.begin(), values.end()}, left, xt::transpose(right)};
}

Svd svd(const Matrix& left, const Matrix& right) {
  check(left.shape(1) == right.shape(0), "[svd] expected factors (a,r) and (r,b), got ({},{}) and ({},{}).",
        left.shape(0), left.shape(1), right.shape(0), right.shape(1));
  check_finite("svd", left), check_finite("svd", right);
  if (left.size() == 0 || right.size() == 0) return {};
  const auto qr = [](const Matrix& a) {
    const OneBlasThread scope;
    return xt::linalg::qr(a);
  };
  const auto [q_left, r_left] = qr(left);
  const auto [q_right, r_right] = qr(xt::transpose(right));
  Svd core = svd(product(r_left, xt::transpose(r_right)));
  return {std::move(core.values), product(q_left, core.left), product(q_right, core.right)};
}

}  // namespace headlight::interpret

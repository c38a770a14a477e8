#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "headlight/core/check.h"
#include "headlight/interpret/spectrum.h"
#include "scaled_matrix.h"

namespace headlight::interpret {
namespace {

constexpr double kNegligible = 1e-15;

// Scalar products of the columns i and j of a.
double of_columns(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
  double sum = 0;
  for (std::size_t r = 0; r < a.rows; ++r) sum += a(r, i) * b(r, j);
  return sum;
}

void turn_columns(Matrix& a, std::size_t i, std::size_t j, double c, double s) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    const double x = a(r, i), y = a(r, j);
    a(r, i) = c * x - s * y;
    a(r, j) = s * x + c * y;
  }
}

// Removes from column c its parts along the columns before it, twice because of rounding. Returns its length.
double orthogonal_column(Matrix& q, std::size_t c, Matrix* r = nullptr) {
  for (int time = 0; time < 2; ++time)
    for (std::size_t p = 0; p < c; ++p) {
      const double along = of_columns(q, p, q, c);
      for (std::size_t i = 0; i < q.rows; ++i) q(i, c) -= along * q(i, p);
      if (r != nullptr) (*r)(p, c) += along;
    }
  return std::sqrt(of_columns(q, c, q, c));
}

void scale_column(Matrix& q, std::size_t c, double factor) {
  for (std::size_t i = 0; i < q.rows; ++i) q(i, c) *= factor;
}

// Puts a unit vector orthogonal to the columns before it into column c.
void any_orthogonal_column(Matrix& q, std::size_t c) {
  std::size_t best = 0;  // the axis that the columns before cover least
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < q.rows; ++i) {
    double covered = 0;
    for (std::size_t p = 0; p < c; ++p) covered += q(i, p) * q(i, p);
    if (covered < least) least = covered, best = i;
  }
  for (std::size_t i = 0; i < q.rows; ++i) q(i, c) = i == best ? 1 : 0;
  scale_column(q, c, 1 / orthogonal_column(q, c));
}

struct Qr {
  Matrix q, r;  // (rows,k) and (k,cols), k = min(rows, cols)
};

// Gram–Schmidt with reorthogonalization. (A wide matrix is its own R.)
Qr qr(const Matrix& a) {
  if (a.rows <= a.cols) {
    Matrix one(a.rows, a.rows);
    for (std::size_t i = 0; i < a.rows; ++i) one(i, i) = 1;
    return {one, a};
  }
  Matrix q = a, r(a.cols, a.cols);
  for (std::size_t c = 0; c < a.cols; ++c) {
    const double before = std::sqrt(of_columns(q, c, q, c)), length = orthogonal_column(q, c, &r);
    if (length <= kNegligible * before || length == 0) {
      any_orthogonal_column(q, c);
    } else {
      scale_column(q, c, 1 / length);
      r(c, c) = length;
    }
  }
  return {q, r};
}

// Turns pairs of columns of a, and of v with it, until all columns of a are orthogonal.
void orthogonalize(Matrix& a, Matrix& v) {
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool turned = false;
    for (std::size_t i = 0; i + 1 < a.cols; ++i)
      for (std::size_t j = i + 1; j < a.cols; ++j) {
        const double x = of_columns(a, i, a, i), y = of_columns(a, j, a, j), xy = of_columns(a, i, a, j);
        if (std::abs(xy) <= kNegligible * std::sqrt(x) * std::sqrt(y)) continue;
        const double zeta = (y - x) / (2 * xy);
        const double t = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t);
        turn_columns(a, i, j, c, c * t), turn_columns(v, i, j, c, c * t);
        turned = true;
      }
    if (!turned) return;
  }
}

}  // namespace

Svd svd(const Matrix& a) {
  a.check_numbers("svd");
  if (a.rows < a.cols) {
    Svd turned = svd(a.t());
    return {std::move(turned.values), std::move(turned.right), std::move(turned.left)};
  }
  auto [columns, exponent] = scaled(a);
  Matrix v(a.cols, a.cols);
  for (std::size_t i = 0; i < a.cols; ++i) v(i, i) = 1;
  orthogonalize(columns, v);
  std::vector<double> lengths(a.cols);
  for (std::size_t c = 0; c < a.cols; ++c) lengths[c] = std::sqrt(of_columns(columns, c, columns, c));
  std::vector<std::size_t> order(a.cols);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return lengths[x] > lengths[y]; });
  Svd result{{}, Matrix(a.rows, a.cols), Matrix(a.cols, a.cols)};
  for (std::size_t c = 0; c < a.cols; ++c) {
    const std::size_t from = order[c];
    result.values.push_back(std::scalbn(lengths[from], exponent));
    for (std::size_t i = 0; i < a.cols; ++i) result.right(i, c) = v(i, from);
    for (std::size_t i = 0; i < a.rows; ++i) result.left(i, c) = columns(i, from);
    if (lengths[from] > kNegligible * lengths[order[0]])
      scale_column(result.left, c, 1 / lengths[from]);
    else
      any_orthogonal_column(result.left, c);
  }
  return result;
}

Svd svd(const Matrix& left, const Matrix& right) {
  check(left.cols == right.rows, "[svd] expected factors (a,r) and (r,b), got ({},{}) and ({},{}).",
        left.rows, left.cols, right.rows, right.cols);
  const ScaledMatrix a = scaled(left), b = scaled(right);
  const Qr of_left = qr(a.matrix), of_right = qr(b.matrix.t());
  Svd core = svd(product(of_left.r, of_right.r.t()));
  for (double& value : core.values) value = std::scalbn(value, a.exponent + b.exponent);
  return {std::move(core.values), product(of_left.q, core.left), product(of_right.q, core.right)};
}

}  // namespace headlight::interpret

#include "gradients/matrix.h"

#include "headlight/core/check.h"

namespace headlight::by_hand {
namespace {

template <class F>
Matrix combine(const Matrix& a, const Matrix& b, F f) {
  check(a.rows() == b.rows() && a.cols() == b.cols(), "matrices of {} x {} and {} x {} do not fit.", a.rows(),
        a.cols(), b.rows(), b.cols());
  Matrix c(a.rows(), a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) c(i, j) = f(a(i, j), b(i, j));
  return c;
}

}  // namespace

Matrix operator*(const Matrix& a, const Matrix& b) {
  check(a.cols() == b.rows(), "no product of {} x {} and {} x {}.", a.rows(), a.cols(), b.rows(), b.cols());
  Matrix c(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.cols(); ++k)
      for (std::size_t j = 0; j < b.cols(); ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  return combine(a, b, [](double x, double y) { return x + y; });
}

Matrix operator-(const Matrix& a, const Matrix& b) {
  return combine(a, b, [](double x, double y) { return x - y; });
}

Matrix hadamard(const Matrix& a, const Matrix& b) {
  return combine(a, b, [](double x, double y) { return x * y; });
}

Matrix operator*(double factor, const Matrix& a) {
  Matrix c = a;
  for (std::size_t i = 0; i < c.rows(); ++i)
    for (std::size_t j = 0; j < c.cols(); ++j) c(i, j) *= factor;
  return c;
}

Matrix transpose(const Matrix& a) {
  Matrix c(a.cols(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) c(j, i) = a(i, j);
  return c;
}

Matrix row_sums(const Matrix& a) { return a * Matrix(a.cols(), 1, 1.0); }
Matrix column_sums(const Matrix& a) { return Matrix(1, a.rows(), 1.0) * a; }
Matrix repeat_columns(const Matrix& column, std::size_t count) { return column * Matrix(1, count, 1.0); }
Matrix repeat_rows(const Matrix& row, std::size_t count) { return Matrix(count, 1, 1.0) * row; }

Matrix columns(const Matrix& a, std::size_t from, std::size_t count) {
  Matrix c(a.rows(), count);
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < count; ++j) c(i, j) = a(i, from + j);
  return c;
}

void set_columns(Matrix& a, std::size_t from, const Matrix& part) {
  for (std::size_t i = 0; i < part.rows(); ++i)
    for (std::size_t j = 0; j < part.cols(); ++j) a(i, from + j) = part(i, j);
}

void accumulate(Matrix& a, const Matrix& b) { a = a.values().empty() ? b : a + b; }

}  // namespace headlight::by_hand

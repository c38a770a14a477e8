#include "headlight/interpret/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/core/check.h"
#include "scaled_matrix.h"

namespace headlight::interpret {
namespace {

using Complex = std::complex<double>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Moduli and square roots by plain arithmetic, which gives the same bits everywhere.
double size(Complex z) { return std::abs(z.real()) + std::abs(z.imag()); }
double modulus(Complex z) {
  const double big = std::max(std::abs(z.real()), std::abs(z.imag()));
  if (big == 0) return 0;
  const double a = z.real() / big, b = z.imag() / big;
  return big * std::sqrt(a * a + b * b);
}
Complex square_root(Complex z) {
  const double r = modulus(z), real = std::sqrt((r + std::abs(z.real())) / 2);
  if (real == 0) return 0;
  const double imag = z.imag() / (2 * real);
  if (z.real() >= 0) return {real, imag};
  return {std::abs(imag), z.imag() < 0 ? -real : real};
}
Complex times(Complex a, Complex b) {  // without the tests for infinity of operator*
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// a ← P a P for the reflection P = 1 - 2vvᵀ/vᵀv that clears column c below row c + 1.
void reflect(Matrix& a, std::size_t c) {
  const std::size_t n = a.rows;
  std::vector<double> v(n, 0);
  double largest = 0, squares = 0;
  for (std::size_t i = c + 1; i < n; ++i) largest = std::max(largest, std::abs(a(i, c)));
  if (largest == 0) return;
  for (std::size_t i = c + 1; i < n; ++i) v[i] = a(i, c) / largest, squares += v[i] * v[i];
  v[c + 1] += v[c + 1] < 0 ? -std::sqrt(squares) : std::sqrt(squares);
  double norm = 0;
  for (std::size_t i = c + 1; i < n; ++i) norm += v[i] * v[i];
  for (std::size_t j = 0; j < n; ++j) {
    double s = 0;
    for (std::size_t i = c + 1; i < n; ++i) s += v[i] * a(i, j);
    for (std::size_t i = c + 1; i < n; ++i) a(i, j) -= 2 * s / norm * v[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    double s = 0;
    for (std::size_t j = c + 1; j < n; ++j) s += a(i, j) * v[j];
    for (std::size_t j = c + 1; j < n; ++j) a(i, j) -= 2 * s / norm * v[j];
  }
}

// A complex upper Hessenberg matrix, whose eigenvalues are split off from the bottom.
class Hessenberg {
 public:
  explicit Hessenberg(Matrix a) : n_(a.rows), h_(a.numbers.size()) {
    for (std::size_t c = 0; c + 2 < n_; ++c) reflect(a, c);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = i == 0 ? 0 : i - 1; j < n_; ++j) at(i, j) = a(i, j);
  }

  std::vector<Complex> eigenvalues() {
    std::vector<Complex> found;
    int steps = 0;
    for (std::size_t end = n_; end > 0;) {  // rows 0 … end-1 are left
      const std::size_t start = first_of_block(end);
      if (start + 1 == end) {
        found.push_back(at(end - 1, end - 1));
        --end, steps = 0;
        continue;
      }
      check(++steps <= 300, "[eigenvalues] the QR steps of a matrix of {} rows did not converge.", n_);
      step(start, end, steps % 10 == 0 ? exceptional(end) : wilkinson(end));
    }
    return found;
  }

 private:
  Complex& at(std::size_t i, std::size_t j) { return h_[i * n_ + j]; }

  // The row from which on no number below the diagonal is negligible.
  std::size_t first_of_block(std::size_t end) {
    for (std::size_t i = end - 1; i > 0; --i) {
      double beside = size(at(i, i)) + size(at(i - 1, i - 1));
      if (beside == 0) beside = largest();
      if (size(at(i, i - 1)) > kEpsilon * beside) continue;
      at(i, i - 1) = 0;
      return i;
    }
    return 0;
  }

  double largest() const {
    double most = 0;
    for (const Complex& z : h_) most = std::max(most, size(z));
    return most;
  }

  // The eigenvalue of the last 2 × 2 block that is nearer to its last number.
  Complex wilkinson(std::size_t end) {
    const Complex a = at(end - 2, end - 2), b = at(end - 2, end - 1), c = at(end - 1, end - 2),
                  d = at(end - 1, end - 1);
    const Complex half = (a - d) / 2.0, root = square_root(times(half, half) + times(b, c));
    const Complex up = half + root, down = half - root;
    return d + (size(up) < size(down) ? up : down);
  }

  // For a cycle of steps that does not converge, as of a permutation.
  Complex exceptional(std::size_t end) {
    const double below = size(at(end - 1, end - 2)) + (end > 2 ? size(at(end - 2, end - 3)) : 0);
    return at(end - 1, end - 1) + Complex(0.75 * below, 0.4375 * below);
  }

  // H - shift = QR, H ← RQ + shift, on the rows start … end-1, by Givens rotations.
  void step(std::size_t start, std::size_t end, Complex shift) {
    std::vector<std::pair<Complex, Complex>> turns;
    for (std::size_t i = start; i < end; ++i) at(i, i) -= shift;
    for (std::size_t i = start; i + 1 < end; ++i) {
      const Complex x = at(i, i), y = at(i + 1, i);
      const double a = modulus(x), b = modulus(y), big = std::max(a, b);
      const double r = big == 0 ? 0 : big * std::sqrt((a / big) * (a / big) + (b / big) * (b / big));
      const Complex c = r == 0 ? Complex(1) : x / r, s = r == 0 ? Complex(0) : y / r;
      for (std::size_t j = i; j < end; ++j) {
        const Complex p = at(i, j), q = at(i + 1, j);
        at(i, j) = times(std::conj(c), p) + times(std::conj(s), q);
        at(i + 1, j) = times(c, q) - times(s, p);
      }
      turns.emplace_back(c, s);
    }
    for (std::size_t i = start; i + 1 < end; ++i) {
      const auto [c, s] = turns[i - start];
      for (std::size_t j = start; j < std::min(i + 2, end); ++j) {
        const Complex p = at(j, i), q = at(j, i + 1);
        at(j, i) = times(p, c) + times(q, s);
        at(j, i + 1) = times(q, std::conj(c)) - times(p, std::conj(s));
      }
    }
    for (std::size_t i = start; i < end; ++i) at(i, i) += shift;
  }

  std::size_t n_;
  std::vector<Complex> h_;
};

}  // namespace

Matrix::Matrix(std::size_t height, std::size_t width)
    : rows(height), cols(width), numbers(size_of({height, width})) {}

Matrix::Matrix(const Array& array) {
  check(array.dimension() == 2, "[Matrix] expected an array of two axes, got {}.", array.dimension());
  rows = array.shape()[0], cols = array.shape()[1];
  numbers.assign(array.begin(), array.end());
}

Matrix Matrix::t() const {
  Matrix turned(cols, rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) turned(j, i) = (*this)(i, j);
  return turned;
}

Array Matrix::array() const {
  Array result = empty_array({rows, cols});
  for (std::size_t i = 0; i < numbers.size(); ++i) result.data()[i] = static_cast<Real>(numbers[i]);
  return result;
}

void Matrix::check_numbers(const char* op) const {
  check(numbers.size() == size_of({rows, cols}), "[{}] expected {} numbers for a matrix ({},{}), got {}.", op,
        rows * cols, rows, cols, numbers.size());
  for (const double x : numbers) check(std::isfinite(x), "[{}] expected finite numbers, got {}.", op, x);
}

Matrix product(const Matrix& a, const Matrix& b) {
  check(a.cols == b.rows, "[product] expected A (m,k) and B (k,n), got ({},{}) and ({},{}).", a.rows, a.cols,
        b.rows, b.cols);
  Matrix c(a.rows, b.cols);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.cols; ++k) {
      const double x = a(i, k);
      for (std::size_t j = 0; j < b.cols; ++j) c(i, j) += x * b(k, j);
    }
  return c;
}

double frobenius(const Matrix& a) {
  const auto [matrix, exponent] = scaled(a);
  double sum = 0;
  for (const double x : matrix.numbers) sum += x * x;
  return std::scalbn(std::sqrt(sum), exponent);
}

std::vector<std::complex<double>> eigenvalues(const Matrix& a) {
  check(a.rows == a.cols, "[eigenvalues] expected a square matrix, got ({},{}).", a.rows, a.cols);
  a.check_numbers("eigenvalues");
  const auto [matrix, exponent] = scaled(a);
  std::vector<Complex> found = Hessenberg(matrix).eigenvalues();
  std::stable_sort(found.begin(), found.end(), [](Complex x, Complex y) { return modulus(x) > modulus(y); });
  for (Complex& z : found) z = {std::scalbn(z.real(), exponent), std::scalbn(z.imag(), exponent)};
  return found;
}

}  // namespace headlight::interpret

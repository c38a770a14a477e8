// Eigenvalues and singular values against matrices whose spectra are known.
#include "headlight/interpret/spectrum.h"
#include "headlight/core/rng.h"

#include "catch.h"

using namespace headlight;
using namespace headlight::interpret;
using Complex = std::complex<double>;

namespace {

Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Rng rng(seed);
  Matrix a(rows, cols);
  for (double& x : a.numbers) x = rng.normal();
  return a;
}

Matrix matrix(std::size_t rows, std::size_t cols, std::vector<double> numbers) {
  Matrix a(rows, cols);
  a.numbers = std::move(numbers);
  return a;
}

// The largest distance of an expected eigenvalue from the nearest found one that is not taken.
double distance(std::vector<Complex> found, const std::vector<Complex>& expected) {
  REQUIRE(found.size() == expected.size());
  double worst = 0;
  for (const Complex& e : expected) {
    const auto nearest = std::min_element(
        found.begin(), found.end(), [&](Complex a, Complex b) { return std::abs(a - e) < std::abs(b - e); });
    worst = std::max(worst, std::abs(*nearest - e));
    found.erase(nearest);
  }
  return worst;
}

double distance(const Matrix& a, const Matrix& b) {
  REQUIRE((a.rows == b.rows && a.cols == b.cols));
  double worst = 0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    worst = std::max(worst, std::abs(a.numbers[i] - b.numbers[i]));
  return worst;
}

Matrix unit(std::size_t n) {
  Matrix one(n, n);
  for (std::size_t i = 0; i < n; ++i) one(i, i) = 1;
  return one;
}

// Monic polynomial x^n + c[n-1] x^(n-1) + … with these roots: its companion matrix.
Matrix companion(const std::vector<double>& roots) {
  std::vector<double> c{1};  // lowest power last
  for (const double root : roots) {
    c.push_back(0);
    for (std::size_t i = c.size() - 1; i > 0; --i) c[i] -= root * c[i - 1];
  }
  Matrix a(roots.size(), roots.size());
  for (std::size_t j = 0; j < roots.size(); ++j) a(0, j) = -c[j + 1];
  for (std::size_t i = 1; i < roots.size(); ++i) a(i, i - 1) = 1;
  return a;
}

Matrix rebuilt(const Svd& s) {
  Matrix scaled = s.left;
  for (std::size_t i = 0; i < scaled.rows; ++i)
    for (std::size_t c = 0; c < scaled.cols; ++c) scaled(i, c) *= s.values[c];
  return product(scaled, s.right.t());
}

}  // namespace

TEST_CASE("eigenvalues of matrices whose spectrum is known", "[circuits]") {
  const double c = std::cos(0.7), s = std::sin(0.7);
  CHECK(distance(eigenvalues(matrix(2, 2, {c, -s, s, c})), {{c, s}, {c, -s}}) < 1e-14);
  CHECK(distance(eigenvalues(matrix(3, 3, {2, 5, 7, 0, -3, 1, 0, 0, 4})), {2, -3, 4}) < 1e-13);
  CHECK(distance(eigenvalues(companion({1, 2, 3, 4, 5})), {1, 2, 3, 4, 5}) < 1e-10);
  CHECK(distance(eigenvalues(matrix(1, 1, {-7})), {-7}) == 0);
  CHECK(eigenvalues(Matrix(0, 0)).empty());
  CHECK(distance(eigenvalues(Matrix(4, 4)), {0, 0, 0, 0}) == 0);
  // A cyclic permutation: the roots of unity. Every QR step without a shift leaves it as it is.
  Matrix cycle(6, 6);
  for (std::size_t i = 0; i < 6; ++i) cycle(i, (i + 1) % 6) = 1;
  std::vector<Complex> roots;
  for (int k = 0; k < 6; ++k) roots.push_back(std::polar(1., k * std::acos(-1.) / 3));
  CHECK(distance(eigenvalues(cycle), roots) < 1e-13);
}

TEST_CASE("eigenvalues of a defective matrix", "[circuits]") {
  Matrix jordan = unit(3);
  for (std::size_t i = 0; i < 3; ++i) jordan(i, i) = 2;
  jordan(0, 1) = jordan(1, 2) = 1;
  CHECK(distance(eigenvalues(jordan), {2, 2, 2}) < 1e-13);  // triangular: nothing is left to round
  const Matrix turn = random_matrix(3, 3, 5);
  const Svd s = svd(turn);
  const Matrix turned = product(product(s.left, jordan), s.left.t());  // similar, and no longer triangular
  CHECK(distance(eigenvalues(turned), {2, 2, 2}) < 1e-4);              // ε^(1/3) is 6e-6
}

TEST_CASE("eigenvalues add up to the trace, and their squares to that of the square", "[circuits]") {
  for (const std::size_t n : {2U, 3U, 5U, 16U, 33U, 64U}) {
    const Matrix a = random_matrix(n, n, n), square = product(a, a);
    Complex sum = 0, squares = 0;
    double trace = 0, trace_of_square = 0, before = HUGE_VAL;
    for (const Complex& z : eigenvalues(a)) {
      sum += z, squares += z * z;
      CHECK(std::abs(z) <= before * (1 + 1e-12));
      before = std::abs(z);
    }
    for (std::size_t i = 0; i < n; ++i) trace += a(i, i), trace_of_square += square(i, i);
    CAPTURE(n);
    CHECK(std::abs(sum - trace) < 1e-11 * frobenius(a));
    CHECK(std::abs(squares - trace_of_square) < 1e-11 * frobenius(square));
  }
}

// AB and BA have the same eigenvalues, except for zeros.
TEST_CASE("eigenvalues of a product do not change when its factors change places", "[circuits]") {
  const Matrix a = random_matrix(20, 4, 1), b = random_matrix(4, 20, 2);
  std::vector<Complex> large = eigenvalues(product(a, b));
  large.resize(4);
  CHECK(distance(large, eigenvalues(product(b, a))) < 1e-11);
}

TEST_CASE("singular values rebuild the matrix from orthonormal vectors", "[circuits]") {
  for (const auto& [rows, cols] : {std::pair{7U, 7U}, {20U, 6U}, {6U, 20U}, {1U, 5U}, {64U, 64U}}) {
    const Matrix a = random_matrix(rows, cols, rows + cols);
    const Svd s = svd(a);
    CAPTURE(rows, cols);
    CHECK(s.values.size() == std::min(rows, cols));
    CHECK(std::is_sorted(s.values.rbegin(), s.values.rend()));
    CHECK(distance(rebuilt(s), a) < 1e-12);
    CHECK(distance(product(s.left.t(), s.left), unit(s.values.size())) < 1e-12);
    CHECK(distance(product(s.right.t(), s.right), unit(s.values.size())) < 1e-12);
  }
}

TEST_CASE("singular values of factors are those of their product", "[circuits]") {
  for (const auto& [rows, inner, cols] :
       {std::tuple{30U, 5U, 20U}, {4U, 9U, 30U}, {30U, 9U, 4U}, {3U, 8U, 4U}}) {
    const Matrix left = random_matrix(rows, inner, 1), right = random_matrix(inner, cols, 2),
                 full = product(left, right);
    const Svd s = svd(left, right), whole = svd(full);
    CAPTURE(rows, inner, cols);
    REQUIRE(s.values.size() == std::min({rows, inner, cols}));
    for (std::size_t c = 0; c < s.values.size(); ++c) CHECK(s.values[c] == Approx(whole.values[c]));
    CHECK(distance(rebuilt(s), full) < 1e-12);
    CHECK(distance(product(s.left.t(), s.left), unit(s.values.size())) < 1e-12);
    CHECK(distance(product(s.right.t(), s.right), unit(s.values.size())) < 1e-12);
  }
}

TEST_CASE("singular vectors are orthonormal where a singular value is 0", "[circuits]") {
  Matrix left = random_matrix(9, 4, 3);
  for (std::size_t i = 0; i < 9; ++i) left(i, 3) = left(i, 0) + 2 * left(i, 1);
  const Matrix right = random_matrix(4, 6, 4);
  const Svd s = svd(left, right), none = svd(Matrix(5, 3));
  CHECK(s.values[3] < 1e-13 * s.values[0]);
  CHECK(distance(rebuilt(s), product(left, right)) < 1e-12);
  CHECK(distance(product(s.left.t(), s.left), unit(4)) < 1e-12);
  CHECK(distance(product(s.right.t(), s.right), unit(4)) < 1e-12);
  CHECK(none.values == std::vector<double>{0, 0, 0});
  CHECK(distance(product(none.left.t(), none.left), unit(3)) < 1e-15);
}

TEST_CASE("a matrix times a power of two has the same spectrum times it, to the last bit", "[circuits]") {
  const Matrix a = random_matrix(6, 4, 1), b = random_matrix(4, 6, 2), square = random_matrix(5, 5, 3);
  for (const int exponent : {-900, -600, 600, 900}) {
    const auto times = [=](Matrix m, int e) {
      for (double& x : m.numbers) x = std::scalbn(x, e);
      return m;
    };
    CAPTURE(exponent);
    const std::vector<Complex> known = eigenvalues(square), found = eigenvalues(times(square, exponent));
    for (std::size_t i = 0; i < known.size(); ++i) {
      CHECK(found[i].real() == std::scalbn(known[i].real(), exponent));
      CHECK(found[i].imag() == std::scalbn(known[i].imag(), exponent));
    }
    const Svd one = svd(a), large = svd(times(a, exponent)), two = svd(a, b),
              both = svd(times(a, exponent), times(b, exponent / 9));
    for (std::size_t c = 0; c < 4; ++c) {
      CHECK(large.values[c] == std::scalbn(one.values[c], exponent));
      CHECK(both.values[c] == std::scalbn(two.values[c], exponent + exponent / 9));
    }
    CHECK(large.left.numbers == one.left.numbers);
    CHECK(frobenius(times(a, exponent)) == std::scalbn(frobenius(a), exponent));
  }
}

TEST_CASE("matrices without eigenvalues or singular values are refused", "[circuits]") {
  CHECK(contains(error_of([] { eigenvalues(Matrix(2, 3)); }),
                 "[eigenvalues] expected a square matrix, got (2,3)"));
  CHECK(contains(error_of([] { eigenvalues(matrix(1, 1, {NAN})); }), "expected finite numbers"));
  CHECK(contains(error_of([] { svd(matrix(1, 2, {1, HUGE_VAL})); }), "[svd] expected finite numbers"));
  CHECK(contains(error_of([] { svd(Matrix(2, 3), Matrix(2, 3)); }), "expected factors (a,r) and (r,b)"));
  CHECK(contains(error_of([] { product(Matrix(2, 3), Matrix(2, 3)); }), "[product] expected A (m,k)"));
}

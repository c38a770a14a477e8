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
  Matrix a({rows, cols});
  for (double& x : a) x = rng.normal();
  return a;
}

Matrix zeros_of(std::size_t rows, std::size_t cols) { return xt::zeros<double>({rows, cols}); }
double norm_of(const Matrix& a) { return std::sqrt(xt::sum(a * a)()); }

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
  REQUIRE(a.shape() == b.shape());
  return xt::amax(xt::abs(a - b))();
}

Matrix unit(std::size_t n) { return xt::eye<double>(n); }

// Monic polynomial x^n + c[n-1] x^(n-1) + … with these roots: its companion matrix.
Matrix companion(const std::vector<double>& roots) {
  std::vector<double> c{1};  // lowest power last
  for (const double root : roots) {
    c.push_back(0);
    for (std::size_t i = c.size() - 1; i > 0; --i) c[i] -= root * c[i - 1];
  }
  Matrix a = zeros_of(roots.size(), roots.size());
  for (std::size_t j = 0; j < roots.size(); ++j) a(0, j) = -c[j + 1];
  for (std::size_t i = 1; i < roots.size(); ++i) a(i, i - 1) = 1;
  return a;
}

Matrix rebuilt(const Svd& s) {
  Matrix scaled = s.left;
  for (std::size_t c = 0; c < s.values.size(); ++c) xt::col(scaled, c) *= s.values[c];
  return product(scaled, xt::transpose(s.right));
}

}  // namespace

TEST_CASE("eigenvalues of matrices whose spectrum is known", "[circuits]") {
  const double c = std::cos(0.7), s = std::sin(0.7);
  CHECK(distance(eigenvalues(Matrix{{c, -s}, {s, c}}), {{c, s}, {c, -s}}) < 1e-14);
  CHECK(distance(eigenvalues(Matrix{{2, 5, 7}, {0, -3, 1}, {0, 0, 4}}), {2, -3, 4}) < 1e-13);
  CHECK(distance(eigenvalues(companion({1, 2, 3, 4, 5})), {1, 2, 3, 4, 5}) < 1e-10);
  CHECK(distance(eigenvalues(Matrix{{-7}}), {-7}) == 0);
  CHECK(eigenvalues(Matrix()).empty());
  CHECK(distance(eigenvalues(zeros_of(4, 4)), {0, 0, 0, 0}) == 0);
  Matrix cycle = zeros_of(6, 6);  // a cyclic permutation: the roots of unity
  for (std::size_t i = 0; i < 6; ++i) cycle(i, (i + 1) % 6) = 1;
  std::vector<Complex> roots;
  for (int k = 0; k < 6; ++k) roots.push_back(std::polar(1., k * std::acos(-1.) / 3));
  CHECK(distance(eigenvalues(cycle), roots) < 1e-13);
}

TEST_CASE("eigenvalues of a defective matrix", "[circuits]") {
  Matrix jordan = 2 * unit(3);
  jordan(0, 1) = jordan(1, 2) = 1;
  CHECK(distance(eigenvalues(jordan), {2, 2, 2}) < 1e-13);  // triangular: nothing is left to round
  const Matrix turn = random_matrix(3, 3, 5);
  const Svd s = svd(turn);
  const Matrix turned =
      product(product(s.left, jordan), xt::transpose(s.left));  // similar, and no longer triangular
  CHECK(distance(eigenvalues(turned), {2, 2, 2}) < 1e-4);       // ε^(1/3) is 6e-6
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
    CHECK(std::abs(sum - trace) < 1e-11 * norm_of(a));
    CHECK(std::abs(squares - trace_of_square) < 1e-11 * norm_of(square));
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
    CHECK(distance(product(xt::transpose(s.left), s.left), unit(s.values.size())) < 1e-12);
    CHECK(distance(product(xt::transpose(s.right), s.right), unit(s.values.size())) < 1e-12);
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
    CHECK(distance(product(xt::transpose(s.left), s.left), unit(s.values.size())) < 1e-12);
    CHECK(distance(product(xt::transpose(s.right), s.right), unit(s.values.size())) < 1e-12);
  }
}

TEST_CASE("singular vectors are orthonormal where a singular value is 0", "[circuits]") {
  Matrix left = random_matrix(9, 4, 3);
  for (std::size_t i = 0; i < 9; ++i) left(i, 3) = left(i, 0) + 2 * left(i, 1);
  const Matrix right = random_matrix(4, 6, 4);
  const Svd s = svd(left, right), none = svd(zeros_of(5, 3));
  CHECK(s.values[3] < 1e-13 * s.values[0]);
  CHECK(distance(rebuilt(s), product(left, right)) < 1e-12);
  CHECK(distance(product(xt::transpose(s.left), s.left), unit(4)) < 1e-12);
  CHECK(distance(product(xt::transpose(s.right), s.right), unit(4)) < 1e-12);
  CHECK(none.values == std::vector<double>{0, 0, 0});
  CHECK(distance(product(xt::transpose(none.left), none.left), unit(3)) < 1e-15);
}

TEST_CASE("very large and very small matrices have the same spectrum times their scale", "[circuits]") {
  const Matrix a = random_matrix(6, 4, 1), b = random_matrix(4, 6, 2), square = random_matrix(5, 5, 3);
  for (const int exponent : {-900, -600, 600, 900}) {
    CAPTURE(exponent);
    const double scale = std::ldexp(1., exponent), other = std::ldexp(1., exponent / 9);
    std::vector<Complex> found = eigenvalues(square * scale);
    for (Complex& z : found) z /= scale;
    CHECK(distance(found, eigenvalues(square)) < 1e-12);
    const Svd one = svd(a), large = svd(a * scale), two = svd(a, b), both = svd(a * scale, b * other);
    for (std::size_t c = 0; c < 4; ++c) {
      CHECK(large.values[c] / scale == Approx(one.values[c]).epsilon(1e-12));
      CHECK(both.values[c] / scale / other == Approx(two.values[c]).epsilon(1e-12));
    }
  }
}

TEST_CASE("products of matrices with one row or column, or none", "[circuits]") {
  const Matrix row{{1, 2, 3}}, column{{4}, {5}, {6}};
  CHECK((product(row, column) == Matrix{{32}}));
  CHECK((product(row, xt::transpose(row)) == Matrix{{14}}));
  CHECK(product(column, row)(2, 1) == 12);
  CHECK((product(Matrix({2, 0}), Matrix({0, 3})) == zeros_of(2, 3)));
}

TEST_CASE("matrices without eigenvalues or singular values are refused", "[circuits]") {
  CHECK(contains(error_of([] { eigenvalues(zeros_of(2, 3)); }),
                 "[eigenvalues] expected a square matrix, got (2,3)"));
  CHECK(contains(error_of([] { eigenvalues(Matrix{{NAN}}); }), "[eigenvalues] expected finite numbers"));
  CHECK(contains(error_of([] { svd({{1, HUGE_VAL}}); }), "[svd] expected finite numbers"));
  CHECK(contains(error_of([] { svd(zeros_of(2, 3), zeros_of(2, 3)); }), "expected factors (a,r) and (r,b)"));
  CHECK(contains(error_of([] { product(zeros_of(2, 3), zeros_of(2, 3)); }), "[product] expected A (m,k)"));
}

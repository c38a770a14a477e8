#include <limits>
#include <vector>

#include "catch.h"
#include "headlight/core/gemm.h"
#include "headlight/core/vector_gemm.h"
#include "property.h"

using namespace headlight;

namespace {

// The product by its definition.
double entry(const ConstMatrixView& a, const ConstMatrixView& b, std::size_t i, std::size_t j) {
  const auto at = [](const ConstMatrixView& m, std::size_t r, std::size_t c) {
    return static_cast<double>(m.transposed ? m.data[c * m.stride + r] : m.data[r * m.stride + c]);
  };
  double sum = 0;
  for (std::size_t k = 0; k < a.width(); ++k) sum += at(a, i, k) * at(b, k, j);
  return sum;
}

// One product of each kind by `multiply`, compared with the definition; numbers beside C must stay.
template <class Multiply>
void require_product(Multiply multiply, std::size_t m, std::size_t k, std::size_t n, bool ta, bool tb,
                     std::size_t padding, Real alpha, Real beta, Rng& rng) {
  INFO("(" << m << "," << k << ")" << (ta ? "ᵀ" : "") << " x (" << k << "," << n << ")" << (tb ? "ᵀ" : "")
           << ", padding " << padding << ", alpha " << alpha << ", beta " << beta);
  const std::size_t a_cols = ta ? m : k, b_cols = tb ? k : n;
  const Array a = rng.normal_array({ta ? k : m, a_cols + padding}),
              b = rng.normal_array({tb ? n : k, b_cols + padding});
  Array c = rng.normal_array({m, n + padding});
  const Array before = c;
  const ConstMatrixView A{a.data(), ta ? k : m, a_cols, a_cols + padding, ta};
  const ConstMatrixView B{b.data(), tb ? n : k, b_cols, b_cols + padding, tb};
  multiply(A, B, MatrixView{c.data(), m, n, n + padding}, alpha, beta);
  double worst = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n + padding; ++j) {
      const auto old = static_cast<double>(before(i, j));
      const double expected = j < n ? double(alpha) * entry(A, B, i, j) + double(beta) * old : old;
      worst = std::max(worst, std::abs(static_cast<double>(c(i, j)) - expected));
    }
  REQUIRE(worst <= (kDouble ? 1e-14 : 2e-6) * (10 + static_cast<double>(k)));
}

}  // namespace

// Sizes around the widths of registers, panels and slices.
TEST_CASE("vector_gemm equals the definition at every kind of size", "[core]") {
  for_all(300, [&](Rng& random, std::size_t) {
    const auto length = [&] { return 1 + random.below(random.below(3) == 0 ? 70 : 20); };
    const std::size_t k = random.below(8) == 0 ? 250 + random.below(300) : length();
    // Columns with numbers a page apart are copied first, some rows at a time.
    const std::size_t padding = random.below(10) == 0 ? 1100 : random.below(2) * random.below(100);
    const std::size_t m = padding == 1100 && random.below(2) == 0 ? 250 + random.below(20) : length();
    const auto multiply = [](auto a, auto b, auto c, Real alpha, Real beta) {
      kernels::vector_gemm(a, b, c, alpha, beta);
    };
    require_product(multiply, m, k, length(), random.below(2) == 0, random.below(2) == 0, padding,
                    Real(0.5) + Real(random.below(2)), Real(random.below(3)), random);
  });
}

TEST_CASE("a product with bands has the same bits inside, and looks at nothing outside", "[core]") {
  for_all(300, [&](Rng& random, std::size_t) {
    const std::size_t m = 1 + random.below(60), n = 1 + random.below(60);
    const std::size_t k = random.below(4) == 0 ? 250 + random.below(30) : 1 + random.below(60);
    const auto some_band = [&] {
      const auto from = static_cast<std::ptrdiff_t>(random.below(80)) - 50;
      const auto to = from + static_cast<std::ptrdiff_t>(random.below(60));
      const std::uint64_t open = random.below(3);
      return Band{open == 0 ? -Band::kAny : from, open == 1 ? Band::kAny : to};
    };
    const Bands bands{some_band(), some_band()};
    const auto inside = [](Band band, std::size_t i, std::size_t j) {
      const auto distance = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i);
      return band.first <= distance && distance <= band.last;
    };
    const bool transposed = random.below(2) == 0;
    Array a = random.normal_array({m, k}), a_t = empty_array({k, m});
    const Array b = random.normal_array({k, n}), start = random.normal_array({m, n});
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t p = 0; p < k; ++p) a_t(p, i) = a(i, p) = inside(bands.a, i, p) ? a(i, p) : 0;
    const ConstMatrixView A =
        transposed ? ConstMatrixView{a_t.data(), k, m, m, true} : ConstMatrixView{a.data(), m, k, k};
    Array whole = start, part = start;
    kernels::vector_gemm(A, {b.data(), k, n, n}, {whole.data(), m, n, n}, Real(0.5), Real(2));
    kernels::vector_gemm(A, {b.data(), k, n, n}, {part.data(), m, n, n}, Real(0.5), Real(2), bands);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j)
        REQUIRE((part(i, j) == whole(i, j) || (!inside(bands.c, i, j) && part(i, j) == start(i, j))));
  });
}

TEST_CASE("gemm equals the definition at large sizes", "[core]") {
  Rng rng(3);
  const auto multiply = [](auto a, auto b, auto c, Real alpha, Real beta) { gemm(a, b, c, alpha, beta); };
  for (const std::size_t n : {15, 64, 80})
    for (const bool ta : {false, true})
      for (const bool tb : {false, true}) require_product(multiply, n, n, n, ta, tb, 3, 1, 1, rng);
}

TEST_CASE("gemm multiplies transposed and strided matrices in place", "[core]") {
  Rng rng(1);
  const bool ta = GENERATE(false, true), tb = GENERATE(false, true);
  const std::size_t m = 5, k = 7, n = 3, padding = GENERATE(0, 4);
  const Real alpha = GENERATE(Real(1), Real(-0.5)), beta = GENERATE(Real(0), Real(1), Real(2));
  require_product([](auto a, auto b, auto c, Real x, Real y) { gemm(a, b, c, x, y); }, m, k, n, ta, tb,
                  padding, alpha, beta, rng);
}

TEST_CASE("gemm with beta 0 does not read what was there", "[core]") {
  const std::vector<Real> one{1};
  std::vector<Real> c{std::numeric_limits<Real>::quiet_NaN()};
  gemm({one.data(), 1, 1, 1}, {one.data(), 1, 1, 1}, {c.data(), 1, 1, 1});
  CHECK(c[0] == 1);
  c[0] = std::numeric_limits<Real>::quiet_NaN();
  gemm({one.data(), 1, 0, 1}, {one.data(), 0, 1, 1}, {c.data(), 1, 1, 1});  // an empty sum
  CHECK(c[0] == 0);
}

TEST_CASE("gemm of no terms scales what was there by beta", "[core]") {
  const std::vector<Real> nothing(16);
  const bool transposed = GENERATE(false, true);
  const ConstMatrixView a =
      transposed ? ConstMatrixView{nothing.data(), 0, 2, 4, true} : ConstMatrixView{nothing.data(), 2, 0, 3};
  const ConstMatrixView b{nothing.data(), 0, 3, 3};
  for (const Real beta : {Real(0), Real(1), Real(-2)}) {
    std::vector<Real> c{1, 2, 3, 99, 4, 5, 6, 99};
    gemm(a, b, {c.data(), 2, 3, 4}, 7, beta);
    CHECK(c == std::vector<Real>{beta, 2 * beta, 3 * beta, 99, 4 * beta, 5 * beta, 6 * beta, 99});
  }
}

TEST_CASE("gemm scales by beta at every size", "[core]") {
  Rng rng(4);
  const auto multiply = [](auto a, auto b, auto c, Real alpha, Real beta) { gemm(a, b, c, alpha, beta); };
  for (const std::size_t n : {1, 16, 70, 130})
    for (const Real beta : {Real(0), Real(-1), Real(0.5)})
      require_product(multiply, n, 3, n + 1, false, true, 2, -1, beta, rng);
}

TEST_CASE("gemm refuses shapes that do not fit", "[core]") {
  std::vector<Real> x(64);
  const auto multiply = [&](ConstMatrixView a, ConstMatrixView b, MatrixView c) {
    return error_of([&] { gemm(a, b, c); });
  };
  CHECK(contains(multiply({x.data(), 2, 3, 3}, {x.data(), 4, 5, 5}, {x.data(), 2, 5, 5}),
                 "[gemm] inner dimensions differ: (2,3) x (4,5)"));
  CHECK(contains(multiply({x.data(), 2, 3, 3}, {x.data(), 3, 5, 5}, {x.data(), 2, 4, 4}),
                 "does not fit a result"));
  CHECK(contains(multiply({x.data(), 2, 3, 2}, {x.data(), 3, 5, 5}, {x.data(), 2, 5, 5}),
                 "row stride is shorter"));
}

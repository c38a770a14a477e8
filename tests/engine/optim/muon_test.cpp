// Newton–Schulz steps against a singular value decomposition, and what Muon takes for a matrix.
#include "headlight/optim/muon.h"

#include "catch.h"
#include "headlight/core/rng.h"

using namespace headlight;
using namespace headlight::optim;

namespace {

// Columns of u (m,n) and v (n,n), and n singular values: g = u diag(s) vᵀ for m ≥ n. One-sided Jacobi: turn
// pairs of columns of g until all are orthogonal (Hestenes 1958).
struct Svd {
  std::vector<std::vector<double>> u, v;  // by column
  std::vector<double> s;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void turn(std::vector<double>& a, std::vector<double>& b, double c, double s) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double old = a[i];
    a[i] = c * old - s * b[i];
    b[i] = s * old + c * b[i];
  }
}

Svd svd(const Array& g) {
  const std::size_t m = g.shape()[0], n = g.shape()[1];
  REQUIRE(m >= n);
  Svd d{{n, std::vector<double>(m)}, {n, std::vector<double>(n)}, {}};
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) d.u[j][i] = static_cast<double>(g(i, j));
    d.v[j][j] = 1;
  }
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const double pq = dot(d.u[p], d.u[q]);
        if (std::abs(pq) < 1e-300) continue;
        const double z = (dot(d.u[q], d.u[q]) - dot(d.u[p], d.u[p])) / (2 * pq);
        const double t = (z >= 0 ? 1 : -1) / (std::abs(z) + std::sqrt(1 + z * z)),
                     c = 1 / std::sqrt(1 + t * t);
        turn(d.u[p], d.u[q], c, c * t);
        turn(d.v[p], d.v[q], c, c * t);
      }
  for (std::vector<double>& column : d.u) {
    d.s.push_back(std::sqrt(dot(column, column)));
    for (double& x : column) x /= d.s.back();
  }
  return d;
}

Array random_matrix(std::size_t m, std::size_t n) { return Rng(m * 100 + n).normal_array({m, n}, 0, 0.3); }

Array transposed(const Array& g) {
  Array t = empty_array({g.shape()[1], g.shape()[0]});
  for (std::size_t i = 0; i < g.shape()[0]; ++i)
    for (std::size_t j = 0; j < g.shape()[1]; ++j) t(j, i) = g(i, j);
  return t;
}

double newton_schulz(double s, int steps = 5) {
  for (int i = 0; i < steps; ++i) s = 3.4445 * s - 4.7750 * s * s * s + 2.0315 * s * s * s * s * s;
  return s;
}

// A parameter after one step with the gradient, from 0.
Array step_of(Optimizer& optimizer, Tensor parameter, const Array& gradient) {
  parameter.set_grad(Tensor(gradient));
  optimizer.step();
  return parameter.array();
}

}  // namespace

TEST_CASE("orthogonalising keeps the singular vectors, and takes the values to about 1", "[optim]") {
  for (const auto& [m, n] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {5, 1}, {4, 4}, {9, 4}, {16, 16}, {48, 16}}) {
    INFO(m << " × " << n);
    const Array g = random_matrix(m, n);
    const Svd d = svd(g);
    const Array o = orthogonalized(g), wide = orthogonalized(transposed(g));
    CHECK(o.shape() == g.shape());
    CHECK(difference(transposed(wide), o) < (kDouble ? 1e-13 : 1e-5));
    const double norm = std::sqrt(dot(d.s, d.s));
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l) {
        double value = 0;  // uₖᵀ o vₗ
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t j = 0; j < n; ++j) value += d.u[k][i] * static_cast<double>(o(i, j)) * d.v[l][j];
        CHECK(std::abs(value - (k == l ? newton_schulz(d.s[k] / norm) : 0)) < (kDouble ? 1e-6 : 2e-4));
        if (k != l || d.s[k] < 0.002 * norm) continue;
        CHECK(value > 0.67);
        CHECK(value < 1.22);
      }
  }
}

TEST_CASE("five steps take every singular value of 0.002 and more near 1", "[optim]") {
  double least = 2, largest = 0;
  for (double s = 0.002; s <= 1; s *= 1.001) {
    least = std::min(least, newton_schulz(s));
    largest = std::max(largest, newton_schulz(s));
  }
  INFO(least << " … " << largest);
  CHECK(least > 0.67);
  CHECK(largest < 1.21);
}

TEST_CASE("a gradient of zeros stays zero, and the size of a gradient does not matter", "[optim]") {
  CHECK(difference(orthogonalized(full_array({3, 2}, 0)), full_array({3, 2}, 0)) == 0);
  Array g = random_matrix(6, 3), large = g;
  for (Real& x : large) x *= 1024;
  CHECK(difference(orthogonalized(g), orthogonalized(large)) < 1e-5);
  CHECK(contains(error_of([&] { orthogonalized(full_array({3}, 1)); }),
                 "[orthogonalized] expected a matrix (m,n), got (3)"));
}

TEST_CASE("Muon takes parameters of two axes for matrices, but for tables", "[optim]") {
  const OptimizerConfig config{.learning_rate = 0.1, .beta1 = 0.5, .weight_decay = 0};
  const Array g = random_matrix(6, 3);
  const auto stepped = [&](const char* name, const Shape& shape, bool matrix) {
    const Tensor p = parameter(zeros(shape));
    const auto optimizer = optimizers().find(name)({p}, config);
    optimizer->set_group({p}, {.matrix = matrix});
    Array gradient = g;
    gradient.reshape(shape);
    return step_of(*optimizer, p, gradient);
  };
  Array expected = orthogonalized(g);        // of (1 + β)g
  for (Real& x : expected) x *= Real(-0.1);  // six inputs, three outputs
  CHECK(difference(stepped("muon", {6, 3}, true), expected) < 1e-6);
  CHECK(difference(stepped("muon", {6, 3}, false), stepped("adamw", {6, 3}, false)) == 0);
  CHECK(difference(stepped("muon", {18}, true), stepped("adamw", {18}, true)) == 0);
  CHECK(difference(stepped("muon", {3, 6, 1}, true), stepped("adamw", {3, 6, 1}, true)) == 0);
}

TEST_CASE("Muon moves a weight with more outputs than inputs further", "[optim]") {
  for (const auto& [fan_in, fan_out, moved] :
       {std::tuple<std::size_t, std::size_t, double>{2, 8, -0.2216}, {8, 2, -0.1108}}) {
    Array g = full_array({fan_in, fan_out}, 0);
    g(0, 0) = g(1, 1) = 1;
    const Tensor w = parameter(zeros({fan_in, fan_out}));
    Muon muon({w}, {.learning_rate = 0.1, .beta1 = 0.95});
    CHECK(step_of(muon, w, g)(0, 0) == Approx(moved).margin(1e-4));
  }
}

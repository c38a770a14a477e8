#include "headlight/interpret/head_hessian.h"

#include "catch.h"
#include "interpret/head_subjects.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

// The model with a head's numbers moved along a direction.
[[maybe_unused]] nn::Transformer moved_head(const nn::Transformer& model, const HeadAt& head,
                                            const Array& direction, double by) {
  nn::Transformer moved = nn::clone(model);
  Array flat = head_parameters(model, head);
  for (std::size_t i = 0; i < flat.size(); ++i) flat.data()[i] += static_cast<Real>(by) * direction.data()[i];
  for (const HeadMatrix& m : head_matrices(moved, head)) {
    Tensor parameter = m.parameter;
    m.put(flat.data() + m.offset, parameter.mutable_array());
  }
  return moved;
}

// Eigenvalues of a symmetric matrix, smallest first, by Jacobi's rotations.
std::vector<double> eigenvalues_of(std::vector<std::vector<double>> A) {
  const std::size_t n = A.size();
  for (int sweep = 0; sweep < 60; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const double angle = 0.5 * std::atan2(2 * A[p][q], A[q][q] - A[p][p]);
        const double c = std::cos(angle), s = std::sin(angle);
        for (std::size_t k = 0; k < n; ++k) {
          const double x = A[k][p], y = A[k][q];
          A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = A[p][k], y = A[q][k];
          A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
      }
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(A[i][i]);
  std::sort(values.begin(), values.end());
  return values;
}

nn::TransformerConfig tiny() {
  return {.n_layers = 2, .d_model = 4, .n_heads = 2, .d_vocab = 5, .n_ctx = 5, .norm = nn::NormKind::none};
}

}  // namespace

#ifdef HEADLIGHT_DOUBLE
TEST_CASE("Hessian-vector products are differences of gradients, for every part", "[head_hessian]") {
  for (const HeadSubject& subject : head_subjects()) {
    INFO(subject.name);
    const nn::Transformer model = head_model(subject.config);
    const tasks::Batch batch = head_batch(subject.config);
    ThreadPool pool(1);
    Rng rng(5);
    for (const HeadAt& head : all_heads(subject.config)) {
      INFO(head_code(head));
      const Array theta = head_parameters(model, head);
      const Array v = unit(rng.normal_array({theta.size()})), u = unit(rng.normal_array({theta.size()}));
      const auto loss = [&](double by) { return head_loss(moved_head(model, head, v, by), batch, pool); };
      const auto along_u = [&](double by) {
        return product_of(u, head_gradient(moved_head(model, head, v, by), batch, head, pool));
      };
      CHECK(std::abs(product_of(head_gradient(model, batch, head, pool), v) - derivative_at_0(loss)) <
            kDifferences);
      const Array Hv = hessian_vector_product(model, batch, head, v, pool);
      const double uHv = product_of(u, Hv), differences = derivative_at_0(along_u);
      CHECK(std::abs(uHv - differences) < kDifferences);
      const double vHu = product_of(v, hessian_vector_product(model, batch, head, u, pool));
      CHECK(std::abs(uHv - vHu) < kDifferences);
      CHECK(std::abs(uHv) > 1e-6);
    }
  }
}
#endif

TEST_CASE("eigenvalues of a head's Hessian are those of the whole matrix", "[head_hessian]") {
  const nn::Transformer model = head_model(tiny());
  const tasks::Batch batch = head_batch(tiny(), 9);
  ThreadPool pool(1);
  const HeadAt head{0, 1};
  const std::size_t size = head_parameters(model, head).size();
  REQUIRE(size == 32);
  std::vector<std::vector<double>> H;
  for (std::size_t i = 0; i < size; ++i) {
    Array unit = full_array({size}, 0);
    unit(i) = 1;
    const Array column = hessian_vector_product(model, batch, head, unit, pool);
    H.emplace_back(column.begin(), column.end());
  }
  const std::vector<double> all = eigenvalues_of(H);
  CHECK(all.front() < -1e-3);
  CHECK(all.back() > 1e-2);
  const double close = kDouble ? 1e-9 : 1e-4, tolerance = kDouble ? 1e-6 : 1e-3;
  for (const auto& [which, expected] :
       {std::pair{Extreme::largest, all.back()}, std::pair{Extreme::smallest, all.front()},
        std::pair{Extreme::magnitude, all.back() > -all.front() ? all.back() : all.front()}}) {
    const HeadEigenvalue e = extreme_eigenvalue(
        model, batch, head, pool, {.which = which, .tolerance = tolerance, .max_iterations = 3000});
    CHECK(e.converged);
    CHECK(std::abs(e.value - expected) < close * std::max(1.0, std::abs(all.back())));
    CHECK(std::abs(product_of(e.vector, e.vector) - 1) < 1e-5);
    Array residual = hessian_vector_product(model, batch, head, e.vector, pool);
    for (std::size_t i = 0; i < size; ++i) residual(i) -= static_cast<Real>(e.value) * e.vector(i);
    CHECK(std::abs(std::sqrt(product_of(residual, residual)) - e.residual) < (kDouble ? 1e-12 : 1e-5));
  }
}

TEST_CASE("power iteration says when it did not converge", "[head_hessian]") {
  const nn::Transformer model = head_model(tiny());
  const tasks::Batch batch = head_batch(tiny());
  ThreadPool pool(1);
  const HeadEigenvalue e =
      extreme_eigenvalue(model, batch, {1, 0}, pool, {.tolerance = 1e-14, .max_iterations = 2});
  CHECK_FALSE(e.converged);
  CHECK(e.iterations == 2);
  CHECK(e.residual > 0);
}

TEST_CASE("a head that does nothing has a Hessian of zeros where it must", "[head_hessian]") {
  nn::Transformer model = head_model(tiny());
  const HeadAt head{1, 0};
  for (const HeadMatrix& m : head_matrices(model, head)) {  // W_V and W_O are 0, so is dL/dθ
    Tensor parameter = m.parameter;
    const Array none = full_array({m.size()}, 0);
    if (m.name == "W_V" || m.name == "W_O") m.put(none.data(), parameter.mutable_array());
  }
  const tasks::Batch batch = head_batch(tiny());
  ThreadPool pool(1);
  const Array g = head_gradient(model, batch, head, pool);
  CHECK(product_of(g, g) == 0);
  Array v = full_array({32}, 0);
  for (std::size_t i = 0; i < 16; ++i) v(i) = 1;  // in W_Q and W_K
  const Array Hv = hessian_vector_product(model, batch, head, v, pool);
  CHECK(product_of(Hv, Hv) == 0);
}

TEST_CASE("products with the Hessian have the same bits for any number of threads", "[head_hessian]") {
  const nn::Transformer model = head_model(tiny());
  const tasks::Batch batch = head_batch(tiny(), 27);
  ThreadPool one(1), three(3);
  const Array v = Rng(7).normal_array({32});
  CHECK(same_numbers(hessian_vector_product(model, batch, {1, 1}, v, one),
                     hessian_vector_product(model, batch, {1, 1}, v, three)));
  CHECK(same_numbers(head_gradient(model, batch, {1, 1}, one), head_gradient(model, batch, {1, 1}, three)));
}

TEST_CASE("a direction of another length is refused", "[head_hessian]") {
  const nn::Transformer model = head_model(tiny());
  const tasks::Batch batch = head_batch(tiny());
  ThreadPool pool(1);
  CHECK(error_of([&] {
          (void)hessian_vector_product(model, batch, {0, 0}, full_array({5}, 1), pool);
        }) ==
        "[hessian_vector_product] expected a direction of 32 numbers, as head_parameters() has, got shape "
        "(5).");
  CHECK(contains(error_of([&] {
                   (void)extreme_eigenvalue(model, batch, {0, 0}, pool, {.tolerance = 0});
                 }),
                 "expected a positive tolerance"));
  CHECK(contains(error_of([&] { (void)head_gradient(model, batch, {2, 0}, pool); }), "there is no layer 2"));
}

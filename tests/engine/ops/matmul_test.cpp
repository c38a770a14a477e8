// Matrix products against three loops, and products by the names of axes against the ops that compute the
// same.
#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "naive.h"
#include "property.h"

using namespace headlight;
using naive::Index;

namespace {

// An operand as a stack of matrices. A vector is a row on the left, a column on the right, and never turned.
struct Matrices {
  const Array& values;
  Shape batch;
  std::size_t rows, cols;
  bool transposed;

  Matrices(const Array& x, bool left, bool transpose)
      : values(x), transposed(transpose && x.dimension() > 1) {
    const Shape& shape = x.shape();
    const bool vector = shape.size() == 1;
    if (!vector) batch = Shape(shape.begin(), shape.end() - 2);
    rows = vector ? (left ? 1 : shape[0]) : shape[shape.size() - 2];
    cols = vector ? (left ? shape[0] : 1) : shape.back();
  }
  std::size_t height() const { return transposed ? cols : rows; }
  std::size_t width() const { return transposed ? rows : cols; }
  double at(const Index& batch_index, std::size_t i, std::size_t j) const {
    const std::size_t in_matrix = transposed ? j * cols + i : i * cols + j;
    return double(values.data()[naive::place(batch, batch_index) * rows * cols + in_matrix]);
  }
};

Array loops(const Array& x, const Array& y, const MatmulOptions& options) {
  const Matrices a(x, true, options.transpose_x), b(y, false, options.transpose_y);
  const Shape batch = broadcast_shapes(a.batch, b.batch, "test");
  naive::Numbers z;
  naive::each_index(batch, [&](const Index& index) {
    for (std::size_t i = 0; i < a.height(); ++i)
      for (std::size_t j = 0; j < b.width(); ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < a.width(); ++k) sum += a.at(index, i, k) * b.at(index, k, j);
        z.push_back(sum);
      }
  });
  Shape shape = batch;
  if (x.dimension() > 1) shape.push_back(a.height());
  if (y.dimension() > 1) shape.push_back(b.width());
  return naive::array(z, shape);
}

double dot(const Array& x, const Array& y) { return naive::dot(naive::numbers(x), naive::numbers(y)); }

// Values, and by the adjoint identity ⟨u, J v⟩ = ⟨Jᵀ u, v⟩ the gradients: the product is linear in each
// factor.
void require_equals_loops(const Tensor& x, const Tensor& y, const MatmulOptions& options, Rng& rng) {
  INFO(to_string(x.shape()) << (options.transpose_x ? "ᵀ" : "") << " x " << to_string(y.shape())
                            << (options.transpose_y ? "ᵀ" : ""));
  const Tensor z = matmul(x, y, options);
  REQUIRE(difference(z.array(), loops(x.array(), y.array(), options)) < kRounding);
  const Array u = rng.normal_array(z.shape()), v = rng.normal_array(x.shape()),
              w = rng.normal_array(y.shape());
  const auto gradients = grad(z, {x, y}, {.cotangent = Tensor(u)});
  const double close = 10 * kRounding * double(1 + z.size());
  REQUIRE(std::abs(dot(u, loops(v, y.array(), options)) - dot(gradients[0].array(), v)) < close);
  REQUIRE(std::abs(dot(u, loops(x.array(), w, options)) - dot(gradients[1].array(), w)) < close);
}

Shape join(Shape shape, std::initializer_list<std::size_t> more) {
  shape.insert(shape.end(), more.begin(), more.end());
  return shape;
}

Tensor normal(Rng& rng, const Shape& shape) { return parameter(rng.normal_array(shape)); }

}  // namespace

TEST_CASE("matmul broadcasts the axes before the matrices in every position", "[ops][broadcasting]") {
  Rng rng(1);
  for (const auto& [left, right] : naive::pairs({2, 3}))
    for (const bool tx : {false, true})
      for (const bool ty : {false, true}) {
        const Tensor x = normal(rng, join(left, {tx ? 3U : 2U, tx ? 2U : 3U})),
                     y = normal(rng, join(right, {ty ? 2U : 3U, ty ? 3U : 2U}));
        const MatmulOptions options{.transpose_x = tx, .transpose_y = ty};
        require_equals_loops(x, y, options, rng);
        const auto report =
            check_second("matmul", [&](const auto& in) { return matmul(in[0], in[1], options); }, {x, y});
        INFO(report.message);
        CHECK(report.ok);
      }
}

TEST_CASE("matmul equals three loops for random shapes", "[ops]") {
  for_all(
      400,
      [](Rng& rng, std::size_t size) {
        const auto length = [&] { return 1 + rng.below(size); };
        const Shape batch = naive::random_shape(rng, size, 3);
        const MatmulOptions options{.transpose_x = rng.below(2) == 0, .transpose_y = rng.below(2) == 0};
        const std::size_t n = length(), k = length(), m = length();
        const auto operand = [&](std::size_t rows, std::size_t cols, bool transpose) {
          if (rng.below(6) == 0) return normal(rng, {k});
          const Shape own = naive::random_operand(rng, batch);
          return normal(rng, transpose ? join(own, {cols, rows}) : join(own, {rows, cols}));
        };
        const Tensor x = operand(n, k, options.transpose_x), y = operand(k, m, options.transpose_y);
        require_equals_loops(x, y, options, rng);
      },
      7);
}

TEST_CASE("linear equals three loops and a bias for random shapes", "[ops]") {
  for_all(100, [](Rng& rng, std::size_t size) {
    const std::size_t in = 1 + rng.below(size), out = 1 + rng.below(size);
    const Tensor x = normal(rng, join(naive::random_shape(rng, size, 3), {in})), W = normal(rng, {in, out}),
                 b = normal(rng, {out});
    INFO(to_string(x.shape()) << " x " << to_string(W.shape()));
    const Tensor y = linear(x, W, b);
    const Array product = loops(x.array(), W.array(), {});
    naive::each_index(y.shape(), [&](const Index& i) {
      const double expected = naive::at(product, i) + naive::at(b.array(), i);
      REQUIRE(std::abs(naive::at(y.array(), i) - expected) < 10 * kRounding);
    });
    const Array u = rng.normal_array(y.shape()), v = rng.normal_array(x.shape()),
                w = rng.normal_array(W.shape()), c = rng.normal_array({out});
    const auto gradients = grad(y, {x, W, b}, {.cotangent = Tensor(u)});
    const double close = 10 * kRounding * double(1 + y.size());
    REQUIRE(std::abs(dot(u, loops(v, W.array(), {})) - dot(gradients[0].array(), v)) < close);
    REQUIRE(std::abs(dot(u, loops(x.array(), w, {})) - dot(gradients[1].array(), w)) < close);
    const Array repeated = broadcast_to(Tensor(c), y.shape()).array();
    REQUIRE(std::abs(dot(u, repeated) - dot(gradients[2].array(), c)) < close);
  });
}

TEST_CASE("einsum computes the products that have other names", "[ops][einsum]") {
  Rng rng(1);
  const Tensor x = randn({2, 3}, rng), y = randn({3, 4}, rng), v = randn({3}, rng), w = randn({3}, rng),
               q = randn({2, 5, 3, 4}, rng), k = randn({2, 6, 3, 4}, rng);
  const auto same = [](const Tensor& a, const Tensor& b) {
    CHECK(difference(a.array(), b.array()) < kRounding);
  };
  same(einsum("ij,jk->ik", x, y), matmul(x, y));
  same(einsum("ij,jk->ki", x, y), transpose(matmul(x, y)));
  same(einsum(" ij , j -> i ", x, v), matmul(x, v));
  same(einsum("i,i->", v, w), matmul(v, w));
  same(einsum("i,j->ij", v, w), outer(v, w));
  same(einsum("ij,j->ij", x, v), x * v);
  same(einsum("ij,jk->j", x, y), sum(x, 0) * sum(y, 1));
  same(einsum("bnhd,bmhd->bhnm", q, k),
       matmul(permute(q, {0, 2, 1, 3}), permute(k, {0, 2, 1, 3}), {.transpose_y = true}));
  same(einsum("ij->ji", x), transpose(x));
  same(einsum("ij->", x), sum(x));
  same(einsum("bnhd->hb", q), transpose(sum(q, {1, 3})));
  CHECK(einsum("ij,jk->ik", zeros({2, 0}), zeros({0, 3})).shape() == Shape{2, 3});
}

TEST_CASE("einsum refuses equations that it cannot read", "[ops][einsum]") {
  const Tensor x = zeros({2, 3}), y = zeros({4, 5});
  const auto message = [&](const char* equation) { return error_of([&] { einsum(equation, x, y); }); };
  CHECK(message("ij,jk->ik") == "[einsum] 'j' of \"ij,jk->ik\" has the lengths 3 and 4.");
  CHECK(message("ij,kl") == "[einsum] expected an equation such as \"ij,jk->ik\", got \"ij,kl\".");
  CHECK(message("ij,kl->im") == "[einsum] 'm' is in the result of \"ij,kl->im\", but in no operand.");
  CHECK(message("ii,kl->k") == "[einsum] 'i' stands twice in \"ii\" of \"ii,kl->k\".");
  CHECK(message("ij,k->ik") == "[einsum] \"k\" of \"ij,k->ik\" names 1 axes, got shape (4,5).");
  CHECK(message("ij->ji") == "[einsum] \"ij->ji\" is of 1 operands, got 2.");
  CHECK(message("...,kl->k") == "[einsum] expected letters as the names of axes, got '.' in \"...,kl->k\".");
}

TEST_CASE("outer products and triangles", "[ops]") {
  const Tensor x = reshape(arange(9) + 1, {3, 3});
  CHECK(to_string(outer(tensor({1, 2}), tensor({3, 4, 5})), 0) == "[[3, 4, 5],\n [6, 8, 10]]");
  CHECK(to_string(tril(x), 0) == "[[1, 0, 0],\n [4, 5, 0],\n [7, 8, 9]]");
  CHECK(to_string(tril(x, -1), 0) == "[[0, 0, 0],\n [4, 0, 0],\n [7, 8, 0]]");
  CHECK(to_string(triu(x), 0) == "[[1, 2, 3],\n [0, 5, 6],\n [0, 0, 9]]");
  CHECK(to_string(triu(x, 1), 0) == "[[0, 2, 3],\n [0, 0, 6],\n [0, 0, 0]]");
  CHECK(to_string(tril(x, 1) + triu(x, 2) - x, 0) == to_string(zeros({3, 3}), 0));
  CHECK(error_of([] { tril(zeros({3})); }) == "[tril] expected matrices (…,n,m), got shape (3).");
  CHECK(error_of([] {
          outer(zeros({3, 1}), zeros({2}));
        }) == "[outer] expected two vectors, got (3,1) and (2). Hint: flatten() them.");
}

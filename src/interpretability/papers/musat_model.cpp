#include "musat_model.h"

#include <cstdint>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"

namespace headlight::papers::musat {
namespace {

// (n,n): each token sees the tokens before it.
BoolArray earlier(std::size_t n) {
  BoolArray sees(Shape{n, n}, false);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) sees(i, j) = j < i;
  return sees;
}

Tensor zeros(std::size_t rows, std::size_t columns) { return parameter(full_array({rows, columns}, 0)); }

// visit(row, column, sign) for each place of a direction that is not 0.
void visit_places(const Direction& d, std::size_t D, auto&& visit) {
  for (std::size_t i = 0; i < D; ++i)
    visit(d.row * D + i, d.column * D + (d.rotated ? (i + D / 2) % D : i),
          d.rotated && i < D / 2 ? Real(-1) : Real(1));
}

}  // namespace

Sequences sequences(std::size_t pairs, std::size_t count, Rng rng) {
  const std::size_t D = width(pairs), half = D / 2, n = 2 * pairs + 1;
  Array x(Shape{count, n, 2 * D}, Real(0)), answer(Shape{count, 1, D}, Real(0));
  for (std::size_t b = 0; b < count; ++b) {
    const std::vector<std::int32_t> contents = rng.distinct(2 * pairs, D),
                                    positions = rng.distinct(pairs + 1, half);
    std::uint64_t turns = 0;
    for (std::size_t t = 0; t < n; ++t) {
      turns = t % 2 == 1 ? turns + 1 : rng.below(4);  // of M, so that four make a vector itself again
      const auto place = static_cast<std::size_t>(positions[t / 2]) + turns % 2 * half;
      x(b, t, D + place) = turns % 4 < 2 ? Real(1) : Real(-1);
      if (t + 1 < n) x(b, t, static_cast<std::size_t>(contents[t])) = rng.below(2) == 0 ? Real(1) : Real(-1);
    }
    for (std::size_t d = 0; d < D; ++d) x(b, n - 1, d) = x(b, n - 3, d), answer(b, 0, d) = x(b, n - 2, d);
  }
  return {Tensor(std::move(x)), Tensor(std::move(answer))};
}

Model::Model(std::size_t pairs)
    : D(width(pairs)), W1(zeros(2 * D, 2 * D)), W2(zeros(4 * D, 4 * D)), W3(zeros(8 * D, D)) {}

Tensor Model::operator()(const Tensor& x) const {
  const Tensor seen =
      scaled_dot_product_attention(matmul(x, W1), x, x, {.mask = earlier(x.length(1)), .scale = 1});
  const Tensor y = concat({x, seen}, -1), last = slice(y, 1, -1), keys = slice(y, 1, 0, -1);
  const Tensor found = scaled_dot_product_attention(matmul(last, W2), keys, keys, {.scale = 1});
  return matmul(concat({last, found}, -1), W3);
}

Tensor Model::summed_error(const Sequences& s) const { return 0.5 * sum(square((*this)(s.x) - s.answer)); }

double Direction::dot(const Array& W, std::size_t D) const {
  double total = 0;
  visit_places(*this, D, [&](std::size_t i, std::size_t j, Real sign) { total += double(sign * W(i, j)); });
  return total;
}

void Direction::add(double change, Array& W, std::size_t D) const {
  visit_places(*this, D, [&](std::size_t i, std::size_t j, Real sign) { W(i, j) += sign * Real(change); });
}

double Direction::parameter_of(const Model& m) const {
  return dot(m.weights()[matrix].array(), m.D) / static_cast<double>(m.D);
}

std::vector<Direction> nineteen() {
  std::vector<Direction> all = {{0, 0, 0}, {0, 1, 1}, {0, 1, 1, true}};
  for (const std::size_t row : {0, 2})
    for (const std::size_t column : {0, 2}) {
      all.push_back({1, row, column});
      all.push_back({1, row + 1, column + 1}), all.push_back({1, row + 1, column + 1, true});
    }
  for (const std::size_t row : {0, 2, 4, 6}) all.push_back({2, row, 0});
  return all;
}

std::vector<Direction> three() { return {{2, 4, 0}, {1, 0, 2}, {0, 1, 1, true}}; }

}  // namespace headlight::papers::musat

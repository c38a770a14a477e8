#include "two_head_tables.h"

#include <algorithm>
#include <cmath>

#include "headlight/interpret/balls.h"
#include "headlight/ops/rearrange.h"
#include "heads/rotation_matrix.h"

namespace headlight::interpret {
namespace {

// Rows in double precision, turned as queries and keys of a position are.
class Turned {
 public:
  explicit Turned(const nn::Transformer& model) {
    const nn::Positions& kind = nn::positions().find(model.config().positions);
    if (kind.rotation) rotation_ = kind.rotation(nn::position_sizes(model.blocks[0].attn.config()));
  }

  Balls operator()(Balls x, std::size_t position) const {
    if (!rotation_) return x;
    return linear(x, ExactMatrix(rotation_matrix(rotation_, x.cols, position)));
  }

 private:
  nn::Positions::Rotation rotation_;
};

Balls stacked(Balls x, const Balls& y) {
  x.center.insert(x.center.end(), y.center.begin(), y.center.end());
  x.radius.insert(x.radius.end(), y.radius.begin(), y.radius.end());
  x.rows += y.rows;
  return x;
}

// The embeddings x(b,p), position by position.
Balls embeddings(const nn::Transformer& model, std::size_t length) {
  const ExactMatrix W_E(model.embed.W), W_pos(model.W_pos);
  const std::size_t tokens = W_E.rows, d = W_E.cols;
  Balls x(tokens * length, d), positions = x;
  for (std::size_t row = 0; row < x.rows; ++row) {
    std::copy_n(&W_E.values[row % tokens * d], d, &x.center[row * d]);
    if (W_pos.cols > 0) std::copy_n(&W_pos.values[row / tokens * d], d, &positions.center[row * d]);
  }
  return add(std::move(x), positions);
}

Ranges ranges_of(const Balls& x) {
  check_no_overflow(x);
  Ranges all;
  for (std::size_t i = 0; i < x.center.size(); ++i) all.push_back(range_of({x.center[i], x.radius[i]}));
  return all;
}

Ranges products(const Balls& queries, const Balls& keys) {
  const std::size_t d = queries.cols;
  const double factor = 1 / std::sqrt(static_cast<double>(d));
  Balls all(queries.rows, keys.rows);
  for (std::size_t q = 0; q < queries.rows; ++q)
    for (std::size_t k = 0; k < keys.rows; ++k) {
      const Ball product = scaled_dot(span(queries, q, 0, d), span(keys, k, 0, d), factor);
      all.center[q * keys.rows + k] = product.center, all.radius[q * keys.rows + k] = product.radius;
    }
  return ranges_of(all);
}

// Each row turned as the position of its embedding.
Balls turned_in_place(const Balls& x, std::size_t tokens, const Turned& turned) {
  Balls all(0, x.cols);
  for (std::size_t p = 0; p * tokens < x.rows; ++p) {
    Balls rows(tokens, x.cols);
    std::copy_n(&x.center[p * tokens * x.cols], tokens * x.cols, rows.center.begin());
    std::copy_n(&x.radius[p * tokens * x.cols], tokens * x.cols, rows.radius.begin());
    all = stacked(std::move(all), turned(std::move(rows), p));
  }
  return all;
}

}  // namespace

TwoHeadTables::TwoHeadTables(const nn::Transformer& model, std::size_t length)
    : tokens_(model.config().d_vocab), length_(length) {
  const NoGrad no_grad;
  const nn::MultiHeadAttention &first = model.blocks[0].attn, &second = model.blocks[1].attn;
  const ExactMatrix W_U(model.config().tied_embeddings ? transpose(model.embed.W) : model.unembed.W);
  const Turned turned(model);
  const Balls x = embeddings(model, length);
  first_scores_ = products(turned_in_place(linear(x, ExactMatrix(first.W_Q)), tokens_, turned),
                           turned_in_place(linear(x, ExactMatrix(first.W_K)), tokens_, turned));
  const auto through = [](const Balls& rows, const nn::MultiHeadAttention& attention) {
    return linear(linear(rows, ExactMatrix(attention.W_V)), ExactMatrix(attention.W_O));
  };
  const Balls parts = stacked(x, through(x, first));
  const Balls queries = turned(linear(parts, ExactMatrix(second.W_Q)), length - 1);
  const Balls keys = linear(parts, ExactMatrix(second.W_K));
  for (std::size_t j = 0; j < length; ++j) second_scores_.push_back(products(queries, turned(keys, j)));
  direct_ = ranges_of(linear(parts, W_U));
  attended_ = ranges_of(linear(through(parts, second), W_U));
}

}  // namespace headlight::interpret

#include "two_head_tables.h"

#include <cmath>

#include "headlight/interpret/balls.h"
#include "headlight/ops/rearrange.h"
#include "heads/rotation_matrix.h"

namespace headlight::interpret {
namespace {

// Rows in double precision, turned as queries and keys of a position are.
class Turned {
 public:
  explicit Turned(const nn::Transformer& model)
      : config_(model.blocks[0].attn.config()), kind_(nn::positions().find(model.config().positions)) {
    if (kind_.rotation) rotation_ = kind_.rotation(nn::position_sizes(config_));
  }

  Balls operator()(Balls x, std::size_t position) const {
    if (!rotation_) return x;
    return linear(x, ExactMatrix(rotation_matrix(rotation_, x.cols, position)));
  }

 private:
  nn::MultiHeadAttentionConfig config_;
  nn::Positions kind_;
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
  const Array& W_E = model.embed.W.array();
  const std::size_t tokens = W_E.shape()[0], d = W_E.shape()[1];
  const bool placed = model.W_pos.defined();
  Balls x(tokens * length, d);
  for (std::size_t p = 0; p < length; ++p)
    for (std::size_t b = 0; b < tokens; ++b)
      for (std::size_t i = 0; i < d; ++i)
        x.center[(p * tokens + b) * d + i] =
            static_cast<double>(W_E(b, i)) + (placed ? static_cast<double>(model.W_pos.array()(p, i)) : 0.0);
  return x;
}

std::vector<double> products(const Balls& queries, const Balls& keys) {
  const double factor = 1 / std::sqrt(static_cast<double>(queries.cols));
  std::vector<double> all(queries.rows * keys.rows);
  for (std::size_t q = 0; q < queries.rows; ++q)
    for (std::size_t k = 0; k < keys.rows; ++k)
      all[q * keys.rows + k] =
          scaled_dot(span(queries, q, 0, queries.cols), span(keys, k, 0, keys.cols), factor).center;
  return all;
}

// Each row turned as the position of its embedding.
Balls turned_in_place(const Balls& x, std::size_t tokens, const Turned& turned) {
  Balls all(0, x.cols);
  for (std::size_t p = 0; p * tokens < x.rows; ++p) {
    Balls rows(tokens, x.cols);
    std::copy_n(&x.center[p * tokens * x.cols], tokens * x.cols, rows.center.begin());
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
  direct_ = linear(parts, W_U).center;
  attended_ = linear(through(parts, second), W_U).center;
}

}  // namespace headlight::interpret

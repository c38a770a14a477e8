// One call of attention: its inputs, and its values by loops over single elements.
#pragma once

#include <algorithm>
#include <cmath>

#include "headlight/ops/ops.h"
#include "naive.h"

namespace headlight {

using naive::Index;
using naive::Numbers;

enum class Form { one_head, batch, heads, side_by_side };  // (n,d), (B,n,d), (B,H,n,d), (B,n,H·d)

struct Problem {
  Form form;
  std::size_t B, H, n, m, d_k, d_v;
  AttentionOptions options;
  std::vector<Tensor> inputs;  // q, k, v, perhaps a bias, perhaps a relative bias
  bool biased = false, relative = false;

  Shape shape(std::size_t rows, std::size_t width) const {
    if (form == Form::one_head) return {rows, width};
    if (form == Form::batch) return {B, rows, width};
    if (form == Form::heads) return {B, H, rows, width};
    return {B, rows, H * width};
  }
  Shape scores() const {
    if (form == Form::one_head) return {n, m};
    if (form == Form::batch) return {B, n, m};
    return {B, H, n, m};
  }
  // Where element (b,h,i,c) lies.
  std::size_t place(std::size_t b, std::size_t h, std::size_t i, std::size_t c, std::size_t rows,
                    std::size_t width) const {
    return form == Form::side_by_side ? ((b * rows + i) * H + h) * width + c
                                      : ((b * H + h) * rows + i) * width + c;
  }
  Index score_index(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
    if (form == Form::one_head) return {i, j};
    if (form == Form::batch) return {b, i, j};
    return {b, h, i, j};
  }

  Tensor operator()(const std::vector<Tensor>& in) const {
    AttentionOptions o = options;
    if (biased) o.bias = in[3];
    if (relative) o.relative.values = in.back();
    return scaled_dot_product_attention(in[0], in[1], in[2], o);
  }

  bool sees(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
    if (options.causal && j > i) return false;
    if (options.window && (i > j ? i - j : j - i) >= *options.window) return false;
    return !options.mask ||
           options.mask->data()[naive::place(options.mask->shape(), score_index(b, h, i, j))];
  }

  // Where the relative bias of head h has the number of query i and key j.
  std::size_t relative_place(std::size_t h, std::size_t i, std::size_t j) const {
    const std::size_t columns = inputs.back().length(1);
    int column = int(i) - int(j) - options.relative.first;
    if (column < 0) column = 0;
    if (column >= int(columns)) column = int(columns) - 1;
    return (inputs.back().length(0) == 1 ? 0 : h * columns) + std::size_t(column);
  }

  Numbers loops(const std::vector<Numbers>& in) const {
    const double scale = options.scale.value_or(1 / std::sqrt(double(d_k)));
    Numbers out(B * H * n * d_v, 0);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t h = 0; h < H; ++h)
        for (std::size_t i = 0; i < n; ++i) {
          double total = 0;
          Numbers weighted(d_v, 0);
          for (std::size_t j = 0; j < m; ++j) {
            if (!sees(b, h, i, j)) continue;
            double score = 0;
            for (std::size_t c = 0; c < d_k; ++c)
              score += in[0][place(b, h, i, c, n, d_k)] * in[1][place(b, h, j, c, m, d_k)] * scale;
            if (biased) score += in[3][naive::place(inputs[3].shape(), score_index(b, h, i, j))];
            if (relative) score += in.back()[relative_place(h, i, j)];
            total += std::exp(score);
            for (std::size_t c = 0; c < d_v; ++c)
              weighted[c] += std::exp(score) * in[2][place(b, h, j, c, m, d_v)];
          }
          for (std::size_t c = 0; c < d_v; ++c)
            if (total > 0) out[place(b, h, i, c, n, d_v)] = weighted[c] / total;
        }
    return out;
  }
};

inline Problem problem(Form form, std::size_t B, std::size_t H, std::size_t n, std::size_t m, std::size_t d_k,
                       std::size_t d_v, Rng& rng) {
  Problem p{form, B, H, n, m, d_k, d_v, {}, {}, false, false};
  if (form == Form::one_head) p.B = 1;
  if (form == Form::one_head || form == Form::batch) p.H = 1;
  if (form == Form::side_by_side) p.options.n_heads = H;
  for (const Shape& shape : {p.shape(n, d_k), p.shape(m, d_k), p.shape(m, d_v)})
    p.inputs.push_back(parameter(rng.normal_array(shape)));
  return p;
}

inline void add_bias(Problem& p, const Shape& shape, Rng& rng) {
  p.inputs.push_back(parameter(rng.normal_array(shape)));
  p.biased = true;
}

inline void add_relative(Problem& p, std::size_t heads, std::size_t columns, int first, Rng& rng) {
  p.inputs.push_back(parameter(rng.normal_array({heads, columns})));
  p.options.relative.first = first;
  p.relative = true;
}

}  // namespace headlight

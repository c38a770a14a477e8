// One call of attention: its inputs, and its values by loops over single elements.
#pragma once

#include <algorithm>
#include <cmath>

#include "headlight/core/pattern_dropout.h"
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
  std::vector<Tensor> inputs;  // q, k, v, and those of bias, relative bias and sinks that there are
  bool biased = false, relative = false, sinks = false;

  std::size_t kv_heads() const { return options.n_kv_heads.value_or(H); }
  Shape shape(std::size_t rows, std::size_t width) const { return shape(rows, width, H); }
  Shape shape(std::size_t rows, std::size_t width, std::size_t heads) const {
    if (form == Form::one_head) return {rows, width};
    if (form == Form::batch) return {B, rows, width};
    if (form == Form::heads) return {B, H, rows, width};
    return {B, rows, heads * width};
  }
  Shape scores() const {
    if (form == Form::one_head) return {n, m};
    if (form == Form::batch) return {B, n, m};
    return {B, H, n, m};
  }
  // Where element (b,h,i,c) lies.
  std::size_t place(std::size_t b, std::size_t h, std::size_t i, std::size_t c, std::size_t rows,
                    std::size_t width) const {
    return place(b, h, i, c, rows, width, H);
  }
  // The same in keys or values, whose heads may be shared.
  std::size_t kv_place(std::size_t b, std::size_t h, std::size_t j, std::size_t c, std::size_t width) const {
    return place(b, h / (H / kv_heads()), j, c, m, width, kv_heads());
  }
  std::size_t place(std::size_t b, std::size_t h, std::size_t i, std::size_t c, std::size_t rows,
                    std::size_t width, std::size_t heads) const {
    return form == Form::side_by_side ? ((b * rows + i) * heads + h) * width + c
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
    if (relative) o.relative.values = in[relative_input()];
    if (sinks) o.sinks = in.back();
    return scaled_dot_product_attention(in[0], in[1], in[2], o);
  }

  std::size_t relative_input() const { return biased ? 4 : 3; }

  bool sees(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
    const std::size_t at = i + options.first_query;
    if (options.causal && j > at) return false;
    if (options.window && (at > j ? at - j : j - at) >= *options.window) return false;
    return !options.mask ||
           options.mask->data()[naive::place(options.mask->shape(), score_index(b, h, i, j))];
  }

  // Where the relative bias of head h has the number of query i and key j.
  std::size_t relative_place(std::size_t h, std::size_t i, std::size_t j) const {
    const Tensor& values = inputs[relative_input()];
    const std::size_t columns = values.length(1);
    int column = int(i + options.first_query) - int(j) - options.relative.first;
    if (column < 0) column = 0;
    if (column >= int(columns)) column = int(columns) - 1;
    return (values.length(0) == 1 ? 0 : h * columns) + std::size_t(column);
  }

  double dropout(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const {
    if (options.dropout == 0) return 1;
    Real factor = 0;
    kernels::dropout_row({options.dropout, options.dropout_seed}, b, h, i + options.first_query, j, 1,
                         &factor);
    return factor > 0 ? 1 / (1 - options.dropout) : 0;
  }

  Numbers loops(const std::vector<Numbers>& in) const {
    const double scale = options.scale.value_or(1 / std::sqrt(double(d_k)));
    Numbers out(B * H * n * d_v, 0);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t h = 0; h < H; ++h)
        for (std::size_t i = 0; i < n; ++i) {
          double total = sinks ? std::exp(in.back()[h]) : 0;
          Numbers weighted(d_v, 0);
          for (std::size_t j = 0; j < m; ++j) {
            if (!sees(b, h, i, j)) continue;
            double score = 0;
            for (std::size_t c = 0; c < d_k; ++c)
              score += in[0][place(b, h, i, c, n, d_k)] * in[1][kv_place(b, h, j, c, d_k)] * scale;
            if (options.cap > 0) score = options.cap * std::tanh(score / options.cap);
            if (biased) score += in[3][naive::place(inputs[3].shape(), score_index(b, h, i, j))];
            if (relative) score += in[relative_input()][relative_place(h, i, j)];
            total += std::exp(score);
            for (std::size_t c = 0; c < d_v; ++c)
              weighted[c] += std::exp(score) * dropout(b, h, i, j) * in[2][kv_place(b, h, j, c, d_v)];
          }
          for (std::size_t c = 0; c < d_v; ++c)
            if (total > 0) out[place(b, h, i, c, n, d_v)] = weighted[c] / total;
        }
    return out;
  }
};

inline Problem problem(Form form, std::size_t B, std::size_t H, std::size_t n, std::size_t m, std::size_t d_k,
                       std::size_t d_v, Rng& rng) {
  Problem p{form, B, H, n, m, d_k, d_v, {}, {}};
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

// Keys and values in fewer heads, which divide H; only for heads side by side.
inline void share_heads(Problem& p, std::size_t kv_heads, Rng& rng) {
  p.options.n_kv_heads = kv_heads;
  p.inputs[1] = parameter(rng.normal_array(p.shape(p.m, p.d_k, kv_heads)));
  p.inputs[2] = parameter(rng.normal_array(p.shape(p.m, p.d_v, kv_heads)));
}

// After the biases.
inline void add_sinks(Problem& p, Rng& rng) {
  p.inputs.push_back(parameter(rng.normal_array({p.H})));
  p.sinks = true;
}

inline void add_relative(Problem& p, std::size_t heads, std::size_t columns, int first, Rng& rng) {
  p.inputs.push_back(parameter(rng.normal_array({heads, columns})));
  p.options.relative.first = first;
  p.relative = true;
}

}  // namespace headlight

// What people write in the place of attention with grouped queries, and what is wrong with it.
#pragma once

#include "layer_mistakes.h"
#include "repeat_mistakes.h"

namespace mistakes {

using Grouped = std::function<Tensor(const Tensor& x, const Tensor& W_QKV, const Tensor& W_O, std::size_t h,
                                     std::size_t g, const Tensor& mask)>;

// The columns read group by group: the queries of a group, then its key, then its value.
inline Heads head_by_head(const Tensor& all, std::size_t d, std::size_t h, std::size_t g) {
  const int of_group = length(all, -1) / int_of(g), width = int_of(d / h), own = of_group - 2 * width;
  std::vector<Tensor> q, k, v;
  for (int at = 0; at < length(all, -1); at += of_group) {
    q.push_back(slice(all, -1, at, at + own));
    k.push_back(slice(all, -1, at + own, at + own + width));
    v.push_back(slice(all, -1, at + own + width, at + of_group));
  }
  return {concat(q, -1), concat(k, -1), concat(v, -1)};
}

// Queries, keys and values cut from the fused product.
inline Heads cut_with(const Made& made, const Tensor& all, std::size_t d, std::size_t h, std::size_t g) {
  if (made("head-by-head")) return head_by_head(all, d, h, g);
  int first = int_of(d), d_kv = int_of(d / h * g);
  if (made("cut-into-thirds")) first = d_kv = length(all, -1) / 3;
  if (made("cut-as-without-sharing")) d_kv = first;
  if (made("head-width-forgotten")) d_kv = int_of(g);
  Heads p{slice(all, -1, 0, first), slice(all, -1, first, first + d_kv),
          slice(all, -1, first + d_kv, first + 2 * d_kv)};
  if (made("keys-first")) {
    p.k = slice(all, -1, 0, d_kv), p.v = slice(all, -1, d_kv, 2 * d_kv);
    p.q = slice(all, -1, 2 * d_kv, 2 * d_kv + first);
  }
  if (made("keys-queries-values")) p.k = slice(all, -1, 0, d_kv), p.q = slice(all, -1, d_kv, d_kv + first);
  if (made("values-keys-queries")) {
    p.v = slice(all, -1, 0, d_kv), p.k = slice(all, -1, d_kv, 2 * d_kv);
    p.q = slice(all, -1, 2 * d_kv, 2 * d_kv + first);
  }
  return p;
}

inline Tensor shared(const Made& made, const Tensor& k, std::size_t h) {
  if (made("not-repeated")) return k;
  for (const char* slip : {"tiled", "divided-by-g", "first-head-for-all"})
    if (made(slip)) return repeated_with(Made{{slip}}, k, h);
  return solution::repeat_kv(k, h);
}

inline Tensor grouped_with(const Made& made, const Tensor& x, const Tensor& W_QKV, const Tensor& W,
                           std::size_t h, std::size_t g, const Tensor& mask) {
  const Tensor all = made("matrix-before-vectors") ? matmul(W_QKV, x) : matmul(x, W_QKV);
  const std::size_t d = x.length(-1), kv_heads = made("cut-with-n_heads") ? h : g;
  Heads p = cut_with(made, all, d, h, g);
  exchange(made, p);
  if (made("keys-for-values")) p.v = p.k;
  p = {solution::split_heads(scaled(made, p.q, d, h), h), split_by(made, p.k, kv_heads),
       split_by(made, p.v, kv_heads)};
  p.k = shared(made, p.k, h);
  p.v = shared(made, p.v, h);
  const Tensor z = merged_by(made, attend(made, p, mask)), W_O = made("W_O-transposed") ? transpose(W) : W;
  const Tensor y = made("no-W_O") ? z : matmul(z, W_O);
  return made("off-the-tape") ? Tensor(y.array()) : y;
}

inline const std::vector<grader::Slip> kSlipsOfGroupedAttention = with_attention(
    {{"cut-into-thirds",
      "You cut the fused product into three equal parts. That is right only where keys have as many "
      "heads as queries. The queries take d columns, keys and values g·d_head each.",
      kGrouped},
     {"cut-as-without-sharing",
      "You cut the keys at d … 2d and the values at 2d … 3d, as in section 4. That is right only where "
      "keys have as many heads as queries. Here keys and values have g·d_head columns each, behind the "
      "first d.",
      kGrouped},
     {"keys-first",
      "You cut the keys first, then the values, and the queries last. The columns of W_QKV are in the "
      "order of its name: queries, keys, values.",
      kGrouped},
     {"keys-queries-values",
      "You cut the keys first, then the queries. The columns of W_QKV are in the order of its name: "
      "queries, keys, values.",
      kGrouped},
     {"values-keys-queries",
      "You cut the values first, then the keys, and the queries last. The columns of W_QKV are in the "
      "order of its name: queries, keys, values.",
      kGrouped},
     {"head-width-forgotten",
      "You cut n_kv_heads columns for the keys, and as many for the values. Each of these heads has d_head "
      "columns: cut n_kv_heads · d_head.",
      kGrouped},
     {"cut-with-n_heads",
      "You cut keys and values into n_heads heads, so each is narrower than a query. They have "
      "n_kv_heads heads of the width d_head; repeat_kv makes n_heads of them afterwards.",
      kGrouped},
     {"not-repeated",
      "You did not repeat the heads of keys, or those of values, or both. A single one fits all heads "
      "of queries, since an axis of length 1 is broadcast, but 2 do not fit 4. Use repeat_kv for both.",
      kGrouped},
     {"tiled",
      "You put the whole group of key and value heads behind itself, 0 1 0 1. Query heads that share "
      "are neighbours: 0 0 1 1, as in repeat_kv.",
      kGrouped},
     {"head-by-head",
      "You read the columns group by group: the queries of a group, then its key, then its value. Some "
      "models store them so. Here all queries come first, then all keys, then all values.",
      kGrouped},
     {"first-head-for-all",
      "All your query heads read key and value head 0. Query head i uses head i / (h/g).", kGrouped},
     {"split-by-reshape",
      "You split keys and values by a reshape alone, so each head got some of the tokens with all "
      "columns. Use split_heads.",
      kReshape}});

inline std::vector<Mistake<Grouped>> of_grouped_attention() {
  return slips_of<Grouped>(grouped_with, kSlipsOfGroupedAttention);
}

}  // namespace mistakes

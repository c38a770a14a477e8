// What people write in the place of attention with grouped queries, and what is wrong with it.
#pragma once

#include "layer_mistakes.h"

namespace mistakes {

using Grouped = Tensor (*)(const Tensor& x, const Tensor& W_QKV, const Tensor& W_O, std::size_t h,
                           std::size_t g, const Tensor& mask);

// Queries, keys and values cut from the fused product, as heads.
struct Cut {
  Tensor q, k, v;  // (B,h,n,d_head), (B,g,n,d_head)
  Cut(const Tensor& x, const Tensor& W, std::size_t h, std::size_t g) {
    const Tensor all = matmul(x, W);
    const int d = length(x, -1), d_kv = d / int_of(h) * int_of(g);
    q = in_heads(slice(all, -1, 0, d), h);
    k = in_heads(slice(all, -1, d, d + d_kv), g);
    v = in_heads(slice(all, -1, d + d_kv), g);
  }
  Tensor z(std::size_t h, const Tensor& mask) const {
    return attend(q, solution::repeat_kv(k, h), solution::repeat_kv(v, h), mask);
  }
};

// Queries, keys and values cut after d and 2d columns, keys and values into this many heads.
inline Tensor cut_every_d(const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h,
                          const Tensor& mask, std::size_t kv_heads) {
  const Tensor all = matmul(x, W);
  const int d = length(x, -1);
  const Tensor q = in_heads(slice(all, -1, 0, d), h), k = in_heads(slice(all, -1, d, 2 * d), kv_heads),
               v = in_heads(slice(all, -1, 2 * d, 3 * d), kv_heads);
  return matmul(merged(attend(q, solution::repeat_kv(k, h), solution::repeat_kv(v, h), mask)), W_O);
}

inline const std::vector<Mistake<Grouped>> kOfGroupedAttention = {
    {"cut-into-thirds",
     "You cut the fused product into three equal parts. That is right only where keys have as many heads "
     "as queries. The queries take d columns, keys and values g·d_head each.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       const Tensor all = matmul(x, W);
       const int third = length(W, 1) / 3;
       const Tensor q = in_heads(slice(all, -1, 0, third), h),
                    k = in_heads(slice(all, -1, third, 2 * third), g),
                    v = in_heads(slice(all, -1, 2 * third), g);
       return matmul(merged(attend(q, solution::repeat_kv(k, h), solution::repeat_kv(v, h), mask)), W_O);
     }},
    {"cut-as-without-sharing",
     "You cut the keys at d … 2d and the values at 2d … 3d, as in section 4. That is right only where keys "
     "have as many heads as queries. Here keys and values have g·d_head columns each, behind the first d.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) { return cut_every_d(x, W, W_O, h, mask, g); }},
    {"cut-as-without-sharing-with-n_heads",
     "You cut the keys at d … 2d and the values at 2d … 3d, as in section 4, and both into n_heads heads. "
     "Here keys and values have g·d_head columns each, behind the first d, and n_kv_heads heads.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) { return cut_every_d(x, W, W_O, h, mask, h); }},
    {"cut-with-n_heads",
     "You cut keys and values into n_heads heads, so each is narrower than a query. They have n_kv_heads "
     "heads of the width d_head; repeat_kv makes n_heads of them afterwards.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       const Cut c(x, W, h, g);
       const Tensor k = in_heads(merged(c.k), h), v = in_heads(merged(c.v), h);
       return matmul(merged(attend(c.q, solution::repeat_kv(k, h), solution::repeat_kv(v, h), mask)), W_O);
     }},
    {"not-repeated",
     "You did not repeat the heads of keys, or those of values, or both. A single one fits all heads of "
     "queries, since an axis of length 1 is broadcast, but 2 do not fit 4. Use repeat_kv for both.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       const Cut c(x, W, h, g);
       return matmul(merged(attend(c.q, c.k, c.v, mask)), W_O);
     }},
    {"matrix-before-vectors",
     "You multiplied in the wrong order, as matmul(W, x). The tokens are the rows of x, so the product is "
     "matmul(x, W).",
     kSplit,
     [](const Tensor& x, const Tensor& W, const Tensor&, std::size_t, std::size_t, const Tensor&) {
       return matmul(W, x);
     }},
    {"tiled",
     "You put the whole group of key and value heads behind itself, 0 1 0 1. Query heads that share are "
     "neighbours: 0 0 1 1, as in repeat_kv.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       const Cut c(x, W, h, g);
       return matmul(
           merged(attend(c.q, kOfRepeatKv[0].function(c.k, h), kOfRepeatKv[0].function(c.v, h), mask)), W_O);
     }},
    {"keys-and-values-exchanged",
     "You took the values before the keys. The columns of W_QKV are in the order of its name: queries, "
     "keys, values.",
     kParameters,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       Cut c(x, W, h, g);
       std::swap(c.k, c.v);
       return matmul(merged(c.z(h, mask)), W_O);
     }},
    {"head-by-head",
     "You read the columns group by group: the queries of a group, then its key, then its value. Some "
     "models store them so. Here all queries come first, then all keys, then all values.",
     kParameters,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       const Tensor all = matmul(x, W);
       const int of_group = length(W, 1) / int_of(g), width = length(x, -1) / int_of(h),
                 own = of_group - 2 * width;
       std::vector<Tensor> q, k, v;
       for (int at = 0; at < length(W, 1); at += of_group) {
         q.push_back(slice(all, -1, at, at + own));
         k.push_back(slice(all, -1, at + own, at + own + width));
         v.push_back(slice(all, -1, at + own + width, at + of_group));
       }
       Cut c(x, W, h, g);
       c.q = in_heads(concat(q, -1), h), c.k = in_heads(concat(k, -1), g), c.v = in_heads(concat(v, -1), g);
       return matmul(merged(c.z(h, mask)), W_O);
     }},
    {"first-head-for-all",
     "All your query heads read key and value head 0. Query head i uses head i / (h/g).", kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       Cut c(x, W, h, g);
       c.k = slice(c.k, 1, 0, 1), c.v = slice(c.v, 1, 0, 1);
       return matmul(merged(c.z(h, mask)), W_O);
     }},
    {"no-W_O", "You returned the heads' results side by side. W_O is missing.", kSplit,
     [](const Tensor& x, const Tensor& W, const Tensor&, std::size_t h, std::size_t g, const Tensor& mask) {
       return merged(Cut(x, W, h, g).z(h, mask));
     }},
    {"mask-ignored", "You did not use the mask: every query looks at every key.", kSplit,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g, const Tensor&) {
       return matmul(merged(Cut(x, W, h, g).z(h, Tensor(1))), W_O);
     }},
    {"merged-by-reshape",
     "You merged the heads by a reshape alone. The axes of heads and tokens must be exchanged back first: "
     "use merge_heads.",
     kReshape,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) { return matmul(merged_wrong(Cut(x, W, h, g).z(h, mask)), W_O); }},
    {"scaled-twice",
     "You divided the queries by √d_head. The attention of lesson 7 divides the scores itself.", kSplit,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       Cut c(x, W, h, g);
       c.q = c.q / sqrt(Tensor(x.length(-1) / h));
       return matmul(merged(c.z(h, mask)), W_O);
     }},
    {"off-the-tape", kOffTheTape, kSplit,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) { return Tensor(solution::grouped_attention(x, W, W_O, h, g, mask).array()); }},
};

}  // namespace mistakes

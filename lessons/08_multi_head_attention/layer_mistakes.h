// What people write in the place of the two layers, and what is wrong with it.
#pragma once

#include "mistakes.h"
#include "multi_head.h"

namespace mistakes {

using Layer = Tensor (*)(const Tensor& x, const Tensor& source, const MultiHeadWeights& w, std::size_t h,
                         const Tensor& mask);

inline Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
  return solution::lesson_07::attention(q, k, v, mask);
}
inline Tensor split(const Tensor& x, std::size_t h) { return solution::split_heads(x, h); }
inline Tensor merged(const Tensor& z) { return solution::merge_heads(z); }

// The usual mistakes of the first two parts.
inline Tensor split_wrong(const Tensor& x, std::size_t h) { return kOfSplitHeads[0].function(x, h); }
inline Tensor merged_wrong(const Tensor& z) { return kOfMergeHeads[0].function(z); }

// Queries, keys and values before they are split.
struct Projected {
  Tensor q, k, v;  // (B,n,d), (B,m,d)
  Projected(const Tensor& x, const Tensor& source, const MultiHeadWeights& w)
      : q(matmul(x, w.W_Q)), k(matmul(source, w.W_K)), v(matmul(source, w.W_V)) {}
  Tensor z(std::size_t h, const Tensor& mask) const {
    return merged(attend(split(q, h), split(k, h), split(v, h), mask));
  }
};

inline const std::vector<Mistake<Layer>> kOfMultiHeadAttention = {
    {"no-W_O", "You returned the heads' results side by side. W_O is missing: it mixes what the heads found.",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       return Projected(x, s, w).z(h, mask);
     }},
    {"reshapes-only",
     "You split and merged the heads by reshapes alone. The two undo each other, so every shape is right, "
     "but between them each head saw some of the tokens with all columns. Use split_heads and merge_heads.",
     kReshape,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       const Projected p(x, s, w);
       return matmul(
           merged_wrong(attend(split_wrong(p.q, h), split_wrong(p.k, h), split_wrong(p.v, h), mask)), w.W_O);
     }},
    {"merged-by-reshape",
     "You split the heads well, but merged them by a reshape alone. The axes of heads and tokens must be "
     "exchanged back first: use merge_heads.",
     kReshape,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       const Projected p(x, s, w);
       return matmul(merged_wrong(attend(split(p.q, h), split(p.k, h), split(p.v, h), mask)), w.W_O);
     }},
    {"split-by-reshape",
     "You split the heads by a reshape alone, so each head got some of the tokens with all columns. Use "
     "split_heads.",
     kReshape,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       const Projected p(x, s, w);
       return matmul(merged(attend(split_wrong(p.q, h), split_wrong(p.k, h), split_wrong(p.v, h), mask)),
                     w.W_O);
     }},
    {"one-wide-head",
     "You attended before splitting. That is one head of width d, with one pattern. Split queries, keys "
     "and values first.",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t, const Tensor& mask) {
       const Projected p(x, s, w);
       return matmul(attend(p.q, p.k, p.v, mask), w.W_O);
     }},
    {"source-ignored",
     "You computed keys and values from x. They come from source; only in self-attention are the two the "
     "same.",
     kCross,
     [](const Tensor& x, const Tensor&, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       return matmul(Projected(x, x, w).z(h, mask), w.W_O);
     }},
    {"keys-from-x",
     "You computed the keys from x. Keys and values come from the same place, the source: a query finds a "
     "key there and reads the value beside it.",
     kCross,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       Projected p(x, s, w);
       p.k = matmul(x, w.W_K);
       return matmul(p.z(h, mask), w.W_O);
     }},
    {"cut-with-the-length-of-x",
     "You cut keys and values into heads with the number of tokens of x. They have as many rows as the "
     "source: take the length from the tensor that you cut, as split_heads does.",
     kCross,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       const Projected p(x, s, w);
       const auto cut = [&](const Tensor& y) {
         return permute(reshape(y, {length(x, 0), length(x, 1), int_of(h), -1}), {0, 2, 1, 3});
       };
       return matmul(merged(attend(cut(p.q), cut(p.k), cut(p.v), mask)), w.W_O);
     }},
    {"cut-with-the-length-of-x-and-d_head",
     "You cut keys and values into heads with the number of tokens of x. They have as many rows as the "
     "source: take the length from the tensor that you cut, as split_heads does.",
     kCross,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       const Projected p(x, s, w);
       const auto cut = [&](const Tensor& y) {
         return permute(reshape(y, {length(x, 0), length(x, 1), int_of(h), length(x, 2) / int_of(h)}),
                        {0, 2, 1, 3});
       };
       return matmul(merged(attend(cut(p.q), cut(p.k), cut(p.v), mask)), w.W_O);
     }},
    {"values-from-x",
     "You computed the values from x. Keys and values come from the same place, the source: a query finds "
     "a key there and reads the value beside it.",
     kCross,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       Projected p(x, s, w);
       p.v = matmul(x, w.W_V);
       return matmul(p.z(h, mask), w.W_O);
     }},
    {"x-and-source-exchanged",
     "You computed the queries from source, and keys and values from x. Who looks is x; what is looked at "
     "is the source.",
     kCross,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       return matmul(Projected(s, x, w).z(h, mask), w.W_O);
     }},
    {"mask-ignored", "You did not use the mask: every query looks at every key.", kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor&) {
       return matmul(Projected(x, s, w).z(h, Tensor(1)), w.W_O);
     }},
    {"mask-inverted", "You took the mask for its opposite. Here 1 means: may look.", kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       return matmul(Projected(x, s, w).z(h, 1 - mask), w.W_O);
     }},
    {"scaled-twice",
     "You divided the queries by √d_head. The attention of lesson 7 divides the scores itself, so they are "
     "too small now.",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       Projected p(x, s, w);
       p.q = p.q / sqrt(Tensor(x.length(-1) / h));
       return matmul(p.z(h, mask), w.W_O);
     }},
    {"scaled-by-the-width-of-the-layer",
     "Your scores are divided by √d. A head's queries and keys have d_head numbers, so it is √d_head.",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       Projected p(x, s, w);
       p.q = p.q / sqrt(Tensor(h));
       return matmul(p.z(h, mask), w.W_O);
     }},
    {"weights-transposed",
     "You multiplied by the transposed matrices. Some libraries store them as (out,in); here a matrix is "
     "(in,out), and the product is matmul(x, W).",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       const MultiHeadWeights t{transpose(w.W_Q), transpose(w.W_K), transpose(w.W_V), transpose(w.W_O)};
       return matmul(Projected(x, s, t).z(h, mask), t.W_O);
     }},
    {"matrix-before-vectors",
     "You multiplied in the wrong order, as matmul(W, x). The tokens are the rows of x, so the product is "
     "matmul(x, W).",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       const Tensor q = matmul(w.W_Q, x), k = matmul(w.W_K, s), v = matmul(w.W_V, s);
       return matmul(w.W_O, merged(attend(split(q, h), split(k, h), split(v, h), mask)));
     }},
    {"keys-for-values", "You used the keys as values. The values have a matrix of their own, W_V.", kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       Projected p(x, s, w);
       p.v = p.k;
       return matmul(p.z(h, mask), w.W_O);
     }},
    {"W_Q-for-keys", "You computed the keys with W_Q. They have a matrix of their own, W_K.", kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       Projected p(x, s, w);
       p.k = matmul(s, w.W_Q);
       return matmul(p.z(h, mask), w.W_O);
     }},
    {"tape-cut-before-W_O",
     "The numbers are right, but only W_O gets a gradient: before the last product you made a Tensor from "
     "the numbers of array(), and the tape ends there. Write every step with ops.",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       return matmul(Projected(x, s, w).z(h, mask).detach(), w.W_O);
     }},
    {"input-added", "You added x to the result. That sum belongs to the block around the layer (lesson 10).",
     kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       return x + matmul(Projected(x, s, w).z(h, mask), w.W_O);
     }},
    {"off-the-tape", kOffTheTape, kSplit,
     [](const Tensor& x, const Tensor& s, const MultiHeadWeights& w, std::size_t h, const Tensor& mask) {
       return Tensor(solution::multi_head_attention(x, s, w, h, mask).array());
     }},
};

using Grouped = Tensor (*)(const Tensor& x, const Tensor& W_QKV, const Tensor& W_O, std::size_t h,
                           std::size_t g, const Tensor& mask);

// Queries, keys and values cut from the fused product, as heads.
struct Cut {
  Tensor q, k, v;  // (B,h,n,d_head), (B,g,n,d_head)
  Cut(const Tensor& x, const Tensor& W, std::size_t h, std::size_t g) {
    const Tensor all = matmul(x, W);
    const int d = length(x, -1), d_kv = d / int_of(h) * int_of(g);
    q = split(slice(all, -1, 0, d), h);
    k = split(slice(all, -1, d, d + d_kv), g);
    v = split(slice(all, -1, d + d_kv), g);
  }
  Tensor z(std::size_t h, const Tensor& mask) const {
    return attend(q, solution::repeat_kv(k, h), solution::repeat_kv(v, h), mask);
  }
};

inline const std::vector<Mistake<Grouped>> kOfGroupedAttention = {
    {"cut-into-thirds",
     "You cut the fused product into three equal parts. That is right only where keys have as many heads "
     "as queries. The queries take d columns, keys and values g·d_head each.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       const Tensor all = matmul(x, W);
       const int third = length(W, 1) / 3;
       const Tensor q = split(slice(all, -1, 0, third), h), k = split(slice(all, -1, third, 2 * third), g),
                    v = split(slice(all, -1, 2 * third), g);
       return matmul(merged(attend(q, solution::repeat_kv(k, h), solution::repeat_kv(v, h), mask)), W_O);
     }},
    {"cut-with-n_heads",
     "You cut keys and values into n_heads heads, so each is narrower than a query. They have n_kv_heads "
     "heads of the width d_head; repeat_kv makes n_heads of them afterwards.",
     kGrouped,
     [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g,
        const Tensor& mask) {
       const Cut c(x, W, h, g);
       const Tensor k = split(merged(c.k), h), v = split(merged(c.v), h);
       return matmul(merged(attend(c.q, solution::repeat_kv(k, h), solution::repeat_kv(v, h), mask)), W_O);
     }},
    {"not-repeated",
     "You did not repeat the heads of keys and values. A single one fits all heads of queries, since an "
     "axis of length 1 is broadcast, but 2 do not fit 4. Use repeat_kv for both.",
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
       c.q = split(concat(q, -1), h), c.k = split(concat(k, -1), g), c.v = split(concat(v, -1), g);
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

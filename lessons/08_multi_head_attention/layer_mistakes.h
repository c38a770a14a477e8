// What people write in the place of the layer, and what is wrong with it.
#pragma once

#include "mistakes.h"
#include "multi_head.h"

namespace mistakes {

using Layer = Tensor (*)(const Tensor& x, const Tensor& source, const MultiHeadWeights& w, std::size_t h,
                         const Tensor& mask);

inline Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
  return solution::lesson_07::attention(q, k, v, mask);
}
inline Tensor in_heads(const Tensor& x, std::size_t h) { return solution::split_heads(x, h); }
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
    return merged(attend(in_heads(q, h), in_heads(k, h), in_heads(v, h), mask));
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
       return matmul(merged_wrong(attend(in_heads(p.q, h), in_heads(p.k, h), in_heads(p.v, h), mask)), w.W_O);
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
       return matmul(w.W_O, merged(attend(in_heads(q, h), in_heads(k, h), in_heads(v, h), mask)));
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

}  // namespace mistakes

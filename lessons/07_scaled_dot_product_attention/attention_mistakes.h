// What people write in the place of the parts about attention and its cost.
#pragma once

#include "softmax_mistakes.h"

namespace mistakes {

using Attention = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&);

inline const std::vector<Mistake<Attention>> kOfAttention = {
    {"no-scale", "You did not divide by √d_k. Then the scores grow with d_k, and softmax saturates.", kScale,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(right_softmax(products(q, k), mask), v);
     }},
    {"divided-by-d_k",
     "You divided by d_k. Perhaps you divided by √d_k once more than scaled_scores, which does it already.",
     kScale,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(right_softmax(products(q, k) / q.length(-1), mask), v);
     }},
    {"root-of-d_v",
     "You divided by √d_v, from the width of the values. The products are those of q and k: √d_k.", kScale,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(right_softmax(products(q, k) / root_of(v.length(-1)), mask), v);
     }},
    {"root-of-n", "You divided by √n, n the number of queries. What makes q·k large is d_k.", kScale,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(right_softmax(products(q, k) / root_of(q.length(-2)), mask), v);
     }},
    {"mask-after-softmax", kMaskAfter, kMasks,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(softmax(right_scores(q, k)) * mask, v);
     }},
    {"mask-ignored", "You did not use the mask.", kMasks,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor&) {
       return matmul(softmax(right_scores(q, k)), v);
     }},
    {"mask-inverted", kInverted, kMasks,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(right_softmax(right_scores(q, k), 1 - mask), v);
     }},
    {"scores-times-mask", kMultiplied, kMasks,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(softmax(right_scores(q, k) * mask), v);
     }},
    {"nan-in-hidden-rows", kAllHidden, kNowhere,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(by_the_book(filled(right_scores(q, k), mask, -kInfinity)), v);
     }},
    {"nan-removed-afterwards", kNanRemoved, kNowhere,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(without_nan(by_the_book(right_scores(q, k) + filled(0, mask, -kInfinity))), v);
     }},
    {"equal-weights-in-hidden-rows", kUniform, kNowhere,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(softmax(filled(right_scores(q, k), mask, -1e9)), v);
     }},
    {"over-columns",
     "You took the softmax down the columns, over the queries. A query shares its attention out among the "
     "keys: along the last axis.",
     kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(softmax(filled(right_scores(q, k), mask, -kInfinity), -2), v);
     }},
    {"no-softmax",
     "You multiplied the values by the scores. The weights of a row are positive and sum to 1: softmax "
     "first.",
     kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(right_scores(q, k) * mask, v);
     }},
    {"keys-for-values",
     "You took the weighted mean of the keys. The keys say where to look; what is read there is the values.",
     kLookup,
     [](const Tensor& q, const Tensor& k, const Tensor&, const Tensor& mask) {
       return matmul(right_softmax(right_scores(q, k), mask), k);
     }},
    {"queries-and-keys-exchanged",
     "You passed the keys where the queries belong: scaled_scores(k, q). Its rows are then keys. A row of "
     "the "
     "pattern belongs to a query, so the queries come first: scaled_scores(q, k).",
     kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(right_softmax(right_scores(k, q), mask), v);
     }},
    {"pattern-returned", "You returned the pattern. It is multiplied by the values: pattern · v.", kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor&, const Tensor& mask) {
       return right_softmax(right_scores(q, k), mask);
     }},
    {"pattern-transposed",
     "You transposed the pattern. Its row of query i holds that query's weights, and output i is that row "
     "times the values: pattern · v.",
     kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(transpose(right_softmax(right_scores(q, k), mask)), v);
     }},
    {"pattern-off-the-tape",
     "Your result is right and the gradients of q and k are 0: the tape does not know where the pattern is "
     "from. A Tensor made from an Array, or by detach(), is a constant.",
     kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return matmul(off_the_tape(right_softmax(right_scores(q, k), mask)), v);
     }},
    {"off-the-tape", kOffTheTape, kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
       return off_the_tape(matmul(right_softmax(right_scores(q, k), mask), v));
     }},
};

using MultiplyAdds = std::size_t (*)(std::size_t, std::size_t, std::size_t, std::size_t);

// How many pairs of a query and a key the causal mask allows.
inline std::size_t visible(std::size_t n, std::size_t m) { return n * (m - n) + n * (n + 1) / 2; }

inline const std::vector<Mistake<MultiplyAdds>> kOfMultiplyAdds = {
    {"all-keys",
     "You counted all n·m pairs of a query and a key. Those that the causal mask hides are skipped here.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) { return n * m * (d_k + d_v); }},
    {"half-of-all",
     "You counted half of n·m pairs. Each query also sees its own position, and with n < m far more than "
     "half is visible. Add up how many keys query 0, query 1 and so on see.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) { return n * m * (d_k + d_v) / 2; }},
    {"wrong-corner",
     "You counted n(n + 1)/2 pairs, as if query 0 saw one key. The queries are the last n of m positions: "
     "query 0 sees m - n + 1 keys.",
     kMasks,
     [](std::size_t n, std::size_t, std::size_t d_k, std::size_t d_v) {
       return n * (n + 1) / 2 * (d_k + d_v);
     }},
    {"not-itself",
     "You left out each query's own position. The causal mask lets a query look at itself: query 0 sees "
     "m - n + 1 keys.",
     kMasks,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return (visible(n, m) - n) * (d_k + d_v);
     }},
    {"one-ahead",
     "You let each query see one key too many. The last query sees m keys, and the first m - n + 1.", kMasks,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return (visible(n, m) + n) * (d_k + d_v);
     }},
    {"every-query-as-the-first",
     "You let every query see m - n + 1 keys. That is what the first one sees; each later one sees one more.",
     kMasks,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return n * (m - n + 1) * (d_k + d_v);
     }},
    {"hidden-keys", "You counted the pairs that the mask hides. The visible ones are computed.", kMasks,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return (n * m - visible(n, m)) * (d_k + d_v);
     }},
    {"scores-only", "You counted q kᵀ only. The second product, pattern · v, costs d_v more for each pair.",
     kCost, [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t) { return visible(n, m) * d_k; }},
    {"outputs-only", "You counted pattern · v only. The first product, q kᵀ, costs d_k more for each pair.",
     kCost, [](std::size_t n, std::size_t m, std::size_t, std::size_t d_v) { return visible(n, m) * d_v; }},
    {"scores-skipped-only",
     "You skipped hidden keys in q kᵀ only. Their weights are 0, so pattern · v skips them too.", kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return visible(n, m) * d_k + n * m * d_v;
     }},
    {"counted-twice",
     "You counted multiplications and additions apart. Here a multiplication with its addition is one.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return 2 * visible(n, m) * (d_k + d_v);
     }},
    {"values-as-wide-as-keys",
     "You took d_k for both products. The second product has the width of the values: d_k + d_v for each "
     "pair.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t) { return 2 * visible(n, m) * d_k; }},
    {"widths-multiplied",
     "You multiplied the costs of the two products. One follows the other, so they add up.", kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return visible(n, m) * d_k * d_v;
     }},
    {"in-32-bits",
     "You counted in an int. For long sequences the count does not fit into 32 bits: use std::size_t "
     "throughout.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return visible(n, m) * (d_k + d_v) % (std::size_t{1} << 32);
     }},
};

}  // namespace mistakes

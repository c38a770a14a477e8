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

inline const std::vector<Mistake<MultiplyAdds>> kOfMultiplyAdds = {
    {"scores-only", "You counted q kᵀ only. The second product, pattern · v, costs n·m·d_v more.", kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t) { return n * m * d_k; }},
    {"outputs-only", "You counted pattern · v only. The first product, q kᵀ, costs n·m·d_k more.", kCost,
     [](std::size_t n, std::size_t m, std::size_t, std::size_t d_v) { return n * m * d_v; }},
    {"counted-twice",
     "You counted multiplications and additions apart. Here a multiplication with its addition is one.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) { return 2 * n * m * (d_k + d_v); }},
    {"n-squared",
     "You wrote n² for the number of scores. There is one for each query and key: n·m. They are equal only "
     "when a sequence looks at itself.",
     kCost, [](std::size_t n, std::size_t, std::size_t d_k, std::size_t d_v) { return n * n * (d_k + d_v); }},
    {"m-squared", "You wrote m² for the number of scores. There is one for each query and key: n·m.", kCost,
     [](std::size_t, std::size_t m, std::size_t d_k, std::size_t d_v) { return m * m * (d_k + d_v); }},
    {"values-as-wide-as-keys",
     "You wrote 2·n·m·d_k. The second product has the width of the values, d_v: n·m·d_k + n·m·d_v.", kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t) { return 2 * n * m * d_k; }},
    {"widths-multiplied",
     "You multiplied the costs of the two products. One follows the other, so they add up.", kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) { return n * m * d_k * d_v; }},
    {"softmax-counted",
     "You counted the softmax or the scale too, with n·m. Only the two matrix products are asked for.", kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return n * m * (d_k + d_v) + n * m;
     }},
    {"results-counted",
     "You counted the numbers of scores and outputs. Each score is a sum of d_k products, and each number of "
     "the output a sum of m.",
     kCost, [](std::size_t n, std::size_t m, std::size_t, std::size_t d_v) { return n * m + n * d_v; }},
    {"outputs-of-one-query",
     "You counted the second product for one query only. pattern · v has n·d_v results, each a sum of m "
     "products: n·m·d_v.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) { return n * m * d_k + m * d_v; }},
    {"inputs-counted",
     "You counted the numbers of q, k and v. Each query meets each key: the counts multiply.", kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return n * d_k + m * d_k + m * d_v;
     }},
    {"in-32-bits",
     "You counted in an int. For long sequences the count does not fit into 32 bits: use std::size_t "
     "throughout.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
       return n * m * (d_k + d_v) % (std::size_t{1} << 32);
     }},
    {"half-for-the-mask",
     "You counted half, as if a causal mask saved the other half. Here it saves nothing: all scores are "
     "computed, and hidden afterwards.",
     kCost,
     [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) { return n * m * (d_k + d_v) / 2; }},
};

}  // namespace mistakes

// What people write in the place of the parts about softmax, attention and its cost.
#pragma once

#include "mistakes.h"

namespace mistakes {

using MaskedSoftmax = Tensor (*)(const Tensor&, const Tensor&);

inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }
inline Tensor row_max(const Tensor& x) { return max(x, {-1}, true); }

// scores, with `hidden` where the mask is 0.
inline Tensor filled(const Tensor& scores, const Tensor& mask, Real hidden) {
  return where(greater(mask, 0), scores, hidden);
}
// 1 for a sum that is 0.
inline Tensor divisor(const Tensor& total) { return where(equal(total, 0), 1, total); }

inline Tensor by_the_book(const Tensor& x) {
  const Tensor e = exp(x - row_max(x));
  return e / row_sum(e);
}

// 0 for NaN.
inline Tensor without_nan(const Tensor& x) { return where(equal(x, x), x, 0); }

inline Tensor right_softmax(const Tensor& scores, const Tensor& mask) {
  return softmax(filled(scores, mask, -kInfinity));
}

inline constexpr const char *
    kMaskAfter =
       "You masked after softmax. The weights of the hidden keys are gone, but they stood in the sum "
       "that the others were divided by: a row no longer sums to 1. Mask the scores, before softmax.",
   *kAllHidden =
       "In a row in which everything is hidden you get NaN: -∞ - (-∞), or 0/0. Such a row must be 0 "
       "throughout. See to it that the maximum is finite and the divisor is not 0.",
   *kNanRemoved =
       "Your result is right and your gradient is NaN. You add -∞, let NaN arise and put 0 in its place, but "
       "on "
       "the way back 0 · NaN is NaN again. Change what goes into the dangerous op, not what comes out of it: "
       "choose the scores with where, and a number that is finite.",
   *kUniform =
       "In a row in which everything is hidden you get equal weights: all scores are the same large negative "
       "number, and softmax sees only differences. Such a row reads the mean of just what is hidden. "
       "Multiply "
       "e^… by the mask.",
   *kMultiplied =
       "You multiplied the scores by the mask. A score of 0 is not hidden: it gets e^0 = 1 before "
       "the division. What hides a key is a score of -∞, or a factor 0 after e^x.",
   *kInverted = "You hid what the mask allows. 1 means \"may look\".",
   *kMaximumOverAll =
       "You took the softmax of all keys, multiplied by the mask and divided by the new sum. That is right "
       "in "
       "a book. But a hidden score that is larger by 1000 makes every visible e^x 0 before the division. "
       "Take "
       "the maximum over visible keys only.";

inline const std::vector<Mistake<MaskedSoftmax>> kOfMaskedSoftmax = {
    {"mask-after-softmax", kMaskAfter, kMasks,
     [](const Tensor& s, const Tensor& mask) { return softmax(s) * mask; }},
    {"mask-ignored", "You did not use the mask.", kMasks,
     [](const Tensor& s, const Tensor&) { return softmax(s); }},
    {"scores-times-mask", kMultiplied, kMasks,
     [](const Tensor& s, const Tensor& mask) { return softmax(s * mask); }},
    {"mask-inverted", kInverted, kMasks,
     [](const Tensor& s, const Tensor& mask) { return right_softmax(s, 1 - mask); }},
    {"nan-in-hidden-rows", kAllHidden, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return by_the_book(filled(s, mask, -kInfinity)); }},
    {"nan-removed-afterwards", kNanRemoved, kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       return without_nan(by_the_book(s + filled(0, mask, -kInfinity)));
     }},
    {"equal-weights-in-hidden-rows", kUniform, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return softmax(filled(s, mask, -1e9)); }},
    {"added-to-the-scores",
     "You added a large negative number to the hidden scores. In a row in which everything is hidden the "
     "number is added everywhere, and softmax sees only differences: the hidden keys get the weights that "
     "they would have without a mask. Such a row must be 0 throughout.",
     kNowhere, [](const Tensor& s, const Tensor& mask) { return softmax(s + (mask - 1) * 1e9); }},
    {"maximum-over-hidden-keys-too", kMaximumOverAll, kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = softmax(s) * mask;
       return e / divisor(row_sum(e));
     }},
    {"divided-again-without-care",
     "You masked after softmax and divided each row by its new sum. Where everything is hidden that sum is "
     "0, "
     "and 0/0 is NaN. The same happens when a hidden score is larger by 1000 than all visible ones.",
     kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = softmax(s) * mask;
       return e / row_sum(e);
     }},
    {"no-maximum",
     "You took e^x of the scores as they are. At a score of 1000 that is infinite. Subtract the largest "
     "visible score of the row first.",
     kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = exp(s) * mask;
       return e / divisor(row_sum(e));
     }},
    {"no-maximum-and-minus-infinity",
     "You took e^x of the scores as they are. At a score of 1000 that is infinite, and in a row in which "
     "everything is hidden the sum is 0. Subtract the largest visible score of the row, and never divide by "
     "0.",
     kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = exp(filled(s, mask, -kInfinity));
       return e / row_sum(e);
     }},
    {"one-maximum-for-all-rows",
     "You subtracted one maximum from all rows. In a row far below it every e^x is 0. Each row needs its "
     "own: "
     "max(x, {-1}, true).",
     kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor low = filled(s, mask, -1e30), e = mask * exp(low - max(low));
       return e / divisor(row_sum(e));
     }},
    {"one-sum-for-all-rows", "You divided by the sum of all rows. Each row sums to 1 for itself.", kAtOnce,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor low = filled(s, mask, -1e30), e = mask * exp(low - row_max(low));
       return e / divisor(sum(e));
     }},
    {"over-columns",
     "You took the softmax down the columns, over the queries. A query shares its attention out among the "
     "keys: along the last axis.",
     kAtOnce, [](const Tensor& s, const Tensor& mask) { return softmax(filled(s, mask, -kInfinity), -2); }},
    {"axis-1-for-the-last",
     "You used axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.", kAtOnce,
     [](const Tensor& s, const Tensor& mask) { return softmax(filled(s, mask, -kInfinity), 1); }},
    {"1e-6-in-the-sum",
     "You added a small number to the sum, so that it is never 0. All weights are a little too small then. "
     "Replace the sum only where it is 0.",
     kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor low = filled(s, mask, -1e30), e = mask * exp(low - row_max(low));
       return e / (row_sum(e) + 1e-6);
     }},
    {"off-the-tape", kOffTheTape, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return off_the_tape(right_softmax(s, mask)); }},
};

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
    {"pattern-returned", "You returned the pattern. It is multiplied by the values: pattern · v.", kAtOnce,
     [](const Tensor& q, const Tensor& k, const Tensor&, const Tensor& mask) {
       return right_softmax(right_scores(q, k), mask);
     }},
    {"pattern-transposed",
     "You transposed the pattern. Its row of query i holds that query's weights, and output i is that row "
     "times "
     "the values: pattern · v.",
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

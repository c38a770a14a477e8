// What people write in the place of the softmax over what a mask allows.
#pragma once

#include <cmath>

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

// e^… divided by its row sum, but by 1 where that is 0.
inline Tensor shared_out(const Tensor& e) { return e / divisor(row_sum(e)); }

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
       "You let NaN arise and put 0 in its place. The result may be right so, but the gradient is NaN: in "
       "the backward pass 0 · NaN is NaN again. Change what goes into the dangerous op, not what "
       "comes "
       "out of it: choose the scores with where, and a number that is finite.",
   *kUniform =
       "In a row in which everything is hidden you get equal weights: all scores are the same large "
       "negative number, and softmax sees only differences. Such a row reads the mean of just what is "
       "hidden. Multiply e^… by the mask.",
   *kMultiplied =
       "You gave hidden keys the score 0, by scores * mask or by where. A score of 0 is not hidden: it gets "
       "e^0 = 1 before the division. What hides a key is a score of -∞, or a factor 0 after e^x.",
   *kInverted = "You hid what the mask allows. 1 means \"may look\".",
   *kMaximumOverAll =
       "The maximum that you subtract is taken over hidden keys too. (So it is when softmax comes first, and "
       "the mask and a second division after it.) A hidden score that is larger by 1000 then makes every "
       "visible e^x 0. Give hidden keys a score below all others first: then the maximum is a visible one.",
   *kFilledTooHigh =
       "You gave hidden keys a score that is not below all others, such as 0, and took the maximum of each "
       "row. In a row whose visible scores lie near -1000 that 0 is the maximum, and every visible e^x is "
       "stored as 0. Fill with a number below every score, such as -1e30.",
   *kNoMaximum =
       "You took e^x of the scores as they are. At a score of 1000 that is infinite, and ∞/∞ is NaN; in a "
       "row near -1000 every e^x is stored as 0. Subtract the largest visible score of the row first: "
       "section 2 of lesson 5.",
   *kNoMaximumNoCare =
       "You took e^x of the scores as they are. At a score of 1000 that is infinite, and ∞/∞ is NaN. And "
       "where the row sum is 0 you divide by 0. Subtract the largest visible score of the row (section 2 of "
       "lesson 5), and never divide by 0.",
   *kTimesInfinity =
       "You multiplied ∞ by the mask, or by 1 minus the mask. Where the factor is 0 that is 0 · ∞, and so "
       "every visible score becomes NaN. Choose the scores with where.",
   *kOneMaximum =
       "You subtracted one maximum from all rows. In a row far below it every e^x is stored as 0. Each row "
       "needs its own, as section 2 of lesson 5 says: max(x, {-1}, true).",
   *kSmallNumber =
       "You added a small number to the row sum, so that it is never 0. All weights are a little too small "
       "then. Replace the sum only where it is 0.";

// The row sum with 10^exponent added.
template <int exponent>
Tensor raised_sum(const Tensor& s, const Tensor& mask) {
  const Tensor low = filled(s, mask, -1e30), e = mask * exp(low - row_max(low));
  return e / (row_sum(e) + std::pow(10.0, exponent));
}

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
    {"0-times-infinity", kTimesInfinity, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return by_the_book(s + (mask - 1) * kInfinity); }},
    {"0-times-infinity-in-softmax", kTimesInfinity, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return softmax(s + (mask - 1) * kInfinity); }},
    {"added-to-the-scores",
     "You added a large negative number to the hidden scores. In a row in which everything is hidden the "
     "number is added everywhere, and softmax sees only differences: the hidden keys get the weights that "
     "they would have without a mask. Such a row must be 0 throughout.",
     kNowhere, [](const Tensor& s, const Tensor& mask) { return softmax(s + (mask - 1) * 1e9); }},
    {"maximum-over-hidden-keys-too", kMaximumOverAll, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return shared_out(softmax(s) * mask); }},
    {"divided-again-without-care",
     "You masked after softmax and divided each row by its new sum. Where everything is hidden that sum is "
     "0, and 0/0 is NaN. The same happens when a hidden score is larger by 1000 than all visible ones.",
     kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = softmax(s) * mask;
       return e / row_sum(e);
     }},
    {"hidden-scores-too-high", kFilledTooHigh, kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor low = filled(s, mask, 0);
       return shared_out(mask * exp(low - row_max(low)));
     }},
    {"hidden-scores-too-high-and-divided-without-care",
     "Where everything is hidden, your row sum is 0, and 0/0 is NaN: divide by 1 there. Besides, you gave "
     "hidden keys a score that is not below all others, such as 0. In a row whose visible scores lie near "
     "-1000 it is the maximum, every visible e^x is stored as 0, and so is the sum: fill with -1e30.",
     kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor low = filled(s, mask, 0), e = mask * exp(low - row_max(low));
       return e / row_sum(e);
     }},
    {"no-maximum", kNoMaximum, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return shared_out(exp(s) * mask); }},
    {"no-maximum-and-positive-sums", kNoMaximum, kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = exp(s) * mask, total = row_sum(e);
       return e / where(greater(total, 0), total, 1);  // of a NaN, too, 1
     }},
    {"no-maximum-of-visible-scores", kNoMaximum, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return shared_out(exp(filled(s, mask, -kInfinity))); }},
    {"no-maximum-and-divided-without-care", kNoMaximumNoCare, kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = exp(s) * mask;
       return e / row_sum(e);
     }},
    {"no-maximum-and-minus-infinity", kNoMaximumNoCare, kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor e = exp(filled(s, mask, -kInfinity));
       return e / row_sum(e);
     }},
    {"one-maximum-for-all-rows", kOneMaximum, kNowhere,
     [](const Tensor& s, const Tensor& mask) {
       const Tensor low = filled(s, mask, -1e30);
       return shared_out(mask * exp(low - max(low)));
     }},
    {"one-maximum-of-hidden-scores-too",
     "You subtracted one maximum from all rows, and took it over hidden keys too. In a row far below it "
     "every e^x is stored as 0. Each row needs its own, that of its visible scores.",
     kNowhere, [](const Tensor& s, const Tensor& mask) { return shared_out(mask * exp(s - max(s))); }},
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
    {"1e-6-in-the-sum", kSmallNumber, kNowhere, raised_sum<-6>},
    {"1e-8-in-the-sum", kSmallNumber, kNowhere, raised_sum<-8>},
    {"1e-9-in-the-sum", kSmallNumber, kNowhere, raised_sum<-9>},
    {"1e-10-in-the-sum", kSmallNumber, kNowhere, raised_sum<-10>},
    {"off-the-tape", kOffTheTape, kNowhere,
     [](const Tensor& s, const Tensor& mask) { return off_the_tape(right_softmax(s, mask)); }},
};

}  // namespace mistakes

// What people write in the place of the softmax over what a mask allows.
#pragma once

#include "mistakes.h"

namespace mistakes {

using MaskedSoftmax = std::function<Tensor(const Tensor&, const Tensor&)>;

inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// scores, with `hidden` where the mask is 0.
inline Tensor filled(const Tensor& scores, const Tensor& mask, Real hidden) {
  return where(greater(mask, 0), scores, hidden);
}

// 0 for NaN.
inline Tensor without_nan(const Tensor& x) { return where(equal(x, x), x, 0); }

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
       "comes out of it: choose the scores with where, and a number that is finite.",
   *kUniform =
       "In a row in which everything is hidden you get equal weights: all scores are the same large "
       "negative number, and softmax sees only differences. Such a row reads the mean of just what is "
       "hidden. Multiply e^… by the mask.",
   *kAdded =
       "You added a large negative number to the hidden scores. In a row in which everything is "
       "hidden the number is added everywhere, and softmax sees only differences: the hidden "
       "keys get weights. Such a row must be 0 throughout.",
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
   *kTimesInfinity =
       "You multiplied ∞ by the mask, or by 1 minus the mask. Where the factor is 0 that is 0 · ∞, and so "
       "every visible score becomes NaN. Choose the scores with where.",
   *kOneMaximum =
       "You subtracted one maximum from all rows. In a row far below it every e^x is stored as 0. Each row "
       "needs its own, as section 2 of lesson 5 says: max(x, {-1}, true).",
   *kSmallNumber =
       "You added a small number to the row sum, so that it is never 0. All weights are a little too small "
       "then. Replace the sum only where it is 0.";

// The scores of which e^x is taken. The right ones of hidden keys are finite and below all others.
inline Tensor lowered(const Made& made, const Tensor& s, const Tensor& mask) {
  if (made("mask-ignored") || made("mask-after-softmax") || made("mask-in-the-sum-alone")) return s;
  if (made("scores-times-mask")) return s * mask;
  for (const auto& [name, number] : {std::pair{"0-times-infinity", kInfinity},
                                     {"1e4-added", 1e4},
                                     {"1e6-added", 1e6},
                                     {"1e9-added", 1e9},
                                     {"1e30-added", 1e30}})
    if (made(name)) return s + (mask - 1) * number;
  if (made("hidden-scores-too-high")) return filled(s, mask, 0);
  if (made("equal-weights-in-hidden-rows")) return filled(s, mask, -1e9);
  if (made("no-maximum") || made("no-maximum-and-positive-sums")) return s;
  if (made("where-exchanged")) return filled(s, 1 - mask, -1e30);
  if (made("hidden-scores-highest")) return filled(s, mask, 1e30);
  if (made("nan-by-adding") || (made("nan-removed-afterwards") && !made("one-maximum-for-all-rows")))
    return s + filled(0, mask, -kInfinity);
  return filled(s, mask, -1e30);
}

// Whether the mask stands beside e^x too.
inline bool is_factor(const Made& made) {
  for (const char* name :
       {"mask-ignored", "scores-times-mask", "0-times-infinity", "1e4-added", "1e6-added", "1e9-added",
        "1e30-added", "equal-weights-in-hidden-rows", "mask-after-softmax", "mask-in-the-sum-alone"})
    if (made(name)) return false;
  return true;
}

inline Tensor powers_of(const Made& made, const Tensor& s, const Tensor& low, int axis) {
  if (made("no-maximum") || made("no-maximum-of-visible-scores") || made("no-maximum-and-positive-sums"))
    return exp(low);
  const Tensor& all = made("maximum-over-hidden-keys-too") ? s : low;
  return exp(low -
             (made("one-maximum-for-all-rows") ? max(all) : max(all, {axis}, !made("maximum-lies-down"))));
}

inline Tensor sum_of(const Made& made, const Tensor& powers, int axis) {
  const Tensor total =
      made("one-sum-for-all-rows") ? sum(powers) : sum(powers, {axis}, !made("row-sum-lies-down"));
  for (const int exponent : {-6, -8, -9, -10})
    if (made(fmt::format("1e{}-in-the-sum", exponent))) return total + std::pow(10.0, exponent);
  if (made("nan-in-hidden-rows") || made("nan-by-adding") || made("nan-removed-afterwards")) return total;
  if (made("no-maximum-and-positive-sums")) return where(greater(total, 0), total, 1);  // 1 for NaN too
  return where(equal(total, 0), 1, total);
}

inline Tensor masked(const Made& made, const Tensor& s, const Tensor& of_mask) {
  const Tensor mask = made("mask-inverted") ? 1 - of_mask : of_mask;
  const int axis = made("over-columns") ? -2 : made("axis-1-for-the-last") ? 1 : -1;
  Tensor e = powers_of(made, s, lowered(made, s, mask), axis);
  if (is_factor(made)) e = mask * e;
  Tensor p = made("not-divided") ? e : e / sum_of(made, made("mask-in-the-sum-alone") ? mask * e : e, axis);
  if (made("nan-removed-afterwards")) p = without_nan(p);
  if (made("mask-after-softmax")) p = p * mask;
  return made("off-the-tape") ? off_the_tape(p) : p;
}

inline const std::vector<Slip> kSlipsOfMaskedSoftmax = {
    {"mask-after-softmax", kMaskAfter, kMasks},
    {"mask-in-the-sum-alone",
     "You masked the row sum, and not what is divided by it: hidden keys get weights. Multiply e^… by the "
     "mask first, then take its row sum.",
     kMasks},
    {"mask-ignored", "You did not use the mask.", kMasks},
    {"scores-times-mask", kMultiplied, kMasks},
    {"mask-inverted", kInverted, kMasks},
    {"nan-in-hidden-rows", kAllHidden, kNowhere},
    {"nan-removed-afterwards", kNanRemoved, kNowhere},
    {"equal-weights-in-hidden-rows", kUniform, kNowhere},
    {"0-times-infinity", kTimesInfinity, kNowhere},
    {"1e9-added", kAdded, kNowhere},
    {"1e30-added", kAdded, kNowhere},
    {"maximum-over-hidden-keys-too", kMaximumOverAll, kNowhere},
    {"hidden-scores-too-high", kFilledTooHigh, kNowhere},
    {"hidden-scores-highest",
     "You gave hidden keys a large positive score, so they are the maximum of the row and every visible "
     "e^x is stored as 0. The number is negative: -1e30.",
     kNowhere},
    {"where-exchanged",
     "You gave visible keys the low score and left the hidden ones theirs. where(condition, x, y) takes x "
     "where the condition holds: where(greater(mask, 0), scores, -1e30).",
     kMasks},
    {"no-maximum", kNoMaximum, kNowhere},
    {"no-maximum-of-visible-scores", kNoMaximum, kNowhere},
    {"one-maximum-for-all-rows", kOneMaximum, kNowhere},
    {"maximum-lies-down",
     "Your maxima lie in a row: without `true` max drops the axis, and the maximum of row i "
     "meets column i. Keep the axis: max(x, {-1}, true).",
     kAtOnce},
    {"row-sum-lies-down",
     "Your row sums lie in a row: without `true` sum drops the axis, and the sum of row i "
     "divides column i. Keep the axis: sum(x, {-1}, true).",
     kAtOnce},
    {"one-sum-for-all-rows", "You divided by the sum of all rows. Each row sums to 1 for itself.", kAtOnce},
    {"not-divided", "You returned e^x as it is. Divide each row by its sum, so that it sums to 1.", kAtOnce},
    {"over-columns",
     "You took the softmax down the columns, over the queries. A query shares its attention out among the "
     "keys: along the last axis.",
     kAtOnce},
    {"axis-1-for-the-last",
     "You used axis 1. That is the last axis of a matrix only; -1 is the last axis of any tensor.", kAtOnce},
    {"1e-6-in-the-sum", kSmallNumber, kNowhere},
    {"1e-8-in-the-sum", kSmallNumber, kNowhere},
    {"1e-9-in-the-sum", kSmallNumber, kNowhere},
    {"1e-10-in-the-sum", kSmallNumber, kNowhere},
    {"off-the-tape", kOffTheTape, kNowhere}};

inline std::vector<Mistake<MaskedSoftmax>> of_masked_softmax() {
  std::vector<Mistake<MaskedSoftmax>> bank = slips_of<MaskedSoftmax>(masked, kSlipsOfMaskedSoftmax);
  bank.push_back({"0-times-infinity-in-softmax", kTimesInfinity, kNowhere,
                  [](const Tensor& s, const Tensor& mask) { return softmax(s + (mask - 1) * kInfinity); }});
  // Others of these, which are not made together with any.
  for (const auto& [name, sentence] : {std::pair{"1e4-added", kAdded},
                                       {"1e6-added", kAdded},
                                       {"nan-by-adding", kAllHidden},
                                       {"no-maximum-and-positive-sums", kNoMaximum}})
    bank.push_back({name, sentence, kNowhere, std::bind_front(masked, Made{{name}})});
  return bank;
}

}  // namespace mistakes

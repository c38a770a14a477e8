// What people write in the place of the part about attention.
#pragma once

#include "softmax_mistakes.h"

namespace mistakes {

using Attention = std::function<Tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&)>;

// What the products of q and k are divided by.
inline double divisor_of(const Made& made, const Tensor& q, const Tensor& k, const Tensor& v) {
  return made("root-of-d_v") ? root_of(v.length(-1)) : divisor_of(made, q, k);
}

// The pattern of these scores. The library's softmax makes a row of -∞ 0.
inline Tensor pattern(const Made& made, const Tensor& s, const Tensor& of_mask) {
  const Tensor mask = made("mask-inverted")     ? 1 - of_mask
                      : made("mask-transposed") ? transpose(of_mask)
                                                : of_mask;
  const int axis = made("over-columns") ? -2 : -1;
  if (made("no-softmax")) return s * mask;
  if (made("mask-ignored")) return softmax(s, axis);
  if (made("mask-after-softmax")) return softmax(s, axis) * mask;
  if (made("scores-times-mask")) return softmax(s * mask, axis);
  if (made("added-to-the-scores")) return softmax(s + (mask - 1) * 1e9, axis);
  if (made("equal-weights-in-hidden-rows")) return softmax(filled(s, mask, -1e9), axis);
  if (made("nan-in-hidden-rows") || made("nan-by-adding") || made("nan-removed-afterwards"))
    return masked(made, s, of_mask);
  return softmax(filled(s, mask, -kInfinity), axis);
}

inline Tensor attended(const Made& made, const Tensor& q, const Tensor& k, const Tensor& v,
                       const Tensor& mask) {
  const double divisor = divisor_of(made, q, k, v);
  const Tensor rows = made("queries-and-keys-exchanged") || made("keys-for-queries") ? k : q;
  const Tensor columns = made("queries-and-keys-exchanged") || made("queries-for-keys") ? q
                         : made("values-for-keys")                                      ? v
                                                                                        : k;
  const bool late = made("pattern-scaled");
  const Tensor turned = made("not-transposed") ? columns : transpose(columns);
  Tensor p = pattern(made, matmul(rows, turned) / (late ? 1 : divisor), mask);
  if (made("softmax-twice")) p = softmax(p);
  if (made("pattern-scaled-too") || made("pattern-scaled")) p = p / divisor;
  if (made("pattern-off-the-tape")) p = off_the_tape(p);
  if (made("pattern-transposed")) p = transpose(p);
  if (made("pattern-returned")) return p;
  const Tensor z = made("values-first") ? matmul(v, p) : matmul(p, made("keys-for-values") ? k : v);
  return made("off-the-tape") ? off_the_tape(z) : z;
}

inline constexpr const char* kScaledLate =
    "You scaled behind the softmax. 1/√d_k belongs to the scores: there it keeps the softmax from "
    "saturating.";

inline const std::vector<Slip> kSlipsOfAttention = {
    {"no-scale", "You did not divide by √d_k. Then the scores grow with d_k, and softmax saturates.", kScale},
    {"divided-by-d_k",
     "You divided by d_k. Perhaps you divided by √d_k once more than scaled_scores, which does it "
     "already.",
     kScale},
    {"multiplied-by-the-root", "You multiplied by √d_k. The scores are too large as they are: divide.",
     kScale},
    {"root-of-d_v",
     "You divided by √d_v, from the width of the values. The products are those of q and k: √d_k.", kScale},
    {"root-of-n", "You divided by √n, n the number of queries. What makes q·k large is d_k.", kScale},
    {"root-of-m", "You divided by √m, m the number of keys. What makes q·k large is d_k.", kScale},
    {"pattern-scaled", kScaledLate, kScale},
    {"pattern-scaled-too",
     "You divided by √d_k behind the softmax too. The weights of a row sum to 1: only the scores are "
     "scaled.",
     kScale},
    {"mask-after-softmax", kMaskAfter, kMasks},
    {"mask-ignored", "You did not use the mask.", kMasks},
    {"mask-inverted", kInverted, kMasks},
    {"mask-transposed",
     "You transposed the mask. Its rows are the queries and its columns the keys, as in the scores.", kMasks},
    {"scores-times-mask", kMultiplied, kMasks},
    {"added-to-the-scores", kAdded, kNowhere},
    {"nan-in-hidden-rows", kAllHidden, kNowhere},
    {"nan-by-adding", kAllHidden, kNowhere},
    {"nan-removed-afterwards", kNanRemoved, kNowhere},
    {"equal-weights-in-hidden-rows", kUniform, kNowhere},
    {"over-columns",
     "You took the softmax down the columns, over the queries. A query shares its attention out among the "
     "keys: along the last axis.",
     kAtOnce},
    {"no-softmax",
     "You multiplied the values by the scores. The weights of a row are positive and sum to 1: softmax "
     "first.",
     kAtOnce},
    {"softmax-twice", "You took the softmax of the pattern, which is a softmax already.", kAtOnce},
    {"keys-for-values",
     "You took the weighted mean of the keys. The keys say where to look; what is read there is the "
     "values.",
     kLookup},
    {"values-for-keys",
     "You compared the queries with the values. The keys say where to look; the values are what is read "
     "there.",
     kLookup},
    {"queries-for-keys", "You compared the queries with each other. A query is compared with the keys.",
     kLookup},
    {"keys-for-queries", "You compared the keys with each other. A query is compared with the keys.",
     kLookup},
    {"queries-and-keys-exchanged",
     "You passed the keys where the queries belong: scaled_scores(k, q). Its rows are then keys. A row of "
     "the pattern belongs to a query, so the queries come first: scaled_scores(q, k).",
     kAtOnce},
    {"not-transposed",
     "You multiplied q by k as it is, or transposed k twice: scaled_scores transposes it already.", kAtOnce},
    {"pattern-returned", "You returned the pattern. It is multiplied by the values: pattern · v.", kAtOnce},
    {"pattern-transposed",
     "You transposed the pattern. Its row of query i holds that query's weights, and output i is that row "
     "times the values: pattern · v.",
     kAtOnce},
    {"values-first",
     "You wrote v · pattern. Row i of the pattern holds the weights of query i, and meets the columns of "
     "v: pattern · v.",
     kAtOnce},
    {"pattern-off-the-tape",
     "Your result is right and the gradients of q and k are 0: the tape does not know where "
     "the pattern is from. A Tensor made from an Array, or by detach(), is a constant.",
     kAtOnce},
    {"off-the-tape", kOffTheTape, kAtOnce}};

inline std::vector<Mistake<Attention>> of_attention() {
  return slips_of<Attention>(attended, kSlipsOfAttention);
}

}  // namespace mistakes

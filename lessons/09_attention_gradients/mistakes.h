// What people write in the place of parts 1 and 2, and what is wrong with it.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "attention_gradients.h"
#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;

inline constexpr const char *kValues = "Back to the values and the pattern",
                            *kSoftmax = "Back through the softmax", *kScores = "Back to queries and keys",
                            *kProjections = "Back through the projections", *kTiles = "Without the pattern";

using Two = std::pair<Tensor, Tensor>;
using ValuesBack = Two (*)(const Tensor&, const Tensor&, const Tensor&);
using SoftmaxBack = Tensor (*)(const Tensor&, const Tensor&, const Tensor&);

inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }
inline double root_of(std::size_t length) { return std::sqrt(static_cast<double>(length)); }
inline double root(const Tensor& x) { return root_of(x.length(-1)); }

// All axes in front of the last two added up.
inline Tensor of_all(Tensor x) {
  while (x.dim() > 2) x = sum(x, {0});
  return x;
}

inline Tensor right_dV(const Tensor& dZ, const Tensor& P) { return matmul(transpose(P), dZ); }
inline Tensor right_dP(const Tensor& dZ, const Tensor& V) { return matmul(dZ, transpose(V)); }

inline const std::vector<Mistake<ValuesBack>> kOfAttentionValuesBack = {
    {"pattern-not-transposed",
     "You wrote P dZ for dV. V[j,c] is used by every query i with the weight P[i,j], so column j of P meets "
     "column c of dZ: P must be transposed. Where n = m the shapes fit without it too.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{matmul(P, dZ), right_dP(dZ, V)};
     }},
    {"values-not-transposed",
     "You wrote dZ V for dP. P[i,j] is multiplied by row j of V, so row i of dZ meets row j of V: V must be "
     "transposed.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{right_dV(dZ, P), matmul(dZ, V)};
     }},
    {"nothing-transposed",
     "You transposed nothing. In the backward pass, the factor that is multiplied is transposed: Pᵀ for dV, "
     "Vᵀ "
     "for "
     "dP.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{matmul(P, dZ), matmul(dZ, V)};
     }},
    {"nothing-transposed-dP-first",
     "You transposed nothing: neither V in dP nor P in dV. dP is dZ Vᵀ, and dV is Pᵀ dZ.", kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       const Tensor dP = matmul(dZ, V);
       return Two{matmul(P, dZ), dP};
     }},
    {"exchanged", "You returned dP first. First dV, then dP.", kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{right_dP(dZ, V), right_dV(dZ, P)};
     }},
    {"dV-from-dP",
     "You made dV of dP. V meets the weights P themselves in the forward pass, so P stands in dV: Pᵀ dZ.",
     kValues,
     [](const Tensor& dZ, const Tensor&, const Tensor& V) {
       return Two{right_dV(dZ, right_dP(dZ, V)), right_dP(dZ, V)};
     }},
    {"times-P",
     "You multiplied dP by P. That factor belongs to the softmax, the next step. Here the slope of Z by P is "
     "V "
     "alone.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{right_dV(dZ, P), P * right_dP(dZ, V)};
     }},
    {"transposed-result",
     "Your dV is transposed, of shape (…,d_v,m). A cotangent has the shape of what it belongs to: write Pᵀ "
     "dZ "
     "instead of dZᵀ P.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{matmul(transpose(dZ), P), right_dP(dZ, V)};
     }},
    {"first-two-axes",
     "You exchanged axes 0 and 1. With axes for batch and heads in front, a matrix lies in the last two: "
     "transpose(x) without numbers exchanges these.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{matmul(transpose(P, 0, 1), dZ), matmul(dZ, transpose(V, 0, 1))};
     }},
    {"mean-over-queries",
     "You divided dV by the number of queries. All queries read the same V, so what comes back from them "
     "adds "
     "up.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{right_dV(dZ, P) / dZ.length(-2), right_dP(dZ, V)};
     }},
    {"added-over-heads",
     "You added up the axes in front. Each head of each sequence has values of its own, so nothing is added "
     "here: only weights are shared.",
     kValues,
     [](const Tensor& dZ, const Tensor& P, const Tensor& V) {
       return Two{of_all(right_dV(dZ, P)), right_dP(dZ, V)};
     }},
};

inline Tensor pattern(const Tensor& S, const Tensor& mask) {
  return softmax(masked_fill(S, equal(mask, 0), -INFINITY));
}
inline Tensor back(const Tensor& P, const Tensor& dP) { return P * (dP - row_sum(P * dP)); }

inline const std::vector<Mistake<SoftmaxBack>> kOfSoftmaxScoresBack = {
    {"no-row-sum",
     "You left out the row-sum term: P ⊙ dP alone. A score that rises takes weight from all other keys of "
     "its "
     "row, and the row sum of P ⊙ dP is what that costs.",
     kSoftmax, [](const Tensor& dP, const Tensor& S, const Tensor& mask) { return pattern(S, mask) * dP; }},
    {"mask-forgotten",
     "You computed P without the mask. A key that the query must not see then has a weight, and takes part "
     "of "
     "the gradient. Put -∞ at hidden keys before the softmax, as in the forward pass.",
     kSoftmax, [](const Tensor& dP, const Tensor& S, const Tensor&) { return back(softmax(S), dP); }},
    {"mask-after-the-softmax",
     "You multiplied the softmax by the mask. Then the weights of a row no longer add up to 1. The mask "
     "belongs before the softmax, as -∞.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) { return back(softmax(S) * mask, dP); }},
    {"scores-times-mask",
     "You multiplied the scores by the mask. A hidden key then has the score 0, and e^0 = 1 gives it a "
     "weight. "
     "Hidden keys need the score -∞.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) { return back(softmax(S * mask), dP); }},
    {"mask-times-brackets",
     "You put the mask in the place of the P in front of the brackets. The mask has done its work when P is "
     "computed with -∞; in front of the brackets stands P itself.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       return mask * (dP - row_sum(pattern(S, mask) * dP));
     }},
    {"mask-on-dS-only",
     "You computed everything without the mask and set dS to 0 where it hides a key. The weights of the "
     "other "
     "keys are wrong then, since the hidden ones took a part of the sum.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) { return back(softmax(S), dP) * mask; }},
    {"mask-inverted", "You hid the keys that may be seen. In the mask 1 means: may look.", kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) { return back(pattern(S, 1 - mask), dP); }},
    {"large-number-for-infinity",
     "You put a large negative number at hidden keys instead of -∞. For a query that sees no key, all scores "
     "are then equally low, and softmax gives each hidden key a weight. It must be 0.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       return back(softmax(masked_fill(S, equal(mask, 0), -1e9)), dP);
     }},
    {"large-number-added",
     "You subtracted a large number from the scores of hidden keys. For a query that sees no key the "
     "differences between its scores remain, and hidden keys get weights. They must be 0: use -∞.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       return back(softmax(S - (1 - mask) * 1e9), dP);
     }},
    {"zero-over-zero",
     "You divided by the row's sum of powers, which is 0 for a query that sees no key. 0/0 is NaN. softmax() "
     "of "
     "a row of -∞ gives zeros.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor powers = exp(S) * mask;
       return back(powers / row_sum(powers), dP);
     }},
    {"infinite-where-hidden",
     "You put -∞ into dS where a key is hidden. -∞ is a score that gives the weight 0. The gradient of that "
     "score is 0.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       return masked_fill(back(pattern(S, mask), dP), equal(mask, 0), -INFINITY);
     }},
    {"plain-sum",
     "You subtracted the sum of dP. The row-sum term is weighted: each dP counts as much as its weight in P.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       return pattern(S, mask) * (dP - row_sum(dP));
     }},
    {"plain-mean", "You subtracted the plain mean of dP. The mean is weighted with P: the row sum of P ⊙ dP.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       return pattern(S, mask) * (dP - mean(dP, {-1}, true));
     }},
    {"over-columns",
     "You summed P ⊙ dP down the columns, over the queries. A softmax is a row, so the sum is over the keys: "
     "axis -1.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (dP - sum(P * dP, {-2}, true));
     }},
    {"axis-1-for-the-last",
     "You summed over axis 1. That is the last axis of a matrix only; with batch and heads in front use -1.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (dP - sum(P * dP, {1}, true));
     }},
    {"axis-0-for-the-last",
     "You summed over axis 0. Each row is a softmax of its own, so the sum is over the keys: "
     "axis -1.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (dP - sum(P * dP, {0}, true));
     }},
    {"one-sum-for-all-rows",
     "You summed P ⊙ dP over all rows at once. Each query has a softmax of its own, and a row sum of its "
     "own.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (dP - sum(P * dP));
     }},
    {"row-sum-lies-down",
     "You summed without keeping the axis. The sums then stand in a row, and broadcasting subtracts the sum "
     "of "
     "query j from column j. Keep the axis: sum(x, {-1}, true).",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (dP - sum(P * dP, {-1}));
     }},
    {"P-twice", "You multiplied dP by P inside the bracket as well. P stands in front of the bracket, once.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (P * dP - row_sum(P * dP));
     }},
    {"no-brackets",
     "You wrote P ⊙ dP - rowsum without brackets, so only dP is multiplied by P. The row sum is subtracted "
     "from "
     "dP first, and P multiplies the difference: P * (dP - ...).",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * dP - row_sum(P * dP);
     }},
    {"no-brackets-P-behind",
     "You wrote dP - rowsum ⊙ P without brackets, so only the row sum is multiplied by P. It is subtracted "
     "from "
     "dP first, and P multiplies the difference: (dP - rowsum) ⊙ P.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return dP - row_sum(P * dP) * P;
     }},
    {"no-P-in-front",
     "You left out the factor P in front. How fast a weight moves with its score is in proportion to that "
     "weight.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       return dP - row_sum(pattern(S, mask) * dP);
     }},
    {"own-weight-only",
     "You used P (1 - P), the slope of a weight by its own score. A score moves the other weights of the row "
     "too, each at the rate of minus the product of the two weights.",
     kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (1 - P) * dP;
     }},
    {"plus-for-minus", "You added the row-sum term. What the other keys lose is subtracted.", kSoftmax,
     [](const Tensor& dP, const Tensor& S, const Tensor& mask) {
       const Tensor P = pattern(S, mask);
       return P * (dP + row_sum(P * dP));
     }},
};

}  // namespace mistakes

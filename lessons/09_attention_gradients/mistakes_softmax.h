// What people write in the place of the backward pass of a softmax, in parts 2, 5 and 6.
#pragma once

#include "mistakes.h"

namespace mistakes {

// The row sums of P ⊙ dP. `made` may be any function of a mistake's name.
template <class IsMade>
Tensor row_sums_of(const IsMade& made, const Tensor& P, const Tensor& dP) {
  return made("plain-sum")              ? row_sum(dP)
         : made("row-mean")             ? mean(P * dP, {-1}, true)
         : made("over-columns")         ? sum(P * dP, {-2}, true)
         : made("one-sum-for-all-rows") ? sum(P * dP)
         : made("row-sum-lies-down")    ? sum(P * dP, {-1})
                                        : row_sum(P * dP);
}

inline const std::vector<Slip> kSlipsOfRowSums = {
    {"plain-sum",
     "You took the sum of dP. The row-sum term is weighted: each dP counts as much as its weight in P.",
     kSoftmax},
    {"row-mean",
     "You took the mean of P ⊙ dP. The row-sum term is a sum: the weights in P make a mean of it already.",
     kSoftmax},
    {"over-columns",
     "You summed P ⊙ dP down the columns, over the queries. A softmax is a row, so the sum is over the "
     "keys: axis -1.",
     kSoftmax},
    {"one-sum-for-all-rows",
     "You summed P ⊙ dP over all rows at once. Each query has a softmax of its own, and a row sum of its "
     "own.",
     kSoftmax},
    {"row-sum-lies-down",
     "You summed without keeping the axis. The sums then stand in a row, and broadcasting subtracts the "
     "sum of query j from column j, or fails. Keep the axis: sum(x, {-1}, true).",
     kSoftmax}};

// dS of these row sums.
inline Tensor through_softmax(const Made& made, const Tensor& P, const Tensor& dP, Tensor sums) {
  if (made("no-row-sum")) sums = Tensor(0);
  if (made("plus-for-minus")) sums = -sums;
  const Tensor dS = made("own-weight-only") ? P * (1 - P) * dP
                    : made("no-brackets")   ? P * dP - sums
                    : made("no-P-in-front") ? dP - sums
                                            : P * (dP - sums);
  return made("P-twice") ? P * dS : dS;
}

inline const std::vector<Slip> kSlipsOfSoftmax = {
    {"no-row-sum",
     "You left the row-sum term out of dS. A score that rises takes weight from all other keys of its "
     "row, and the row sum of P ⊙ dP is what that costs.",
     kSoftmax},
    {"plus-for-minus", "You added the row-sum term. What the other keys lose is subtracted.", kSoftmax},
    {"no-brackets",
     "You wrote P ⊙ dP - rowsum without brackets, so only dP is multiplied by P. The row sum is "
     "subtracted from dP first, and P multiplies the difference.",
     kSoftmax},
    {"no-P-in-front",
     "You left out the factor P in front. How fast a weight moves with its score is in proportion to "
     "that weight.",
     kSoftmax},
    {"P-twice", "You multiplied dS by P twice. P stands in front of the bracket, once.", kSoftmax},
    {"own-weight-only",
     "You used P (1 - P), the slope of a weight by its own score. A score moves the other weights of the "
     "row too, each at the rate of minus the product of the two weights.",
     kSoftmax}};

inline std::vector<Slip> together(std::vector<Slip> all, const std::vector<Slip>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace mistakes

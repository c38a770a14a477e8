// What people write in the place of part 2.
#pragma once

#include <algorithm>
#include <string>

#include "mistakes.h"

namespace mistakes {

using Sink = std::function<SinkGradients(const Tensor&, const Tensor&, const Tensor&, const Tensor&)>;

// e^S of the keys that may be seen.
inline Tensor powers_of(const Made& made, const Tensor& S, const Tensor& of_mask) {
  const Tensor mask = made("mask-inverted") ? 1 - of_mask : of_mask;
  if (made("scores-times-mask")) return exp(S * mask);
  if (made("mask-forgotten") || made("mask-after-the-division")) return exp(S);
  return exp(masked_fill(S, equal(mask, 0), -INFINITY));
}

// The row sums of P ⊙ dP. A mistake in these is in both gradients, unless its name says otherwise.
inline Tensor row_sums_of(const Made& made, const Tensor& P, const Tensor& dP, bool in_dS) {
  const auto is = [&](const std::string& name) { return made(name) || (in_dS && made(name + "-in-dS")); };
  if (is("plain-sum")) return row_sum(dP);
  if (is("mean-of-the-keys-alone")) return row_sum(P * dP) / (row_sum(P) + 1e-300);
  if (is("over-columns")) return sum(P * dP, {-2}, true);
  if (is("one-sum-for-all-rows")) return sum(P * dP);
  if (is("row-sum-lies-down")) return sum(P * dP, {-1});
  return row_sum(P * dP);
}

inline Tensor dS_of(const Made& made, const Tensor& P, const Tensor& dP) {
  const Tensor sums = row_sums_of(made, P, dP, true), cost = made("plus-for-minus") ? -sums : sums;
  const Tensor dS = made("own-weight-only") ? P * (1 - P) * dP
                    : made("no-row-sum")    ? P * dP
                    : made("no-brackets")   ? P * dP - cost
                    : made("no-P-in-front") ? dP - cost
                                            : P * (dP - cost);
  return made("P-twice") ? P * dS : dS;
}

inline SinkGradients sinking(const Made& made, const Tensor& dP, const Tensor& S, const Tensor& mask,
                             const Tensor& sink) {
  const Tensor powers = powers_of(made, S, mask);
  const Tensor power = made("sink-without-its-power") ? sink : exp(made("minus-the-sink") ? -sink : sink);
  const Tensor all = made("sink-in-no-sum") ? row_sum(powers) : power + row_sum(powers);
  Tensor P = powers / (made("sink-not-in-P") ? row_sum(powers) + 1e-300 : all);
  if (made("mask-after-the-division")) P = P * mask;
  const Tensor weight = made("weight-of-the-sink-left-out")        ? Tensor(1)
                        : made("power-for-the-weight-of-the-sink") ? power
                        : made("weight-of-the-keys-for-the-sink")  ? row_sum(P)
                                                                   : power / all;
  const Tensor taken = weight * row_sums_of(made, P, dP, false),
               of_rows = made("sign-of-the-sink") ? taken : -taken;
  return {dS_of(made, P, dP), made("no-gradient-of-the-sink") ? zeros({})
                              : made("a-sink-for-each-row")   ? of_rows
                              : made("mean-over-the-rows")    ? mean(of_rows)
                                                              : sum(of_rows)};
}

inline std::vector<Mistake<Sink>> of_sink_scores_back() {
  std::vector<Mistake<Sink>> bank = slips_of<Sink>(
      sinking,
      {{"no-row-sum",
        "You left the row-sum term out of dS. A score that rises takes weight from all other keys of its "
        "row, and the row sum of P ⊙ dP is what that costs.",
        kSoftmax},
       {"sink-not-in-P",
        "Your P is the softmax of the keys alone. The sink's power e^sink belongs to the sum by which each "
        "row is divided.",
        kSoftmax},
       {"sink-without-its-power",
        "You added the sink itself to the powers of e. It is a score: its power is e^sink.", kSoftmax},
       {"sink-in-no-sum",
        "The sum that you divide by lacks the power of the sink, e^sink. It belongs to the sum of each row, "
        "for the weights of the keys and for that of the sink.",
        kSoftmax},
       {"minus-the-sink", "You took e^-sink. The power of a score is e to that score: e^sink.", kSoftmax},
       {"sign-of-the-sink",
        "Your dsink has the wrong sign. When the sink's score rises, the weights of all keys fall.",
        kSoftmax},
       {"weight-of-the-sink-left-out",
        "You left the weight of the sink out of dsink. How fast a row gives weight to the sink is in "
        "proportion to the weight that the sink has there.",
        kSoftmax},
       {"weight-of-the-keys-for-the-sink",
        "You multiplied by the weight of the keys in dsink. How fast a row gives weight to the sink is in "
        "proportion to the weight of the sink.",
        kSoftmax},
       {"no-gradient-of-the-sink",
        "Your dsink is 0. The sink has no value, but it takes weight from the keys, and their values reach "
        "the loss.",
        kSoftmax},
       {"power-for-the-weight-of-the-sink",
        "You multiplied by e^sink in dsink. The weight of the sink is e^sink divided by the sum of its row.",
        kSoftmax},
       {"a-sink-for-each-row",
        "Your dsink has a number for each row. One sink serves all rows, so what comes back from them adds "
        "up.",
        kProjections},
       {"mean-over-the-rows", "You took the mean over the rows for dsink. All rows use the one sink: add up.",
        kProjections},
       {"mask-forgotten",
        "You computed P without the mask. A key that the query must not see then has a weight, and takes "
        "part of the gradient. Put -∞ at hidden keys before the powers of e.",
        kSoftmax},
       {"mask-after-the-division",
        "You set weights to 0 by the mask after the division. The powers of hidden keys are then still in "
        "the sum.",
        kSoftmax},
       {"scores-times-mask",
        "You multiplied the scores by the mask. A hidden key then has the score 0, and e^0 = 1 gives it a "
        "weight. Hidden keys need the score -∞.",
        kSoftmax},
       {"mask-inverted", "You hid the keys that may be seen. In the mask 1 means: may look.", kSoftmax},
       {"plain-sum",
        "You subtracted the sum of dP. The row-sum term is weighted: each dP counts as much as its weight in "
        "P.",
        kSoftmax},
       {"mean-of-the-keys-alone",
        "You divided the row sum of P ⊙ dP by the sum of the weights. The sink counts in this mean too, with "
        "a dP of 0, and with the sink the weights add up to 1.",
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
        "sum of query j from column j. Keep the axis: sum(x, {-1}, true).",
        kSoftmax},
       {"P-twice", "You multiplied dS by P twice. P stands in front of the bracket, once.", kSoftmax},
       {"no-brackets",
        "You wrote P ⊙ dP - rowsum without brackets, so only dP is multiplied by P. The row sum is "
        "subtracted from dP first, and P multiplies the difference.",
        kSoftmax},
       {"no-P-in-front",
        "You left out the factor P in front. How fast a weight moves with its score is in proportion to that "
        "weight.",
        kSoftmax},
       {"own-weight-only",
        "You used P (1 - P), the slope of a weight by its own score. A score moves the other weights of the "
        "row too, each at the rate of minus the product of the two weights.",
        kSoftmax},
       {"plus-for-minus", "You added the row-sum term. What the other keys lose is subtracted.", kSoftmax}});
  // In dS alone. Together with a mistake in dsink, the grader finds these without a pair.
  for (const char* both :
       {"plain-sum", "mean-of-the-keys-alone", "over-columns", "one-sum-for-all-rows", "row-sum-lies-down"}) {
    const auto of_both = *std::ranges::find(bank, both, &Mistake<Sink>::name);
    const std::string name = of_both.name + "-in-dS";
    bank.push_back({name, of_both.sentence, kSoftmax, std::bind_front(sinking, Made{{name}})});
  }
  return bank;
}

}  // namespace mistakes

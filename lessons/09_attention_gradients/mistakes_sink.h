// What people write in the place of part 2.
#pragma once

#include <algorithm>
#include <string>

#include "mistakes_softmax.h"

namespace mistakes {

using Sink = std::function<SinkGradients(const Tensor&, const Tensor&, const Tensor&, const Tensor&)>;

// e^S of the keys that may be seen.
inline Tensor powers_of(const Made& made, const Tensor& S, const Tensor& of_mask) {
  const Tensor mask = made("mask-inverted") ? 1 - of_mask : of_mask;
  if (made("scores-times-mask")) return exp(S * mask);
  if (made("mask-forgotten") || made("mask-after-the-division")) return exp(S);
  return exp(masked_fill(S, equal(mask, 0), -INFINITY));
}

inline Tensor power_of(const Made& made, const Tensor& sink, const std::string& gradient) {
  if (made("sink-without-its-power") || made("sink-without-its-power-in-" + gradient)) return sink;
  return exp(made("minus-the-sink") ? -sink : sink);
}

// The row sums of P ⊙ dP for a gradient. A mistake in these is in both, unless its name says otherwise.
inline Tensor sums_of(const Made& made, const Tensor& P, const Tensor& dP, const std::string& gradient) {
  const auto is = [&](const std::string& name) { return made(name) || made(name + "-in-" + gradient); };
  return is("mean-of-the-keys-alone") ? row_sum(P * dP) / (row_sum(P) + 1e-300) : row_sums_of(is, P, dP);
}

inline SinkGradients sinking(const Made& made, const Tensor& dP, Tensor S, const Tensor& mask,
                             const Tensor& sink) {
  if (made("maximum-without-the-sink")) S = S - max(masked_fill(S, equal(mask, 0), -INFINITY), {-1}, true);
  const Tensor powers = powers_of(made, S, mask), keys = row_sum(powers),
               power = power_of(made, sink, "dsink"),
               all = made("sink-in-no-sum") ? keys : power_of(made, sink, "P") + keys;
  Tensor P = powers / (made("sink-not-in-P") ? keys + 1e-300 : all);
  if (made("mask-after-the-division")) P = P * mask;
  const Tensor share = power / (made("sum-of-the-keys-in-dsink") ? keys : all);
  const Tensor weight = made("weight-of-the-sink-left-out")        ? Tensor(1)
                        : made("power-for-the-weight-of-the-sink") ? power
                        : made("weight-of-the-keys-for-the-sink")  ? row_sum(P)
                        : made("own-weight-in-dsink")              ? share * (1 - share)
                                                                   : share;
  const Tensor taken = weight * sums_of(made, P, dP, "dsink"),
               of_rows = made("sign-of-the-sink") ? taken : -taken;
  return {through_softmax(made, P, dP, sums_of(made, P, dP, "dS")),
          made("no-gradient-of-the-sink") ? zeros({})
          : made("a-sink-for-each-row")   ? of_rows
          : made("mean-over-the-rows")    ? mean(of_rows)
                                          : sum(of_rows)};
}

inline const std::vector<Slip> kSlipsOfSinkScoresBack = {
    {"sink-not-in-P",
     "Your P is the softmax of the keys alone. The sink's power e^sink belongs to the sum by "
     "which each row is divided.",
     kSoftmax},
    {"sink-without-its-power",
     "You added the sink itself to the powers of e. It is a score: its power is e^sink.", kSoftmax},
    {"sink-without-its-power-in-dsink",
     "You took the sink itself for its weight in dsink. It is a score: its weight is e^sink divided "
     "by the sum of the row.",
     kSoftmax},
    {"sink-without-its-power-in-P",
     "You added the sink itself to the powers of e in P. It is a score: its power is e^sink.", kSoftmax},
    {"maximum-without-the-sink",
     "You subtracted the maximum of the row from the scores, and not from the sink. The sink is a "
     "score too: what is subtracted from one is subtracted from all.",
     kSoftmax},
    {"sink-in-no-sum",
     "The sum that you divide by lacks the power of the sink, e^sink. It belongs to the sum of "
     "each row, for the weights of the keys and for that of the sink.",
     kSoftmax},
    {"minus-the-sink", "You took e^-sink. The power of a score is e to that score: e^sink.", kSoftmax},
    {"sign-of-the-sink",
     "Your dsink has the wrong sign. When the sink's score rises, the weights of all keys fall.", kSoftmax},
    {"weight-of-the-sink-left-out",
     "You left the weight of the sink out of dsink. How fast a row gives weight to the sink is in "
     "proportion to the weight that the sink has there.",
     kSoftmax},
    {"own-weight-in-dsink",
     "You used the slope of the sink's weight by its own score. The sink has no value, so its own "
     "weight does not reach the loss. What it takes from the keys does.",
     kSoftmax},
    {"sum-of-the-keys-in-dsink",
     "You divided e^sink by the sum of the keys in dsink. The sum of a row has the power of the sink "
     "too.",
     kSoftmax},
    {"weight-of-the-keys-for-the-sink",
     "You multiplied by the weight of the keys in dsink. How fast a row gives weight to the "
     "sink is in proportion to the weight of the sink.",
     kSoftmax},
    {"no-gradient-of-the-sink",
     "Your dsink is 0. The sink has no value, but it takes weight from the keys, and their "
     "values reach the loss.",
     kSoftmax},
    {"power-for-the-weight-of-the-sink",
     "You multiplied by e^sink in dsink. The weight of the sink is e^sink divided by the sum of its "
     "row.",
     kSoftmax},
    {"a-sink-for-each-row",
     "Your dsink has a number for each row. One sink serves all rows, so what comes back from "
     "them adds up.",
     kProjections},
    {"mean-over-the-rows", "You took the mean over the rows for dsink. All rows use the one sink: add up.",
     kProjections},
    {"mask-forgotten",
     "You computed P without the mask. A key that the query must not see then has a weight, and takes "
     "part of the gradient. Put -∞ at hidden keys before the powers of e.",
     kSoftmax},
    {"mask-after-the-division",
     "You set weights to 0 by the mask after the division. The powers of hidden keys are then "
     "still in the sum.",
     kSoftmax},
    {"scores-times-mask",
     "You multiplied the scores by the mask. A hidden key then has the score 0, and e^0 = 1 "
     "gives it a weight. Hidden keys need the score -∞.",
     kSoftmax},
    {"mask-inverted", "You hid the keys that may be seen. In the mask 1 means: may look.", kSoftmax},
    {"mean-of-the-keys-alone",
     "You divided the row sum of P ⊙ dP by the sum of the weights. The sink counts in this "
     "mean too, with a dP of 0, and with the sink the weights add up to 1.",
     kSoftmax}};

inline std::vector<Mistake<Sink>> of_sink_scores_back() {
  std::vector<Mistake<Sink>> bank =
      slips_of<Sink>(sinking, together(kSlipsOfSinkScoresBack, together(kSlipsOfSoftmax, kSlipsOfRowSums)));
  // In one gradient alone. Together with a mistake in the other one, the grader finds these without a pair.
  for (const std::string name :
       {"plain-sum-in-dS", "plain-sum-in-dsink", "mean-of-the-keys-alone-in-dS",
        "mean-of-the-keys-alone-in-dsink", "over-columns-in-dS", "over-columns-in-dsink",
        "one-sum-for-all-rows-in-dS", "one-sum-for-all-rows-in-dsink", "row-sum-lies-down-in-dS"}) {
    const auto both = *std::ranges::find(bank, name.substr(0, name.find("-in-d")), &Mistake<Sink>::name);
    bank.push_back({name, both.sentence, kSoftmax, std::bind_front(sinking, Made{{name}})});
  }
  return bank;
}

}  // namespace mistakes

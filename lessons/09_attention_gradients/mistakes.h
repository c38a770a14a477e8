// What people write in the place of parts 1 and 2, and what is wrong with it. A function has several mistakes
// at once if several flaws are given.
#pragma once

#include <cmath>
#include <vector>

#include "attention_gradients.h"
#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake, grader::with_together;
using Flaws = unsigned long long;

inline constexpr const char *kValues = "Back to the values and the pattern",
                            *kSoftmax = "Back through the softmax", *kScores = "Back to queries and keys",
                            *kProjections = "Back through the projections", *kTiles = "Without the pattern";

inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }
inline double root_of(std::size_t length) { return std::sqrt(static_cast<double>(length)); }

// All axes in front of the last two added up.
inline Tensor of_all(Tensor x) {
  while (x.dim() > 2) x = sum(x, {0});
  return x;
}

// ---- Part 1 ----

using Gated = GatedGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&);

namespace gate {
enum : Flaws {
  not_in_dV = 1,
  not_in_dP = 2,
  dG_from_Z = 4,
  dG_without_dZ = 8,
  dG_gated = 16,
  divided = 32,
  twice_in_dP = 64,
  P_not_transposed = 128,
  V_not_transposed = 256,
  dV_transposed = 512,
  first_two_axes = 1024,
  mean_over_queries = 2048,
  added_over_heads = 4096,
  exchanged = 8192
};
}

template <Flaws f>
GatedGradients gated(const Tensor& dZ, const Tensor& G, const Tensor& P, const Tensor& V) {
  using namespace gate;
  const auto turned = [](const Tensor& x) { return f & first_two_axes ? transpose(x, 0, 1) : transpose(x); };
  const Tensor D = f & divided ? dZ / G : G * dZ, O = matmul(P, V), to_V = f & not_in_dV ? dZ : D;
  Tensor dV =
      f & dV_transposed ? matmul(transpose(to_V), P) : matmul(f & P_not_transposed ? P : turned(P), to_V);
  if (f & mean_over_queries) dV = dV / dZ.length(-2);
  if (f & added_over_heads) dV = of_all(dV);
  const Tensor dP = matmul(f & not_in_dP     ? dZ
                           : f & twice_in_dP ? G * D
                                             : D,
                           f & V_not_transposed ? V : turned(V));
  const Tensor dG = f & dG_without_dZ ? O : f & dG_gated ? D : dZ * (f & dG_from_Z ? G * O : O);
  if (f & exchanged) return {dG, dP, dV};
  return {dV, dP, dG};
}

inline const std::vector<Mistake<Gated>> kOfGatedValuesBack = {
    {"gate-not-in-dV",
     "You left the gate out of dV. What arrives at P V is G ⊙ dZ, since each number of P V was multiplied "
     "by its gate.",
     kValues, gated<gate::not_in_dV>},
    {"gate-not-in-dP",
     "You left the gate out of dP. A weight moves P V, and Z moves as much times the gate: G ⊙ dZ meets "
     "V.",
     kValues, gated<gate::not_in_dP>},
    {"dG-from-Z",
     "You made dG of Z. One entry is Z = G (P V), and its slope by G is the other factor, P V, without G.",
     kValues, gated<gate::dG_from_Z>},
    {"dG-without-dZ",
     "Your dG is P V, the slope of Z by the gate. The slope of the loss has dZ as a factor too.", kValues,
     gated<gate::dG_without_dZ>},
    {"dG-is-what-P-V-receives",
     "You returned G ⊙ dZ for dG. That is the cotangent of P V. The gate receives dZ times P V.", kValues,
     gated<gate::dG_gated>},
    {"divided-by-the-gate",
     "You divided dZ by the gate on the way back. The backward pass multiplies by the same factor as the "
     "forward pass.",
     kValues, gated<gate::divided>},
    {"gate-twice-in-dP", "The gate stands in your dP twice. Z contains it once.", kValues,
     gated<gate::twice_in_dP>},
    {"pattern-not-transposed",
     "You did not transpose P in dV. V[j,c] is used by every query i with the weight P[i,j], so column j "
     "of "
     "P meets column c of G ⊙ dZ. Where n = m the shapes fit without the transpose too.",
     kValues, gated<gate::P_not_transposed>},
    {"values-not-transposed",
     "You did not transpose V in dP. P[i,j] meets row j of V, so row i of G ⊙ dZ meets row j of V: Vᵀ.",
     kValues, gated<gate::V_not_transposed>},
    {"dV-transposed",
     "Your dV is transposed, of shape (…,d_v,m). A cotangent has the shape of what it belongs to.", kValues,
     gated<gate::dV_transposed>},
    {"first-two-axes",
     "You exchanged axes 0 and 1. With axes for batch and heads in front, a matrix lies in the last two: "
     "transpose(x) without numbers exchanges these.",
     kValues, gated<gate::first_two_axes>},
    {"mean-over-queries",
     "You divided dV by the number of queries. All queries read the same V, so what comes back from them "
     "adds up.",
     kValues, gated<gate::mean_over_queries>},
    {"added-over-heads",
     "You added up the axes in front. Each head of each sequence has values of its own, so nothing is "
     "added "
     "here: only what is shared adds up.",
     kValues, gated<gate::added_over_heads>},
    {"gate-first", "You returned dG first. The order is dV, dP, dG.", kValues, gated<gate::exchanged>}};

inline std::vector<Mistake<Gated>> of_gated_values_back() {
  return with_together<Gated>(
      kOfGatedValuesBack,
      {{{"gate-not-in-dV", "gate-not-in-dP"}, gated<gate::not_in_dV | gate::not_in_dP>},
       {{"dG-from-Z", "gate-not-in-dP"}, gated<gate::dG_from_Z | gate::not_in_dP>},
       {{"dG-from-Z", "pattern-not-transposed"}, gated<gate::dG_from_Z | gate::P_not_transposed>}});
}

// ---- Part 2 ----

using Sink = SinkGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&);

namespace drain {
enum : Flaws {
  no_row_sum = 1,
  not_in_P = 2,
  without_e = 4,
  sign = 8,
  weight_left_out = 16,
  no_gradient = 32,
  a_row_each = 64,
  mean_over_rows = 128,
  no_mask = 256,
  mask_after = 512,
  scores_times_mask = 1024,
  mask_inverted = 2048,
  plain_sum = 4096,
  divided = 8192,
  over_columns = 1 << 14,
  one_sum = 1 << 15,
  lies_down = 1 << 16,
  P_twice = 1 << 17,
  no_brackets = 1 << 18,
  plus = 1 << 19,
  no_P = 1 << 20,
  own_weight = 1 << 21,
  as_a_power = 1 << 22
};
}

template <Flaws f>
SinkGradients sinking(const Tensor& dP, const Tensor& scores, const Tensor& mask, const Tensor& sink) {
  using namespace drain;
  const Tensor hidden = f & mask_inverted ? 1 - mask : mask,
               S = f & scores_times_mask ? scores * mask : scores;
  const bool bare = f & (no_mask | mask_after | scores_times_mask);
  const Tensor powers = exp(bare ? S : masked_fill(S, equal(hidden, 0), -INFINITY));
  const Tensor power = f & without_e ? sink : exp(sink), all = power + row_sum(powers);
  Tensor P = powers / (f & not_in_P ? row_sum(powers) + 1e-300 : all);
  if (f & mask_after) P = P * mask;
  Tensor sums = row_sum(P * dP);
  const Tensor to_sink = f & as_a_power ? power * sums : f & weight_left_out ? sums : power / all * sums;
  if (f & plain_sum) sums = row_sum(dP);
  if (f & divided) sums = sums / (row_sum(P) + 1e-300);
  if (f & over_columns) sums = sum(P * dP, {-2}, true);
  if (f & one_sum) sums = sum(P * dP);
  if (f & lies_down) sums = sum(P * dP, {-1});
  Tensor dS = P * (f & plus ? dP + sums : dP - sums);
  if (f & no_row_sum) dS = P * dP;
  if (f & P_twice) dS = P * dS;
  if (f & no_brackets) dS = P * dP - sums;
  if (f & no_P) dS = dP - sums;
  if (f & own_weight) dS = P * (1 - P) * dP;
  const Tensor of_rows = f & sign ? to_sink : -to_sink;
  return {dS, f & no_gradient      ? zeros({})
              : f & a_row_each     ? of_rows
              : f & mean_over_rows ? mean(of_rows)
                                   : sum(of_rows)};
}

inline const std::vector<Mistake<Sink>> kOfSinkScoresBack = {
    {"no-row-sum",
     "You left the row-sum term out of dS. A score that rises takes weight from all other keys of its "
     "row, "
     "and the row sum of P ⊙ dP is what that costs.",
     kSoftmax, sinking<drain::no_row_sum>},
    {"sink-not-in-P",
     "Your P is the softmax of the keys alone. The sink's power e^sink belongs to the sum by which each "
     "row "
     "is divided.",
     kSoftmax, sinking<drain::not_in_P>},
    {"sink-without-its-power",
     "You added the sink itself to the powers of e. It is a score: its power is e^sink.", kSoftmax,
     sinking<drain::without_e>},
    {"sign-of-the-sink",
     "Your dsink has the wrong sign. When the sink's score rises, the weights of all keys fall.", kSoftmax,
     sinking<drain::sign>},
    {"weight-of-the-sink-left-out",
     "You left the weight of the sink out of dsink. How fast a row gives weight to the sink is in "
     "proportion to the weight that the sink has there.",
     kSoftmax, sinking<drain::weight_left_out>},
    {"no-gradient-of-the-sink",
     "Your dsink is 0. The sink has no value, but it takes weight from the keys, and their values reach "
     "the "
     "loss.",
     kSoftmax, sinking<drain::no_gradient>},
    {"power-for-the-weight-of-the-sink",
     "You multiplied by e^sink in dsink. The weight of the sink is e^sink divided by the sum of its row.",
     kSoftmax, sinking<drain::as_a_power>},
    {"a-sink-for-each-row",
     "Your dsink has a number for each row. One sink serves all rows, so what comes back from them adds "
     "up.",
     kProjections, sinking<drain::a_row_each>},
    {"mean-over-the-rows", "You took the mean over the rows for dsink. All rows use the one sink: add up.",
     kProjections, sinking<drain::mean_over_rows>},
    {"mask-forgotten",
     "You computed P without the mask. A key that the query must not see then has a weight, and takes "
     "part "
     "of the gradient. Put -∞ at hidden keys before the powers of e.",
     kSoftmax, sinking<drain::no_mask>},
    {"mask-after-the-division",
     "You set weights to 0 by the mask after the division. The powers of hidden keys are then still in "
     "the "
     "sum.",
     kSoftmax, sinking<drain::mask_after>},
    {"scores-times-mask",
     "You multiplied the scores by the mask. A hidden key then has the score 0, and e^0 = 1 gives it a "
     "weight. Hidden keys need the score -∞.",
     kSoftmax, sinking<drain::scores_times_mask>},
    {"mask-inverted", "You hid the keys that may be seen. In the mask 1 means: may look.", kSoftmax,
     sinking<drain::mask_inverted>},
    {"plain-sum",
     "You subtracted the sum of dP. The row-sum term is weighted: each dP counts as much as its weight in "
     "P.",
     kSoftmax, sinking<drain::plain_sum>},
    {"mean-of-the-keys-alone",
     "You divided the row sum of P ⊙ dP by the sum of the weights. The sink counts in this mean too, with "
     "a "
     "dP of 0, and with the sink the weights add up to 1.",
     kSoftmax, sinking<drain::divided>},
    {"over-columns",
     "You summed P ⊙ dP down the columns, over the queries. A softmax is a row, so the sum is over the "
     "keys: axis -1.",
     kSoftmax, sinking<drain::over_columns>},
    {"one-sum-for-all-rows",
     "You summed P ⊙ dP over all rows at once. Each query has a softmax of its own, and a row sum of its "
     "own.",
     kSoftmax, sinking<drain::one_sum>},
    {"row-sum-lies-down",
     "You summed without keeping the axis. The sums then stand in a row, and broadcasting subtracts the "
     "sum "
     "of query j from column j. Keep the axis: sum(x, {-1}, true).",
     kSoftmax, sinking<drain::lies_down>},
    {"P-twice", "You multiplied dS by P twice. P stands in front of the bracket, once.", kSoftmax,
     sinking<drain::P_twice>},
    {"no-brackets",
     "You wrote P ⊙ dP - rowsum without brackets, so only dP is multiplied by P. The row sum is "
     "subtracted "
     "from dP first, and P multiplies the difference.",
     kSoftmax, sinking<drain::no_brackets>},
    {"no-P-in-front",
     "You left out the factor P in front. How fast a weight moves with its score is in proportion to that "
     "weight.",
     kSoftmax, sinking<drain::no_P>},
    {"own-weight-only",
     "You used P (1 - P), the slope of a weight by its own score. A score moves the other weights of the "
     "row too, each at the rate of minus the product of the two weights.",
     kSoftmax, sinking<drain::own_weight>},
    {"plus-for-minus", "You added the row-sum term. What the other keys lose is subtracted.", kSoftmax,
     sinking<drain::plus>}};

inline std::vector<Mistake<Sink>> of_sink_scores_back() {
  return with_together<Sink>(
      kOfSinkScoresBack,
      {{{"sink-not-in-P", "sign-of-the-sink"}, sinking<drain::not_in_P | drain::sign>},
       {{"mask-forgotten", "sign-of-the-sink"}, sinking<drain::no_mask | drain::sign>},
       {{"mask-forgotten", "sink-not-in-P"}, sinking<drain::no_mask | drain::not_in_P>},
       {{"no-row-sum", "no-gradient-of-the-sink"}, sinking<drain::no_row_sum | drain::no_gradient>},
       {{"no-row-sum", "sign-of-the-sink"}, sinking<drain::no_row_sum | drain::sign>},
       {{"weight-of-the-sink-left-out", "sign-of-the-sink"}, sinking<drain::weight_left_out | drain::sign>},
       {{"mean-of-the-keys-alone", "sign-of-the-sink"}, sinking<drain::divided | drain::sign>}});
}

}  // namespace mistakes

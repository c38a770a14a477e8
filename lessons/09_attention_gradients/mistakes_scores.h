// What people write in the place of part 3.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Tempered = std::function<TemperedGradients(const Tensor&, const Tensor&, const Tensor&, const Tensor&)>;

inline Tensor dt_of(const Made& made, const Tensor& dS, const Tensor& products, const Tensor& t) {
  Tensor each = made("dt-divided-by-the-factor") ? products / t
                : made("dt-from-the-scores")     ? t * products
                                                 : products;
  if (!made("dt-without-dS")) each = dS * each;
  if (made("dt-from-sums")) return sum(dS, {1, 2}, true) * sum(products, {1, 2}, true);
  if (made("dt-of-all-heads-for-each")) return sum(each, {0, 1, 2}, true) + 0 * t;
  if (made("dt-of-the-first-head")) return sum(slice(each, 0, 0, 1), {1, 2}, true) + 0 * t;
  return made("dt-of-all-heads")       ? reshape_to(sum(each), {1, 1, 1})
         : made("dt-over-the-heads")   ? sum(each, {0})
         : made("dt-without-its-axes") ? sum(each, {1, 2})
         : made("dt-for-each-query")   ? row_sum(each)
         : made("dt-for-each-key")     ? sum(each, {1}, true)
         : made("dt-as-a-mean")        ? mean(each, {1, 2}, true)
                                       : sum(each, {1, 2}, true);
}

inline Tensor dB_of(const Made& made, const Tensor& dS, const Tensor& t) {
  const Tensor to_B = made("dB-with-the-factor") ? t * dS : dS;
  return made("dB-for-each-head")       ? to_B
         : made("dB-over-the-queries")  ? sum(to_B, {1})
         : made("dB-over-the-keys")     ? sum(to_B, {2})
         : made("dB-over-two-axes")     ? sum(to_B, {0, 1})
         : made("dB-keeps-its-axis")    ? sum(to_B, {0}, true)
         : made("dB-of-the-first-head") ? sum(slice(to_B, 0, 0, 1), {0})
         : made("dB-of-the-last-head")  ? sum(slice(to_B, 0, -1), {0})
         : made("dB-as-one-number")     ? sum(to_B)
         : made("dB-as-a-mean")         ? mean(to_B, {0})
                                        : sum(to_B, {0});
}

inline TemperedGradients tempered(const Made& made, const Tensor& dS, const Tensor& Q, const Tensor& K,
                                  const Tensor& t) {
  const auto root_if = [&](bool divided) { return divided ? root_of(Q.length(-1)) : 1; };
  const bool in_both = made("root-as-well") || made("root-everywhere");
  const Tensor factor = made("divided-by-the-factor") ? 1 / t
                        : made("factor-twice")        ? t * t
                        : made("root-for-the-factor") ? Tensor(1 / root_of(Q.length(-1)))
                                                      : t;
  const Tensor of_Q = factor / root_if(in_both || made("root-in-dQ")),
               of_K = factor / root_if(in_both || made("root-in-dK"));
  const Tensor to_Q = made("own-factor")            ? matmul(dS, Q)
                      : made("K-transposed-again")  ? matmul(dS, transpose(K))
                      : made("dS-transposed-in-dQ") ? matmul(transpose(dS), K)
                                                    : matmul(dS, K);
  const Tensor to_K = made("own-factor")      ? matmul(transpose(dS), K)
                      : made("dK-transposed") ? matmul(transpose(Q), dS)
                                              : matmul(made("dS-not-transposed") ? dS : transpose(dS), Q);
  const Tensor dQ = made("factor-not-in-dQ") ? to_Q : of_Q * to_Q,
               dK = made("factor-not-in-dK") ? to_K : of_K * to_K,
               dt =
                   dt_of(made, dS,
                         matmul(Q, transpose(K)) / root_if(made("root-in-dt") || made("root-everywhere")), t),
               dB = dB_of(made, dS, t);
  if (made("summed-over-heads")) return {sum(dQ, {0}), sum(dK, {0}), dt, dB};
  if (made("K-first")) return {dK, dQ, dt, dB};
  return {dQ, dK, dt, dB};
}

inline const std::vector<Slip> kSlipsOfTemperedScoresBack = {
    {"factor-not-in-dQ",
     "You left t out of dQ. It is a factor of every product Q Kᵀ, so it is a factor of the slopes by Q.",
     kScores},
    {"factor-not-in-dK",
     "You left t out of dK. It is a factor of every product Q Kᵀ, so it is a factor of the slopes by K.",
     kScores},
    {"root-as-well",
     "You divided by √d_k as well. Here t stands in the place of 1/√d_k, and S contains no other factor.",
     kScores},
    {"root-everywhere",
     "You divided by √d_k as well, in dt too. Here t stands in the place of 1/√d_k, and S contains no "
     "other factor.",
     kScores},
    {"root-in-dt", "You divided dt by √d_k. S contains no 1/√d_k here: t stands in its place.", kScores},
    {"root-in-dQ", "You divided dQ by √d_k. S contains no 1/√d_k here: t stands in its place.", kScores},
    {"root-in-dK", "You divided dK by √d_k. S contains no 1/√d_k here: t stands in its place.", kScores},
    {"root-for-the-factor",
     "You divided dQ and dK by √d_k and left t out. S contains no 1/√d_k here: t stands in its place.",
     kScores},
    {"divided-by-the-factor",
     "You divided by t. The scores are multiplied by t, so the slopes by Q and K are too.", kScores},
    {"factor-twice", "The factor t stands in your dQ and dK twice. It is in S once.", kScores},
    {"dS-not-transposed",
     "You did not transpose dS in dK. Key j collects from column j of dS, one number from each query. "
     "Where n = m the shapes fit without the transpose too.",
     kScores},
    {"dS-transposed-in-dQ",
     "You transposed dS in dQ. Query i collects from row i of dS, one number from each key: dS K.", kScores},
    {"K-transposed-again",
     "You transposed K in dQ. K was transposed in the forward pass, and the backward pass transposes it "
     "once more: K stands as it is.",
     kScores},
    {"dK-transposed",
     "Your dK is transposed, of shape (H,d_k,m): Qᵀ dS is the cotangent of Kᵀ. That of K is dSᵀ Q, times "
     "t.",
     kScores},
    {"own-factor", "You made dQ of Q, and dK of K. The slope of a product by one factor is the other factor.",
     kScores},
    {"dt-from-the-scores",
     "You used t Q Kᵀ in dt. The slope of the score t (Q Kᵀ) by t is the other factor, Q Kᵀ without t.",
     kScores},
    {"dt-divided-by-the-factor",
     "You divided by t in dt. The slope of the score t (Q Kᵀ) by t is the other factor, Q Kᵀ as it is.",
     kScores},
    {"dt-without-dS",
     "You added up Q Kᵀ for dt. That is how fast the scores move. Each counts as much as the loss moves "
     "with it: times dS.",
     kScores},
    {"dt-from-sums",
     "You multiplied the sum of dS by the sum of Q Kᵀ for dt. Each score has its own dS: multiply number "
     "by number, then add up.",
     kScores},
    {"dt-of-all-heads",
     "You added up dt over all heads. Each head has a factor of its own: add up its own n·m scores.",
     kProjections},
    {"dt-of-all-heads-for-each",
     "You added up dt over all heads, and gave each the sum. Each head has a factor of its own: add up its "
     "own n·m scores, sum(x, {1, 2}, true).",
     kProjections},
    {"dt-of-the-first-head",
     "Each head has the dt of the first one. Each has a factor of its own: add up its own n·m scores.",
     kProjections},
    {"dt-over-the-heads",
     "You summed over axis 0 for dt. Each head has a factor of its own: add up its own n·m scores, sum(x, "
     "{1, 2}, true).",
     kProjections},
    {"summed-over-heads",
     "You added up dQ and dK over the heads. The heads share B alone: each has its own queries and keys.",
     kProjections},
    {"dt-without-its-axes",
     "Your dt has the shape (H). A cotangent has the shape of what it belongs to, here (H,1,1): sum(x, "
     "{1, 2}, true).",
     kProjections},
    {"dt-as-a-mean",
     "You took a mean for dt. All scores of a head use its factor, and what comes back adds up.",
     kProjections},
    {"dt-for-each-query",
     "Your dt has a number for each query. A head has one factor for all its scores: add up its n·m "
     "scores, sum(x, {1, 2}, true).",
     kProjections},
    {"dt-for-each-key",
     "Your dt has a number for each key. A head has one factor for all its scores: add up its n·m scores, "
     "sum(x, {1, 2}, true).",
     kProjections},
    {"dB-for-each-head",
     "Your dB still has the axis of the heads. All heads use the same table, so what comes back adds up: "
     "sum over axis 0.",
     kProjections},
    {"dB-of-the-last-head",
     "Your dB is that of the last head, as by = where += belongs. All heads use the same table: add up.",
     kProjections},
    {"dB-over-the-queries",
     "You summed dS over axis 1 for dB. B has a number for each query and each key, and all heads share "
     "it: sum over axis 0.",
     kProjections},
    {"dB-over-the-keys",
     "You summed dS over axis 2 for dB. B has a number for each query and each key, and all heads share "
     "it: sum over axis 0.",
     kProjections},
    {"dB-over-two-axes",
     "You summed dS over the queries too for dB. B has a number for each query and each key, and all heads "
     "share it: sum over axis 0 only.",
     kProjections},
    {"dB-keeps-its-axis",
     "Your dB has the shape (1,n,m). A cotangent has the shape of what it belongs to, here (n,m): sum(x, "
     "{0}).",
     kProjections},
    {"dB-of-the-first-head", "Your dB is that of the first head. All heads use the same table: add up.",
     kProjections},
    {"dB-as-one-number",
     "You added up all of dS for dB. B has a number for each query and each key, and all heads share it: "
     "sum over axis 0 only.",
     kProjections},
    {"dB-as-a-mean", "You took the mean over the heads for dB. All heads use the same table: add up.",
     kProjections},
    {"dB-with-the-factor",
     "You multiplied dB by t. B is added behind the product, so it moves S as much as it moves itself.",
     kScores},
    {"K-first", "You returned dK first. The order is dQ, dK, dt, dB.", kScores}};

inline std::vector<Mistake<Tempered>> of_tempered_scores_back() {
  return slips_of<Tempered>(tempered, kSlipsOfTemperedScoresBack);
}

}  // namespace mistakes

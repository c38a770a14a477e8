// What people write in the place of part 3.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Tempered = TemperedGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&);

namespace temper {
enum : Flaws {
  not_in_dQ = 1,
  not_in_dK = 2,
  root = 4,
  dS_not_transposed = 8,
  K_transposed = 16,
  dK_transposed = 32,
  own_factor = 64,
  dt_from_S = 128,
  dt_without_dS = 256,
  dt_of_all_heads = 512,
  dt_without_axes = 1024,
  dt_mean = 2048,
  dB_not_summed = 4096,
  dB_mean = 8192,
  dB_tempered = 1 << 14,
  divided = 1 << 15,
  K_first = 1 << 16
};
}

template <Flaws f>
TemperedGradients tempered(const Tensor& dS, const Tensor& Q, const Tensor& K, const Tensor& t) {
  using namespace temper;
  const Tensor factor = f & divided ? 1 / t : f & root ? t / root_of(Q.length(-1)) : t;
  const Tensor to_Q = f & own_factor ? matmul(dS, Q) : matmul(dS, f & K_transposed ? transpose(K) : K);
  const Tensor to_K = f & own_factor      ? matmul(transpose(dS), K)
                      : f & dK_transposed ? matmul(transpose(Q), dS)
                                          : matmul(f & dS_not_transposed ? dS : transpose(dS), Q);
  const Tensor dQ = f & not_in_dQ ? to_Q : factor * to_Q, dK = f & not_in_dK ? to_K : factor * to_K;
  const Tensor products = matmul(Q, transpose(K));
  const Tensor each = f & dt_without_dS ? products : dS * (f & dt_from_S ? t * products : products);
  const Tensor dt = f & dt_of_all_heads   ? reshape_to(sum(each), {1, 1, 1})
                    : f & dt_without_axes ? sum(each, {1, 2})
                    : f & dt_mean         ? mean(each, {1, 2}, true)
                                          : sum(each, {1, 2}, true);
  const Tensor to_B = f & dB_tempered ? t * dS : dS;
  const Tensor dB = f & dB_not_summed ? to_B : f & dB_mean ? mean(to_B, {0}) : sum(to_B, {0});
  if (f & K_first) return {dK, dQ, dt, dB};
  return {dQ, dK, dt, dB};
}

inline const std::vector<Mistake<Tempered>> kOfTemperedScoresBack = {
    {"factor-not-in-dQ",
     "You left t out of dQ. It is a factor of every product Q Kᵀ, so it is a factor of the slopes by Q.",
     kScores, tempered<temper::not_in_dQ>},
    {"factor-not-in-dK",
     "You left t out of dK. It is a factor of every product Q Kᵀ, so it is a factor of the slopes by K.",
     kScores, tempered<temper::not_in_dK>},
    {"root-as-well",
     "You divided by √d_k as well. Here t stands in the place of 1/√d_k, and S contains no other factor.",
     kScores, tempered<temper::root>},
    {"divided-by-the-factor",
     "You divided by t. The scores are multiplied by t, so the slopes by Q and K are too.", kScores,
     tempered<temper::divided>},
    {"dS-not-transposed",
     "You did not transpose dS in dK. Key j collects from column j of dS, one number from each query. "
     "Where "
     "n = m the shapes fit without the transpose too.",
     kScores, tempered<temper::dS_not_transposed>},
    {"K-transposed-again",
     "You transposed K in dQ. K was transposed in the forward pass, and the backward pass transposes it "
     "once more: K stands as it is.",
     kScores, tempered<temper::K_transposed>},
    {"dK-transposed",
     "Your dK is transposed, of shape (H,d_k,m): Qᵀ dS is the cotangent of Kᵀ. That of K is dSᵀ Q, times "
     "t.",
     kScores, tempered<temper::dK_transposed>},
    {"own-factor", "You made dQ of Q, and dK of K. The slope of a product by one factor is the other factor.",
     kScores, tempered<temper::own_factor>},
    {"dt-from-the-scores",
     "You used t Q Kᵀ in dt. The slope of the score t (Q Kᵀ) by t is the other factor, Q Kᵀ without t.",
     kScores, tempered<temper::dt_from_S>},
    {"dt-without-dS",
     "You added up Q Kᵀ for dt. That is how fast the scores move. Each counts as much as the loss moves "
     "with it: times dS.",
     kScores, tempered<temper::dt_without_dS>},
    {"dt-of-all-heads",
     "You added up dt over all heads. Each head has a factor of its own: add up its own n·m scores.",
     kProjections, tempered<temper::dt_of_all_heads>},
    {"dt-without-its-axes",
     "Your dt has the shape (H). A cotangent has the shape of what it belongs to, here (H,1,1): "
     "sum(x, {1, 2}, true).",
     kProjections, tempered<temper::dt_without_axes>},
    {"dt-as-a-mean",
     "You took a mean for dt. All scores of a head use its factor, and what comes back adds up.",
     kProjections, tempered<temper::dt_mean>},
    {"dB-for-each-head",
     "Your dB still has the axis of the heads. All heads use the same table, so what comes back adds up: "
     "sum over axis 0.",
     kProjections, tempered<temper::dB_not_summed>},
    {"dB-as-a-mean", "You took the mean over the heads for dB. All heads use the same table: add up.",
     kProjections, tempered<temper::dB_mean>},
    {"dB-with-the-factor",
     "You multiplied dB by t. B is added behind the product, so it moves S as much as it moves itself.",
     kScores, tempered<temper::dB_tempered>},
    {"K-first", "You returned dK first. The order is dQ, dK, dt, dB.", kScores, tempered<temper::K_first>}};

inline std::vector<Mistake<Tempered>> of_tempered_scores_back() {
  return with_together<Tempered>(
      kOfTemperedScoresBack,
      {{{"factor-not-in-dQ", "factor-not-in-dK"}, tempered<temper::not_in_dQ | temper::not_in_dK>},
       {{"dt-from-the-scores", "dS-not-transposed"}, tempered<temper::dt_from_S | temper::dS_not_transposed>},
       {{"dt-from-the-scores", "dB-for-each-head"}, tempered<temper::dt_from_S | temper::dB_not_summed>},
       {{"dt-from-the-scores", "dB-with-the-factor"}, tempered<temper::dt_from_S | temper::dB_tempered>},
       {{"dt-of-all-heads", "dB-for-each-head"}, tempered<temper::dt_of_all_heads | temper::dB_not_summed>},
       {{"dt-as-a-mean", "dB-as-a-mean"}, tempered<temper::dt_mean | temper::dB_mean>}});
}

}  // namespace mistakes

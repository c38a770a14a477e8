// What people write in the place of part 5.
#pragma once

#include "mistakes_softmax.h"

namespace mistakes {

using TileBack = std::function<TileGradients(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                             const Tensor&, const Tensor&, double)>;

inline Tensor pattern_of(const Made& made, const Tensor& S, const Tensor& log_sums) {
  if (made("softmax-of-the-tile")) return softmax(S);
  if (made("log-sums-forgotten")) return exp(S);
  if (made("sign-of-log-sums")) return exp(S + log_sums);
  if (made("log-sums-behind-the-power")) return exp(S) - log_sums;
  if (made("divided-by-the-logarithm")) return exp(S) / log_sums;
  if (made("scores-divided-by-the-logarithm")) return exp(S / log_sums);
  return exp(S - log_sums);
}

// How fast S, which is cap · bent, moves with A.
inline Tensor slope_of(const Made& made, const Tensor& A, const Tensor& bent, const Tensor& S, double cap) {
  if (made("slope-divided-once")) return 1 - S * S / cap;
  if (made("slope-of-the-sigmoid")) return bent * (1 - bent);
  const Tensor x = made("slope-at-the-capped-score")      ? tanh(S / cap)
                   : made("slope-of-the-capped-score")    ? S
                   : made("slope-not-divided-by-the-cap") ? tanh(A)
                                                          : bent;
  if (made("slope-of-the-cap-left-out")) return 1;
  const Tensor slope = 1 - (made("slope-not-squared") ? x : x * x);
  return made("cap-in-the-slope") ? slope * cap : made("slope-divided-by-the-cap") ? slope / cap : slope;
}

inline Tensor row_sums_of_Z(const Made& made, const Tensor& Z, const Tensor& dZ, const Tensor& P,
                            const Tensor& dP) {
  return made("row-sums-of-the-tile")   ? row_sum(P * dP)
         : made("row-sums-of-Z")        ? row_sum(Z)
         : made("row-means")            ? mean(Z * dZ, {-1}, true)
         : made("row-sums-lie-down")    ? sum(Z * dZ, {-1})
         : made("one-sum-for-all-rows") ? sum(Z * dZ)
                                        : row_sum(Z * dZ);
}

inline TileGradients tiled(const Made& made, const Tensor& dZ, const Tensor& Z, const Tensor& Q,
                           const Tensor& K, const Tensor& V, const Tensor& log_sums, double cap) {
  const double d_k = root_of(Q.length(-1)) * root_of(Q.length(-1)), root = made("divided-by-d_k") ? d_k
                                                                           : made("root-of-d_v")
                                                                               ? root_of(V.length(-1))
                                                                               : std::sqrt(d_k);
  const bool late = made("scaled-behind-the-cap"), bare = made("gradients-unscaled");
  const Tensor A = matmul(Q, transpose(K)) / (made("scores-unscaled") || late  ? 1
                                              : made("multiplied-by-the-root") ? 1 / root
                                                                               : root),
               bent = tanh(made("not-divided-by-the-cap")  ? A
                           : made("multiplied-by-the-cap") ? A * cap
                                                           : A / cap);
  Tensor S = made("cap-only-on-the-way-back") ? A : made("cap-not-in-front") ? bent : cap * bent;
  if (late) S = S / root;
  const Tensor P = pattern_of(made, S, log_sums), slope = slope_of(made, A, bent, S, cap),
               dP = matmul(dZ, transpose(V)), sums = row_sums_of_Z(made, Z, dZ, P, dP);
  const bool early = made("slope-before-the-softmax");
  const Tensor dS = through_softmax(made, P, early ? slope * dP : dP, sums), dA = early ? dS : dS * slope,
               to_Q = made("slope-not-in-dQ") ? dS : dA, to_K = made("slope-not-in-dK") ? dS : dA;
  const double scale = made("gradients-scaled-twice")   ? root * root
                       : made("multiplied-by-the-root") ? 1 / root
                                                        : root;
  const bool own = made("own-factor");
  const Tensor dV = matmul(made("pattern-not-transposed") ? P
                                                          : transpose(made("dV-from-dS")   ? dS
                                                                      : made("dV-from-dA") ? dA
                                                                                           : P),
                           dZ),
               dQ = matmul(to_Q, own ? Q : K) / (bare || made("dQ-without-the-scale") ? 1 : scale),
               dK = matmul(made("dA-not-transposed") ? to_K : transpose(to_K), own ? K : Q) /
                    (bare || made("dK-without-the-scale") ? 1 : scale);
  if (made("dQ-first")) return {dQ, dK, dV};
  return {dV, dQ, dK};
}

inline const std::vector<Slip> kSlipsOfCappedTileBack = {
    {"cap-only-on-the-way-back",
     "You computed P from the scores without the cap. The P of the forward pass is made of S = "
     "cap · tanh(A / cap), or log_sums does not fit it.",
     kTiles},
    {"cap-not-in-front",
     "Your S is tanh(A / cap), between -1 and 1. The cap stands in front too: S = cap · tanh(A / "
     "cap).",
     kTiles},
    {"not-divided-by-the-cap", "You took tanh of A as it is. A is divided by the cap first: tanh(A / cap).",
     kTiles},
    {"multiplied-by-the-cap", "You took tanh of A · cap. A is divided by the cap first: tanh(A / cap).",
     kTiles},
    {"scaled-behind-the-cap",
     "You divided by √d_k behind the cap. A = Q Kᵀ/√d_k is scaled already when it meets tanh.", kTiles},
    {"slope-of-the-cap-left-out",
     "You went back from S to Q and K as if there were no cap. Between S and A stands cap · "
     "tanh(A / cap), so dA is dS times its slope.",
     kScores},
    {"slope-not-in-dQ",
     "You left the slope of the cap out of dQ. Q and K meet in A, and dA is dS times the slope "
     "of the cap.",
     kScores},
    {"slope-not-in-dK",
     "You left the slope of the cap out of dK. Q and K meet in A, and dA is dS times the slope "
     "of the cap.",
     kScores},
    {"slope-not-squared", "Your slope is 1 - tanh. It is 1 - tanh².", kScores},
    {"slope-at-the-capped-score",
     "You took the slope at S / cap. tanh was applied to A / cap, so its slope is 1 - tanh²(A "
     "/ cap), which is 1 - (S / cap)².",
     kScores},
    {"slope-of-the-capped-score",
     "You took 1 - S² for the slope of the cap. The slope of tanh is 1 - tanh², and S is cap · "
     "tanh: square S / cap.",
     kScores},
    {"slope-divided-once",
     "You took 1 - S²/cap for the slope of the cap. The slope of tanh is 1 - tanh², and tanh is S "
     "/ cap: square that, which divides by cap².",
     kScores},
    {"slope-of-the-sigmoid",
     "You took y (1 - y) for the slope of tanh. That is the slope of the sigmoid; the one of y = "
     "tanh is 1 - y².",
     kScores},
    {"slope-not-divided-by-the-cap",
     "You took the slope of tanh at A. tanh was applied to A / cap, so its slope is 1 - tanh²(A / "
     "cap).",
     kScores},
    {"dK-without-the-scale", "You left 1/√d_k out of dK. It is a factor of each score, so of dQ and of dK.",
     kScores},
    {"dQ-without-the-scale", "You left 1/√d_k out of dQ. It is a factor of each score, so of dQ and of dK.",
     kScores},
    {"divided-by-d_k", "You divided by d_k, in the scores and in dQ and dK. The scale is 1/√d_k.", kScores},
    {"multiplied-by-the-root",
     "You multiplied by √d_k, in the scores and in dQ and dK. The scale is 1/√d_k: divide by it.", kScores},
    {"root-of-d_v",
     "You divided by √d_v, from the width of the values. The products are those of Q and K: √d_k.", kScores},
    {"gradients-scaled-twice",
     "You divided dQ and dK by d_k: the scale 1/√d_k is in them twice. It stands in A once.", kScores},
    {"cap-in-the-slope",
     "You multiplied the slope by cap. In cap · tanh(A / cap) the cap in front and the one below "
     "cancel.",
     kScores},
    {"slope-divided-by-the-cap",
     "You divided the slope by cap. In cap · tanh(A / cap) the cap in front and the one below "
     "cancel.",
     kScores},
    {"slope-before-the-softmax",
     "You multiplied dP by the slope of the cap. The backward pass goes through the softmax "
     "first: dS times the slope is dA.",
     kSoftmax},
    {"softmax-of-the-tile",
     "You took the softmax of the tile's scores. Its weights add up to 1 within the tile, but "
     "a row of P adds up to 1 over all tiles. e^(S - log_sums) divides by the sum over the "
     "whole row.",
     kTiles},
    {"row-sums-of-the-tile",
     "You summed P ⊙ dP over the tile, or Z ⊙ dZ with a Z of this tile alone, P V. The row sum "
     "goes over all keys, and the other tiles are not here. Take the Z that is given: it is "
     "that of all keys.",
     kTiles},
    {"log-sums-forgotten",
     "You took e^S as the weights. They must be divided by the sum over the row, which is "
     "e^log_sums: e^(S - log_sums).",
     kTiles},
    {"sign-of-log-sums",
     "You added log_sums. To divide by the sum, subtract its logarithm: e^(S - log_sums).", kTiles},
    {"log-sums-behind-the-power",
     "You subtracted log_sums from e^S. It belongs into the exponent: e^(S - log_sums).", kTiles},
    {"divided-by-the-logarithm",
     "You divided e^S by log_sums. It is the logarithm of the sum, so it is subtracted from S "
     "before e^.",
     kTiles},
    {"scores-divided-by-the-logarithm",
     "You divided S by log_sums. e^S is to be divided by e^log_sums, and in the exponent that "
     "is a difference: e^(S - log_sums).",
     kTiles},
    {"scores-unscaled",
     "You computed the scores again without 1/√d_k. They must be those of the forward pass, or "
     "log_sums does not fit them.",
     kTiles},
    {"gradients-unscaled",
     "You left 1/√d_k out of dQ and dK. It is needed twice: in the scores, and in their backward "
     "pass.",
     kScores},
    {"row-sums-of-Z",
     "You used the row sums of Z. What is needed is the row sum of P ⊙ dP, which equals that "
     "of Z ⊙ dZ.",
     kTiles},
    {"row-means",
     "You took the mean of Z ⊙ dZ. The row sum of P ⊙ dP equals the row sum of Z ⊙ dZ, not its mean.",
     kTiles},
    {"row-sums-lie-down",
     "You summed Z ⊙ dZ without keeping the axis, so the sums stand in a row and fit the wrong "
     "way, or not at all. sum(x, {-1}, true) keeps it.",
     kTiles},
    {"one-sum-for-all-rows",
     "You summed Z ⊙ dZ over all rows. Each query has a row sum of its own: sum(x, {-1}, true).", kTiles},
    {"dV-from-dS", "You made dV of dS. V meets the weights P, so dV is Pᵀ dZ, with the P of the tile.",
     kValues},
    {"dV-from-dA",
     "You made dV of the cotangent of the scores. V meets the weights P, so dV is Pᵀ dZ, with the "
     "P of the tile.",
     kValues},
    {"dA-not-transposed",
     "You did not transpose the cotangent of the scores in dK. Key j collects from its column j.", kScores},
    {"pattern-not-transposed",
     "You did not transpose P in dV. Value j collects from column j of P, one number from each "
     "query.",
     kValues},
    {"own-factor", "You made dQ of Q, and dK of K. The slope of a product by one factor is the other factor.",
     kScores},
    {"dQ-first", "You returned dQ first. The order is dV, dQ, dK.", kTiles}};

inline std::vector<Mistake<TileBack>> of_capped_tile_back() {
  const std::vector<std::string> as_in_the_text{"softmax-of-the-tile", "row-sums-of-the-tile",
                                                "slope-of-the-cap-left-out"};  // of one tile without a cap
  return with_together(slips_of<TileBack>(tiled, together(kSlipsOfCappedTileBack, kSlipsOfSoftmax)),
                       {{as_in_the_text, std::bind_front(tiled, Made{as_in_the_text})}});
}

}  // namespace mistakes

// What people write in the place of parts 5 and 6.
#pragma once

#include "mistakes_projections.h"

namespace mistakes {

using TileBack = TileGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                   const Tensor&);

// The arguments of part 5, and what its formulas are made of.
struct Tile {
  const Tensor &dZ, &Z, &Q, &K, &V, &log_sums;

  Tensor S() const { return matmul(Q, transpose(K)) / root(Q); }
  Tensor P() const { return exp(S() - log_sums); }
  Tensor dP() const { return right_dP(dZ, V); }
  Tensor sums() const { return row_sum(Z * dZ); }

  TileGradients from(const Tensor& p, const Tensor& row_sums) const { return back(p, p * (dP() - row_sums)); }
  TileGradients back(const Tensor& p, const Tensor& dS) const {
    return {right_dQ(dS, K), right_dK(dS, Q), right_dV(dZ, p)};
  }
};

// A function with the signature of part 5 from one of Tile.
template <auto f>
TileGradients of_tile(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K, const Tensor& V,
                      const Tensor& log_sums) {
  return f(Tile{dZ, Z, Q, K, V, log_sums});
}
using P5 = const Tile&;

inline const std::vector<Mistake<TileBack>> kOfTileBack = {
    {"softmax-of-the-tile",
     "You took the softmax of the tile's scores. Its weights add up to 1 within the tile, but a row of P "
     "adds "
     "up to 1 over all tiles. e^(S - log_sums) divides by the sum over the whole row.",
     kTiles, of_tile<[](P5 t) { return t.from(softmax(t.S()), t.sums()); }>},
    {"row-sums-of-the-tile",
     "You summed P ⊙ dP over the tile. The row sum goes over all keys, and the other tiles are not here. The "
     "row sum of Z ⊙ dZ is the same number, and needs no tile.",
     kTiles, of_tile<[](P5 t) { return t.from(t.P(), row_sum(t.P() * t.dP())); }>},
    {"both-from-the-tile",
     "You went back through the tile as if it were a whole pattern: its own softmax, its own row sums. Both "
     "must be those of the whole row: e^(S - log_sums), and the row sum of Z ⊙ dZ.",
     kTiles, of_tile<[](P5 t) {
       const Tensor P = softmax(t.S());
       return t.from(P, row_sum(P * t.dP()));
     }>},
    {"no-row-sums", "You left out the row-sum term. It belongs to every tile: the row sum of Z ⊙ dZ.", kTiles,
     of_tile<[](P5 t) { return t.back(t.P(), t.P() * t.dP()); }>},
    {"log-sums-forgotten",
     "You took e^S as the weights. They must be divided by the sum over the row, which is e^log_sums: "
     "e^(S - log_sums).",
     kTiles, of_tile<[](P5 t) { return t.from(exp(t.S()), t.sums()); }>},
    {"divided-by-the-logarithm",
     "You divided e^S by log_sums. It is the logarithm of the sum, so it is subtracted from S before e^.",
     kTiles, of_tile<[](P5 t) { return t.from(exp(t.S()) / t.log_sums, t.sums()); }>},
    {"scores-unscaled",
     "You computed the scores again without 1/√d_k. They must be those of the way there, or log_sums does "
     "not "
     "fit them.",
     kTiles, of_tile<[](P5 t) { return t.from(exp(matmul(t.Q, transpose(t.K)) - t.log_sums), t.sums()); }>},
    {"gradients-unscaled",
     "You left 1/√d_k out of dQ and dK. It is needed twice: in the scores, and on the way back through them.",
     kTiles, of_tile<[](P5 t) {
       const Tensor dS = t.P() * (t.dP() - t.sums());
       return TileGradients{matmul(dS, t.K), matmul(transpose(dS), t.Q), right_dV(t.dZ, t.P())};
     }>},
    {"row-sums-of-Z",
     "You used the row sums of Z. What is needed is the row sum of P ⊙ dP, which equals that of Z ⊙ dZ.",
     kTiles, of_tile<[](P5 t) { return t.from(t.P(), row_sum(t.Z)); }>},
    {"row-sums-lie-down",
     "You summed Z ⊙ dZ without keeping the axis, so the sums stand in a row and fit the wrong way, or not "
     "at "
     "all. sum(x, {-1}, true) keeps it.",
     kTiles, of_tile<[](P5 t) { return t.from(t.P(), sum(t.Z * t.dZ, {-1})); }>},
    {"one-sum-for-all-rows",
     "You summed Z ⊙ dZ over all rows. Each query has a row sum of its own: sum(x, {-1}, true).", kTiles,
     of_tile<[](P5 t) { return t.from(t.P(), sum(t.Z * t.dZ)); }>},
    {"dV-from-dS", "You made dV of dS. V meets the weights P, so dV is Pᵀ dZ, with the P of the tile.",
     kValues, of_tile<[](P5 t) {
       TileGradients d = t.from(t.P(), t.sums());
       d.dV = right_dV(t.dZ, t.P() * (t.dP() - t.sums()));
       return d;
     }>},
    {"dS-not-transposed",
     "You wrote dS Q for dK. Key j collects from column j of dS, so dS must be transposed.", kScores,
     of_tile<[](P5 t) {
       const Tensor dS = t.P() * (t.dP() - t.sums());
       return TileGradients{right_dQ(dS, t.K), matmul(dS, t.Q) / root(t.Q), right_dV(t.dZ, t.P())};
     }>},
};

using Whole = AttentionGradients (*)(const Tensor&, const Tensor&, const AttentionWeights&, std::size_t);

enum class Slip {
  no_mask,
  no_mask_there,
  no_mask_back,
  strict_mask,
  mask_after,
  no_row_sum,
  unscaled_there,
  unscaled_back,
  unscaled,
  full_width_there,
  full_width,
  cut,
  not_transposed,
  queries_only,
  without_values,
  last_head,
  without_W_O,
  W_O_not_transposed,
  dW_O_transposed,
  dW_O_from_X,
  one_head,
  P_twice,
  dV_from_P
};

// How a slip takes the heads apart, and puts them together again.
struct Heads {
  Slip slip;
  std::size_t n, d, H;

  std::size_t width() const { return d / H; }
  Tensor apart(const Tensor& x) const {  // (n,d) → (H,n,d/H)
    return slip == Slip::cut ? reshape_to(x, {H, n, width()})
                             : permute(reshape_to(x, {n, H, width()}), {1, 0, 2});
  }
  Tensor together(const Tensor& x) const {
    return reshape_to(slip == Slip::cut ? x : permute(x, {1, 0, 2}), {n, d});
  }
  Tensor pattern(const Tensor& S) const {
    const BoolArray seen = visible_keys(n, n, {.causal = true});
    const Tensor key = reshape_to(arange(n), {1, n}), query = reshape_to(arange(n), {n, 1});
    if (slip == Slip::no_mask) return softmax(S);
    if (slip == Slip::mask_after) return softmax(S) * where(seen, 1, 0);
    if (slip == Slip::strict_mask) return softmax(masked_fill(S, greater(key + 1, query), -INFINITY));
    return softmax(masked_fill(S, !seen, -INFINITY));
  }
  // Without all heads but the last, if that is the slip.
  Tensor kept(const Tensor& x) const {
    if (slip != Slip::last_head) return x;
    return x * reshape_to(where(equal(arange(H), static_cast<double>(H - 1)), 1, 0), {H, 1, 1});
  }
};

// The whole way back with one slip.
template <Slip slip>
AttentionGradients whole(const Tensor& dY, const Tensor& X, const AttentionWeights& w, std::size_t n_heads) {
  const Heads heads{slip, X.length(0), X.length(1), slip == Slip::one_head ? 1 : n_heads};
  const double width = root_of(slip == Slip::full_width ? heads.d : heads.width());
  const bool bare = slip == Slip::unscaled || slip == Slip::unscaled_there;
  const double there = bare ? 1 : slip == Slip::full_width_there ? root_of(heads.d) : width;
  const Tensor Q = heads.apart(matmul(X, w.W_Q)), K = heads.apart(matmul(X, w.W_K)),
               V = heads.apart(matmul(X, w.W_V)), S = matmul(Q, transpose(K)) / there;
  const Tensor P = slip == Slip::no_mask_there ? softmax(S) : heads.pattern(S),
               Z = heads.together(matmul(P, V));
  const Tensor P_back = slip == Slip::no_mask_back ? softmax(S) : heads.pattern(S);

  Tensor to_Z = matmul(dY, slip == Slip::W_O_not_transposed ? w.W_O : transpose(w.W_O));
  if (slip == Slip::without_W_O) to_Z = dY;
  const Tensor dZ = heads.apart(to_Z), dP = matmul(dZ, transpose(V));
  Tensor dS = slip == Slip::no_row_sum ? P * dP : back(P_back, dP);
  if (slip == Slip::P_twice) dS = P * dS;
  const double scale = slip == Slip::unscaled_back || slip == Slip::unscaled ? 1 : width;
  const Tensor q = heads.together(heads.kept(matmul(dS, K) / scale)),
               k = heads.together(
                   heads.kept(matmul(slip == Slip::not_transposed ? dS : transpose(dS), Q) / scale)),
               v = heads.together(heads.kept(matmul(slip == Slip::dV_from_P ? P : transpose(P), dZ)));

  Tensor dX = matmul(q, transpose(w.W_Q));
  if (slip != Slip::queries_only) dX = dX + matmul(k, transpose(w.W_K));
  if (slip != Slip::queries_only && slip != Slip::without_values) dX = dX + matmul(v, transpose(w.W_V));
  const auto to = [&](const Tensor& g) { return matmul(transpose(X), g); };
  const Tensor dW_O = matmul(transpose(slip == Slip::dW_O_from_X ? X : Z), dY);
  return {slip == Slip::dW_O_transposed ? transpose(dW_O) : dW_O, to(v), to(k), to(q), dX};
}

inline const std::vector<Mistake<Whole>> kOfMultiHeadBackward = {
    {"no-mask",
     "You left out the causal mask. Query i sees the keys 0 … i only; later keys get the weight 0, and no "
     "gradient from it.",
     kSoftmax, whole<Slip::no_mask>},
    {"no-mask-on-the-way-there",
     "You left the causal mask out of the pattern that makes Z and dV. It belongs to the way there as well "
     "as "
     "to the way back through the softmax.",
     kSoftmax, whole<Slip::no_mask_there>},
    {"no-mask-on-the-way-back",
     "You left the causal mask out of the way back through the softmax. There P is computed again, and it "
     "must "
     "be the P of the way there.",
     kSoftmax, whole<Slip::no_mask_back>},
    {"strict-mask",
     "Your mask hides the query's own token. Query i sees the keys 0 … i, and key i is one of them.",
     kSoftmax, whole<Slip::strict_mask>},
    {"mask-after-the-softmax",
     "You multiplied the pattern by the mask after the softmax. Then its rows no longer add up to 1. Put -∞ "
     "into "
     "the scores.",
     kSoftmax, whole<Slip::mask_after>},
    {"no-row-sum",
     "You left out the row-sum term of the softmax. dW_O and dW_V are right without it; what comes through "
     "the "
     "scores is not.",
     kSoftmax, whole<Slip::no_row_sum>},
    {"unscaled-on-the-way-back",
     "Your scores are scaled, but dQ and dK are not. 1/√d_k stands in the way there and in the way back.",
     kScores, whole<Slip::unscaled_back>},
    {"unscaled-on-the-way-there",
     "dQ and dK are scaled, but your scores are not. Without 1/√d_k in S the pattern is another one.",
     kScores, whole<Slip::unscaled_there>},
    {"scores-scaled-by-the-full-width",
     "You divided the scores by the root of d. A head has d/n_heads columns, so its scores are divided "
     "by the root of d/n_heads.",
     kScores, whole<Slip::full_width_there>},
    {"unscaled",
     "You left out 1/√d_k, there and back. Your gradients are right for another function: one without the "
     "scale.",
     kScores, whole<Slip::unscaled>},
    {"scaled-by-the-full-width",
     "You scaled with the root of d, there and back. A head has d/n_heads columns, so its scores are divided "
     "by the root of d/n_heads.",
     kScores, whole<Slip::full_width>},
    {"reshape-without-permute",
     "You reshaped (n,d) to (heads, n, d/heads) directly. That cuts the rows in pieces: a head gets whole "
     "tokens. Reshape to (n, heads, d/heads), then permute with {1, 0, 2}, and the other way round at the "
     "end.",
     kProjections, whole<Slip::cut>},
    {"one-head", "You computed one head of the full width. There are n_heads, each with its own columns.",
     kProjections, whole<Slip::one_head>},
    {"last-head-only",
     "Only the last head's dQ, dK and dV are in your result, as by = in a loop. Each head has columns of its "
     "own: put its result there, or work on all heads at once.",
     kProjections, whole<Slip::last_head>},
    {"dS-not-transposed",
     "You wrote dS Q for dK. The shapes fit here, as n = m. Key j collects from column j.", kScores,
     whole<Slip::not_transposed>},
    {"pattern-not-transposed",
     "You wrote P dZ for dV. The shapes fit here, as n = m. Value j collects from column j of P.", kValues,
     whole<Slip::dV_from_P>},
    {"P-twice", "You multiplied dS by P twice. P stands once in front of the bracket.", kSoftmax,
     whole<Slip::P_twice>},
    {"dX-by-the-queries-alone",
     "You went back to X through the queries only. X is used for queries, keys and values: add the three.",
     kProjections, whole<Slip::queries_only>},
    {"dX-without-the-values",
     "You left the way through the values out of dX. X is used for queries, keys and values: add the three.",
     kProjections, whole<Slip::without_values>},
    {"without-W_O", "You used dY as the cotangent of Z. Between them stands Y = Z W_O, so dZ = dY W_Oᵀ.",
     kProjections, whole<Slip::without_W_O>},
    {"W_O-not-transposed",
     "You wrote dY W_O for dZ. The way back multiplies by W_Oᵀ. Square weights hide it.", kProjections,
     whole<Slip::W_O_not_transposed>},
    {"dW_O-transposed", "Your dW_O is transposed: dYᵀ Z. Row p of W_O meets column p of Z, so it is Zᵀ dY.",
     kProjections, whole<Slip::dW_O_transposed>},
    {"dW_O-from-X", "You made dW_O of X. W_O multiplies Z, the heads' results side by side: Zᵀ dY.",
     kProjections, whole<Slip::dW_O_from_X>},
};

}  // namespace mistakes

// What people write in the place of part 5.
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
    return {right_dV(dZ, p), right_dQ(dS, K), right_dK(dS, Q)};
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
     "You summed P ⊙ dP over the tile, or Z ⊙ dZ with a Z of this tile alone, P V. The row sum goes over all "
     "keys, and the other tiles are not here. Take the Z that is given: it is that of all keys, and the row "
     "sum "
     "of Z ⊙ dZ is the one you need.",
     kTiles, of_tile<[](P5 t) { return t.from(t.P(), row_sum(t.P() * t.dP())); }>},
    {"both-from-the-tile",
     "You went back through the tile as if it were a whole pattern: its own softmax, its own row sums. Both "
     "must be those of the whole row: e^(S - log_sums), and the row sum of Z ⊙ dZ.",
     kTiles, of_tile<[](P5 t) {
       const Tensor P = softmax(t.S());
       return t.from(P, row_sum(P * t.dP()));
     }>},
    {"part-2-on-the-tile",
     "For dS you used the softmax and the row sums of the tile, as softmax_scores_back "
     "does: it "
     "takes its scores for a whole row. Write dS with e^(S - log_sums) and the row sum of Z ⊙ dZ.",
     kTiles, of_tile<[](P5 t) {
       const Tensor P = softmax(t.S());
       return t.back(t.P(), P * (t.dP() - row_sum(P * t.dP())));
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
    {"scores-divided-by-the-logarithm",
     "You divided S by log_sums. e^S is to be divided by e^log_sums, and in the exponent that is a "
     "difference: "
     "e^(S - log_sums).",
     kTiles, of_tile<[](P5 t) { return t.from(exp(t.S() / t.log_sums), t.sums()); }>},
    {"softmax-divided-by-the-logarithm",
     "You divided the softmax of the tile by log_sums. The tile's weights are e^S divided by the sum over "
     "the "
     "whole row, and log_sums is the logarithm of that sum: e^(S - log_sums).",
     kTiles, of_tile<[](P5 t) { return t.from(softmax(t.S()) / t.log_sums, t.sums()); }>},
    {"scores-unscaled",
     "You computed the scores again without 1/√d_k. They must be those of the forward pass, or log_sums does "
     "not "
     "fit them.",
     kTiles, of_tile<[](P5 t) { return t.from(exp(matmul(t.Q, transpose(t.K)) - t.log_sums), t.sums()); }>},
    {"gradients-unscaled",
     "You left 1/√d_k out of dQ and dK. It is needed twice: in the scores, and in their backward pass.",
     kTiles, of_tile<[](P5 t) {
       const Tensor dS = t.P() * (t.dP() - t.sums());
       return TileGradients{right_dV(t.dZ, t.P()), matmul(dS, t.K), matmul(transpose(dS), t.Q)};
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
       return TileGradients{right_dV(t.dZ, t.P()), right_dQ(dS, t.K), matmul(dS, t.Q) / root(t.Q)};
     }>},
};

}  // namespace mistakes

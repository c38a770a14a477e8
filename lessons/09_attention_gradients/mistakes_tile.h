// What people write in the place of part 5.
#pragma once

#include "mistakes.h"

namespace mistakes {

using TileBack = TileGradients (*)(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                   const Tensor&, double);

namespace tiles {
enum : Flaws {
  no_cap = 1,
  no_slope = 2,
  slope_not_squared = 4,
  slope_of_S = 8,
  slope_with_cap = 16,
  slope_divided = 32,
  slope_on_dP = 64,
  softmax_of_tile = 128,
  sums_of_tile = 256,
  no_sums = 512,
  no_log_sums = 1024,
  over_log_sums = 2048,
  S_over_log_sums = 4096,
  S_unscaled = 8192,
  unscaled = 1 << 14,
  sums_of_Z = 1 << 15,
  lies_down = 1 << 16,
  one_sum = 1 << 17,
  dV_from_dS = 1 << 18,
  not_transposed = 1 << 19,
  slope_of_capped = 1 << 20,
  dK_unscaled = 1 << 21
};
}

template <Flaws f>
TileGradients tiled(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K, const Tensor& V,
                    const Tensor& log_sums, double cap) {
  using namespace tiles;
  const double root = root_of(Q.length(-1)), scale = f & unscaled ? 1 : 1 / root;
  const Tensor A = matmul(Q, transpose(K)) / (f & S_unscaled ? 1 : root), bent = tanh(A / cap);
  const Tensor S = f & no_cap ? A : cap * bent;
  const Tensor P = f & softmax_of_tile   ? softmax(S)
                   : f & no_log_sums     ? exp(S)
                   : f & over_log_sums   ? exp(S) / log_sums
                   : f & S_over_log_sums ? exp(S / log_sums)
                                         : exp(S - log_sums);
  const Tensor of_S = tanh(S / cap);
  Tensor slope = 1 - bent * bent;
  if (f & no_slope) slope = Tensor(1);
  if (f & slope_not_squared) slope = 1 - bent;
  if (f & slope_of_S) slope = 1 - of_S * of_S;
  if (f & slope_of_capped) slope = 1 - S * S;
  if (f & slope_with_cap) slope = slope * cap;
  if (f & slope_divided) slope = slope / cap;
  const Tensor dP = matmul(dZ, transpose(V));
  Tensor sums = row_sum(Z * dZ);
  if (f & sums_of_tile) sums = row_sum(P * dP);
  if (f & sums_of_Z) sums = row_sum(Z);
  if (f & lies_down) sums = sum(Z * dZ, {-1});
  if (f & one_sum) sums = sum(Z * dZ);
  const Tensor dS = P * (f & no_sums ? dP : f & slope_on_dP ? slope * dP - sums : dP - sums);
  const Tensor dA = f & slope_on_dP ? dS : dS * slope;
  return {matmul(transpose(f & dV_from_dS ? dS : P), dZ), matmul(dA, K) * scale,
          matmul(f & not_transposed ? dA : transpose(dA), Q) * (f & dK_unscaled ? 1 : scale)};
}

inline const std::vector<Mistake<TileBack>> kOfCappedTileBack = {
    {"cap-only-on-the-way-back",
     "You computed P from the scores without the cap. The P of the forward pass is made of S = cap · "
     "tanh(A / cap), or log_sums does not fit it.",
     kTiles, tiled<tiles::no_cap>},
    {"slope-of-the-cap-left-out",
     "You went back from S to Q and K as if there were no cap. Between S and A stands cap · tanh(A / "
     "cap), "
     "so dA is dS times its slope.",
     kScores, tiled<tiles::no_slope>},
    {"slope-not-squared", "Your slope is 1 - tanh. It is 1 - tanh².", kScores,
     tiled<tiles::slope_not_squared>},
    {"slope-at-the-capped-score",
     "You took the slope at S / cap. tanh was applied to A / cap, so its slope is 1 - tanh²(A / cap), "
     "which "
     "is 1 - (S / cap)².",
     kScores, tiled<tiles::slope_of_S>},
    {"slope-of-the-capped-score",
     "You took 1 - S² for the slope of the cap. The slope of tanh is 1 - tanh², and S is cap · tanh: square "
     "S / cap.",
     kScores, tiled<tiles::slope_of_capped>},
    {"dK-without-the-scale", "You left 1/√d_k out of dK. It is a factor of each score, so of dQ and of dK.",
     kScores, tiled<tiles::dK_unscaled>},
    {"cap-in-the-slope",
     "You multiplied the slope by cap. In cap · tanh(A / cap) the cap in front and the one below cancel.",
     kScores, tiled<tiles::slope_with_cap>},
    {"slope-divided-by-the-cap",
     "You divided the slope by cap. In cap · tanh(A / cap) the cap in front and the one below cancel.",
     kScores, tiled<tiles::slope_divided>},
    {"slope-before-the-softmax",
     "You multiplied dP by the slope of the cap. The backward pass goes through the softmax first: dS "
     "times the slope is dA.",
     kSoftmax, tiled<tiles::slope_on_dP>},
    {"softmax-of-the-tile",
     "You took the softmax of the tile's scores. Its weights add up to 1 within the tile, but a row of P "
     "adds up to 1 over all tiles. e^(S - log_sums) divides by the sum over the whole row.",
     kTiles, tiled<tiles::softmax_of_tile>},
    {"row-sums-of-the-tile",
     "You summed P ⊙ dP over the tile, or Z ⊙ dZ with a Z of this tile alone, P V. The row sum goes over "
     "all keys, and the other tiles are not here. Take the Z that is given: it is that of all keys.",
     kTiles, tiled<tiles::sums_of_tile>},
    {"no-row-sums", "You left out the row-sum term. It belongs to every tile: the row sum of Z ⊙ dZ.", kTiles,
     tiled<tiles::no_sums>},
    {"log-sums-forgotten",
     "You took e^S as the weights. They must be divided by the sum over the row, which is e^log_sums: "
     "e^(S - log_sums).",
     kTiles, tiled<tiles::no_log_sums>},
    {"divided-by-the-logarithm",
     "You divided e^S by log_sums. It is the logarithm of the sum, so it is subtracted from S before e^.",
     kTiles, tiled<tiles::over_log_sums>},
    {"scores-divided-by-the-logarithm",
     "You divided S by log_sums. e^S is to be divided by e^log_sums, and in the exponent that is a "
     "difference: e^(S - log_sums).",
     kTiles, tiled<tiles::S_over_log_sums>},
    {"scores-unscaled",
     "You computed the scores again without 1/√d_k. They must be those of the forward pass, or log_sums "
     "does not fit them.",
     kTiles, tiled<tiles::S_unscaled>},
    {"gradients-unscaled",
     "You left 1/√d_k out of dQ and dK. It is needed twice: in the scores, and in their backward pass.",
     kScores, tiled<tiles::unscaled>},
    {"row-sums-of-Z",
     "You used the row sums of Z. What is needed is the row sum of P ⊙ dP, which equals that of Z ⊙ dZ.",
     kTiles, tiled<tiles::sums_of_Z>},
    {"row-sums-lie-down",
     "You summed Z ⊙ dZ without keeping the axis, so the sums stand in a row and fit the wrong way, or "
     "not "
     "at all. sum(x, {-1}, true) keeps it.",
     kTiles, tiled<tiles::lies_down>},
    {"one-sum-for-all-rows",
     "You summed Z ⊙ dZ over all rows. Each query has a row sum of its own: sum(x, {-1}, true).", kTiles,
     tiled<tiles::one_sum>},
    {"dV-from-dS", "You made dV of dS. V meets the weights P, so dV is Pᵀ dZ, with the P of the tile.",
     kValues, tiled<tiles::dV_from_dS>},
    {"dA-not-transposed",
     "You did not transpose the cotangent of the scores in dK. Key j collects from its column j.", kScores,
     tiled<tiles::not_transposed>}};

inline std::vector<Mistake<TileBack>> of_capped_tile_back() {
  return with_together<TileBack>(
      kOfCappedTileBack,
      {{{"cap-only-on-the-way-back", "slope-of-the-cap-left-out"}, tiled<tiles::no_cap | tiles::no_slope>},
       {{"softmax-of-the-tile", "row-sums-of-the-tile"}, tiled<tiles::softmax_of_tile | tiles::sums_of_tile>},
       {{"slope-of-the-cap-left-out", "row-sums-of-the-tile"}, tiled<tiles::no_slope | tiles::sums_of_tile>},
       {{"slope-of-the-cap-left-out", "softmax-of-the-tile"},
        tiled<tiles::no_slope | tiles::softmax_of_tile>},
       {{"scores-unscaled", "gradients-unscaled"}, tiled<tiles::S_unscaled | tiles::unscaled>},
       {{"softmax-of-the-tile", "row-sums-of-the-tile", "slope-of-the-cap-left-out"},
        tiled<tiles::softmax_of_tile | tiles::sums_of_tile | tiles::no_slope>},
       {{"slope-of-the-cap-left-out", "gradients-unscaled"}, tiled<tiles::no_slope | tiles::unscaled>}});
}

}  // namespace mistakes

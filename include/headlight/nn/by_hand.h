// A transformer whose weights are set by hand, not trained: a previous-token head and an induction head that
// do exactly what their names say. Analyses are tried on it, because every number that they should find is
// known in advance.
#pragma once

#include <string>

#include "headlight/core/registry.h"
#include "headlight/nn/transformer.h"

namespace headlight::nn {

// The ingredient of the induction circuit that differs from the circuit below.
enum class Broken {
  nothing,
  copying,          // the induction head copies token v as v + 1 mod V: it looks right and says wrong
  matching,         // the induction head's keys do not hold the previous token: it finds nothing
  position_only,    // layer 1's head looks a fixed distance back, whatever the tokens are
  through_queries,  // nothing is broken, but the two heads compose through queries in place of keys
};

// "none", "copying", "matching", "position-only", "through-queries".
const Registry<Broken>& broken_ingredients();

// Its name in broken_ingredients().
std::string to_string(Broken broken);

struct InductionByHand {
  std::size_t d_vocab = 64;  // V, at least 2
  std::size_t n_ctx = 64;    // T, at least 2
  std::size_t n_heads = 4;   // of each layer; all but head 0 are spare
  Broken broken = Broken::nothing;
  std::size_t offset = 0;  // of position_only: how far back the head looks. 0: 3/8 of n_ctx, less 1
};

// Coordinates first … first+size-1 of a vector.
struct Coordinates {
  std::size_t first = 0, size = 0;

  // `count` of them, without the first `skip`.
  Coordinates part(std::size_t skip, std::size_t count) const { return {first + skip, count}; }
};

// The residual stream: 3V + 2T coordinates in blocks of one-hot vectors.
//
//   block     size  holds                                    written by           read by
//   token     V     the token                                W_E                  both layers
//   output    V     what the induction head copied           layer 1, head 0      W_U
//   previous  V     the token before                         layer 0, head 0      keys of layer 1, head 0
//   position  T     the position                             W_pos                both layers
//   pointer   T     positions of earlier copies of the token layer 0, head 0 of   queries of layer 1, head 0
//                                                            through_queries
struct StreamByHand {
  Coordinates token, output, previous, position, pointer;

  std::size_t d_model() const { return pointer.first + pointer.size; }
};
StreamByHand stream_by_hand(const InductionByHand& options);

// The model: two layers of attention only, learned positions, no norm, no biases, d_head = V + T. For a query
// at position i and a key at position j, with tokens x and S = 40:
//
//   layer 0, head 0: previous-token head      score(i,j) = S·[j = i - 1]
//                                             writes x_j to `previous`
//   layer 1, head 0: induction head           score(i,j) = S·[previous of j = x_i] - 2S·[j = 0]
//                                             writes x_j to `output`
//   logits = 20·output
//
// Position 0 has no token before it, and writes its own as its previous token; the second term of the
// induction score hides it. If a token has several earlier copies, their followers share the attention. If it
// has none, all positions but 0 share it. Patterns are exact up to rounding, so a predicted token has a
// loss of (V-1)·e^-20 nats. Spare heads have weights of 0: they attend to all positions equally and write 0.
//
// What the others change:
//   copying          layer 1 writes x_j + 1 mod V
//   matching         layer 1 has score(i,j) = -2S·[j = 0]
//   position_only    layer 1 has score(i,j) = S·[j = i - offset]. It predicts repeats of the period
//                    offset + 1, and of its divisors. Where i < offset, it attends to all equally
//   through_queries  layer 0, head 0: duplicate-token head    score(i,j) = S·[x_j = x_i] - 2S·[j = i]
//                                                             writes one-hot j to `pointer`
//                    layer 1, head 0                          score(i,j) = T·S·(pointer of i at j - 1)
//                    The same predictions, by pointer arithmetic. The factor T keeps patterns exact when many
//                    copies share a pointer. Before a token's first repeat the pointer means nothing
//
// Elhage et al. 2021 ("A Mathematical Framework for Transformer Circuits") describe K-composition and pointer
// arithmetic by Q-composition; Olsson et al. 2022 define matching and copying.
//
// Throws Error for a vocabulary, a context or heads that are too few or too many, for an offset that the
// context cannot hold, and for an offset of a model that has none.
Transformer induction_by_hand(const InductionByHand& options = {});

}  // namespace headlight::nn

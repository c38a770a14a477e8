// The task and the model of Musat et al. 2025, and the directions in which training moves its weights.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "headlight/autograd/tensor.h"
#include "headlight/core/array.h"
#include "headlight/core/rng.h"
#include "measures.h"

namespace headlight::papers::musat {

// N items and N labels are vectors of D numbers, and so are N + 1 positions p with their rotations M p, where
// M (a,b) = (-b,a) for the halves of a vector. All are orthonormal: unit vectors with a random sign.
constexpr std::size_t width(std::size_t pairs) { return 2 * (pairs + 1); }

struct Sequences {
  Tensor x;       // (B,2N+1,2D): item 1, label 1, …, label N, and item N again, each beside its position
  Tensor answer;  // (B,1,D): label N
};

// Item i stands at p_i, its label at M p_i, and the item that asks at a position of its own.
Sequences sequences(std::size_t pairs, std::size_t count, Rng rng);

// Two layers of one head, with a matrix for keys and queries together: score (i,j) = x_i W x_j. What a head
// reads is put beside the residual stream instead of added to it, so that the width doubles with each layer.
// A token sees the tokens before it, and not itself. The weights start at zero.
struct Model {
  std::size_t D;
  Tensor W1, W2, W3;  // (2D,2D) and (4D,4D) for the scores, (8D,D) for the output

  explicit Model(std::size_t pairs);

  Tensor operator()(const Tensor& x) const;       // (B,1,D), at the last token
  Tensor summed_error(const Sequences& s) const;  // Σ |output - answer|² / 2: of a sequence 1/2 at the start
  std::array<Tensor, 3> weights() const { return {W1, W2, W3}; }
  void visit(auto&& v) const { v("W1", W1), v("W2", W2), v("W3", W3); }
};

// A direction of the weights: the identity, or Mᵀ, in one D×D block of one matrix.
struct Direction {
  std::size_t matrix, row, column;
  bool rotated = false;

  double dot(const Array& W, std::size_t D) const;         // Σ W over the block, with the direction's signs
  void add(double change, Array& W, std::size_t D) const;  // W ← W + change · direction
  double parameter_of(const Model& m) const;               // its multiple in the weights
};

// The 19 directions. Contents and positions alternate in the residual stream. Contents meet contents by a
// multiple of the identity, positions meet positions by multiples of the identity and of Mᵀ, and contents are
// the output.
std::vector<Direction> nineteen();

// Those of the induction head, in the order in which they form: γ copies what layer 2 reads; β matches, from
// an item to a token that has read this item; α looks back, from a label to its item.
std::vector<Direction> three();

}  // namespace headlight::papers::musat

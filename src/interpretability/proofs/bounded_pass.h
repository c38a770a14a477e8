// The forward pass of a decoder of attention only, with a bound on its rounding.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "headlight/interpret/balls.h"
#include "headlight/nn/transformer.h"

namespace headlight::interpret {

// A token, and the one before it in its sequence: a row of a tree of sequences that share their beginnings.
struct TreeToken {
  std::int32_t token;
  std::size_t position;
  std::ptrdiff_t before;  // its row, above this one; -1 at position 0
};

// The model in double precision. It is one that check_boundable() accepts.
class BoundedModel {
 public:
  // For positions 0 … positions-1.
  BoundedModel(const nn::Transformer& model, std::size_t positions);

  // The logits (leaves,d_vocab) at the last tokens of the tree, which stand at its end.
  Balls logits(const std::vector<TreeToken>& tree, std::size_t leaves) const;

 private:
  struct Layer {
    const nn::Block* block;
    ExactMatrix W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O;
  };
  struct Turn {
    std::size_t from;
    double by;
  };

  Balls placed(const std::vector<TreeToken>& tree, const ExactMatrix& table, bool by_position) const;
  Balls attend(const Balls& normalized, const Layer& layer, const std::vector<TreeToken>& tree) const;
  void turn(Balls& x, const std::vector<TreeToken>& tree) const;

  const nn::Transformer& model_;
  bool vectors_in_stream_;
  std::size_t n_heads_, d_head_;
  ExactMatrix W_E_, W_pos_, W_U_;
  std::vector<Layer> layers_;
  // Of each position and each element of a head, where positions rotate: the elements that it is made of.
  std::vector<std::vector<std::vector<Turn>>> turns_;
};

}  // namespace headlight::interpret

// What the page needs to take a score, a logit and a head's weights apart. The page multiplies the factors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headlight/core/array.h"

namespace headlight::page {

// Numbers as integers of 16 bits: number = integer · step of its block, with an error of at most step/2. A
// block's step is its largest modulus / 32767.
class PackedNumbers {
 public:
  PackedNumbers() = default;

  // An array in `blocks` equal parts, which follow one another in memory. Throws Error if the size is no
  // multiple of `blocks`, and for numbers that are not finite.
  explicit PackedNumbers(const Array& x, std::size_t blocks = 1);

  bool empty() const { return bytes_.empty(); }
  const Shape& shape() const { return shape_; }
  const std::vector<double>& steps() const { return steps_; }  // one for each block
  const std::string& bytes() const { return bytes_; }          // little-endian, two's complement

 private:
  Shape shape_;
  std::vector<double> steps_;
  std::string bytes_;
};

// What writes to the residual stream: "embed", "pos_embed", "head", "mlp" or "bias" (all biases together).
struct PagePart {
  std::string kind;
  std::size_t index = 0;  // of a head, counted through the page's stacks, or of an MLP's layer
};

// The scores of one head on one sequence (interpret::HeadScoreSources):
//   score(i,j) = cap(Σ_s Σ_t q[s,i]·k[t,j]) + bias(i-j),  cap(x) = c·tanh(x/c), or x if c is 0
struct PageScores {
  std::vector<PagePart> parts;  // (S)
  PackedNumbers q, k;           // (S,n,d_head), a block for each part
  PackedNumbers bias = {};      // of i-j = 1-n … n-1; empty: 0
  double cap = 0;
  std::optional<double> sink = {};  // a further score of the softmax, without a key
  std::size_t window = 0;           // query i sees keys j with |i-j| < window only; 0: all
};

// One sequence taken apart.
struct PageTerms {
  std::vector<PageScores> heads;  // of the page's first stack, layer by layer; empty: not taken apart
  std::vector<PagePart> parts;    // (S) of the logits
  // (S,n,G+1): what each part contributes to the logits less their mean over the vocabulary, at each
  // position. First those of the position's G guesses; 0 where it has fewer. The last is that of its target,
  // or 0.
  PackedNumbers contributions;
};

// The weights of one head, as the circuits of interpret/circuits.h without constants. Factors that do not
// exist for the head, or would be too large, are empty.
struct PageHeadCircuit {
  PackedNumbers ov_left, ov_right;  // (V,r)·(r,V): W_E·OV·W_U
  PackedNumbers qk_left, qk_right;  // (V,d_head)·(d_head,V): W_E·QK·W_Eᵀ, at distance 0
  PackedNumbers positions_left = {}, positions_right = {};  // (n_ctx,d_head)·(d_head,n_ctx): W_pos·QK·W_posᵀ
  std::optional<std::size_t> through = {};                  // the head with which the keys compose most
  PackedNumbers through_right = {};  // (d_head,V): the keys that this head writes, QK·(W_E·OV)ᵀ
  std::optional<double> eigen = {};  // the copying score
};

// How strongly one head reads what another wrote (interpret::Composition), for queries, keys and values.
struct PageEdge {
  std::size_t from, to;
  std::array<double, 3> ratio, baseline;
};

struct PageCircuits {
  // (d_head,d_head), row by row: a query's row q becomes q·turn^d for a key d positions before it. Empty: the
  // scores of tokens do not depend on their distance.
  std::vector<double> turn = {};
  std::vector<PageHeadCircuit> heads = {};  // of all the page's stacks; empty: nothing is known
  std::vector<PageEdge> edges = {};
  std::string no_terms = {};     // why no sequence is taken apart; empty: the first ones are
  std::string no_matrices = {};  // why heads have no factors
};

}  // namespace headlight::page

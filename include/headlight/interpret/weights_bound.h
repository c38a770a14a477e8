// A lower bound on accuracy over every input, from the weights, without trying every input.
#pragma once

#include <cstdint>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"

namespace headlight::interpret {

// What is proven of the inputs of which so many tokens are looked at, the others being any tokens.
struct BoundLevel {
  std::size_t known = 0;     // tokens that a case fixes: A, B and others
  std::uint64_t cases = 0;   // that were examined
  std::uint64_t proven = 0;  // inputs whose answer is proven right by these cases
};

// Of the cases that fix A, B and their place only, in the worst and in the mean of these cases: how much
// the bound leaves of each step.
struct BoundTerm {
  double least = 0, mean = 0;
};

struct WeightsBound {
  std::size_t length = 0, tokens = 0;
  std::uint64_t inputs = 0;        // of AllInputs
  std::vector<BoundLevel> levels;  // from A and B alone on
  BoundTerm previous;              // the weight that the first layer's head gives to A from B's position
  BoundTerm lead;                  // the score of B's position less the largest other, in the second layer
  BoundTerm weight;                // the weight that its head gives to B's position
  BoundTerm margin;                // the logit of B less the largest other

  std::uint64_t proven() const;
  double accuracy() const;  // at least
};

// The inputs are those of AllInputs: … A B … A. A case fixes A, where it stands, B, and up to `known` tokens
// in all. All other tokens are free, so each number that depends on them is an interval: a score is bounded
// over the tokens that a position may hold, a weight of a softmax by the bounds of its scores, a weighted sum
// by the least or largest way of giving weights within these bounds that add up to 1. A case is proven when
// the logit of B less any other is above 0 for all that is free; if it is not, it is divided by one more
// token, up to `known`.
//
// Computed in double precision, with the rounding in the intervals. Throws Error for another model than one
// of two layers of attention only with one head each, without norms and biases, with rotary, learned,
// sinusoidal or no positions; as try_all_inputs() does for the length and for numbers too large; and for
// `known` outside 2 … length-1.
WeightsBound bound_from_weights(const nn::Transformer& model, const tasks::Task& task, std::size_t length,
                                std::size_t known, ThreadPool& pool);

}  // namespace headlight::interpret

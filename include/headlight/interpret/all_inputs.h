// Every input of a small kind tried: [A][B] … [A] → [B], with a bound on the rounding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "headlight/core/thread_pool.h"
#include "headlight/nn/transformer.h"
#include "headlight/tasks/task.h"

namespace headlight::interpret {

// What a model answers to every sequence of `length` tokens of which all but the last are different, and the
// last is one of them again, but not the one before it: V!/(V-length+1)! · (length-2) inputs of V tokens. The
// right answer is the token that followed the first time.
struct AllInputs {
  std::size_t length = 0, tokens = 0;
  std::uint64_t inputs = 0;
  // Inputs whose right answer has the largest logit whatever the rounding; those where another token has; and
  // those of which the rounding does not let us know.
  std::uint64_t right = 0, wrong = 0, undecided = 0;
  double least_margin = 0;  // of the inputs that are right: the right logit less the largest other, at least
  std::vector<std::int32_t> closest;      // the first input with that margin; empty if none is right
  std::vector<std::int32_t> first_wrong;  // the first input that is not right; empty if all are
  double largest_radius = 0;              // of a logit

  // What followed the last token of an input the first time.
  static std::int32_t answer(const std::vector<std::int32_t>& input) {
    return *std::next(std::find(input.begin(), input.end(), input.back()));
  }
  double accuracy() const { return static_cast<double>(right) / static_cast<double>(inputs); }
};

// Throws Error for a model or a number of inputs that it cannot examine: an architecture other than a
// decoder, MLPs and what else check_boundable() names; a length below 3, above the context or with more
// different tokens than the task has; more than 100 million inputs; logits above 1e300. Special tokens of the
// task do not occur.
AllInputs try_all_inputs(const nn::Transformer& model, const tasks::Task& task, std::size_t length,
                         ThreadPool& pool);

// V!/(V-length+1)! · (length-2); 0 if there are fewer tokens than it takes.
double count_of_inputs(std::size_t tokens, std::size_t length);

// Throws Error for a length or a number of inputs as try_all_inputs() does.
void check_inputs(const nn::TransformerConfig& config, std::size_t tokens, std::size_t length);

// Throws Error unless bounds can be computed for the model: a decoder of attention only, whose queries, keys
// and values have a matrix each, with positions that have no bias.
void check_boundable(const nn::TransformerConfig& config);

}  // namespace headlight::interpret

// Every op with inputs to try it on. The tests of this folder run over the whole list: an op is tested by
// being in it, and a test fails for one that is not.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "headlight/autograd/tensor.h"

namespace headlight {

using OpFunction = std::function<Tensor(const std::vector<Tensor>&)>;

struct Sample {
  std::string op;    // as declared in include/headlight/ops
  std::string what;  // what is special here
  std::vector<Tensor> inputs;
  OpFunction function;
  OpFunction reference = {};  // for fused ops: the same, composed of simple ones
};

const std::vector<Sample>& samples();

// Adds those of attention and of rotary positions.
void attention_samples(std::vector<Sample>& s);

// Adds those of functions of numbers, reductions, orders and losses, mostly composed of other ops.
void everyday_samples(std::vector<Sample>& s);

// Names of the functions that return a Tensor, several, or a Sorted in the headers of the ops; references
// aside, and functions that only make constants.
std::set<std::string> declared_ops();

// Inputs to try an op on, each with other random numbers; the same in every run.
namespace sample_inputs {

Tensor normal(const Shape& shape);
Tensor positive(const Shape& shape);

// At least 0.2 from zero, where relu and abs have their kink.
Tensor off_zero(const Shape& shape);

// All numbers at least 0.1 apart, so that no maximum changes hands within a finite difference.
Tensor spread(const Shape& shape);

IntArray indices(const Shape& shape, std::size_t below);

// True with probability p.
BoolArray mask(const Shape& shape, double p = 0.6);

}  // namespace sample_inputs

}  // namespace headlight

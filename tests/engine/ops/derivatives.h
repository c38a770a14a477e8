// Both derivatives of a function at once, to compare two ways to write it.
#pragma once

#include <vector>

#include "headlight/autograd/gradcheck.h"
#include "samples.h"

namespace headlight {

struct Derivatives {
  Array value;
  std::vector<Array> gradients;  // of Σ u ⊙ f, u random but the same for equal shapes
  std::vector<Array> hessian;    // its Hessian times the directions
};

// `directions` has an array for each input, of its shape.
Derivatives derivatives(const OpFunction& f, const std::vector<Tensor>& inputs,
                        const std::vector<Array>& directions);

// A random array for each input.
std::vector<Array> random_directions(const std::vector<Tensor>& inputs);

// f³, which has a second derivative even where f is linear; and its second derivative against differences.
OpFunction cubed(const OpFunction& f);
GradcheckReport check_second(const std::string& what, const OpFunction& f, const std::vector<Tensor>& inputs);

}  // namespace headlight

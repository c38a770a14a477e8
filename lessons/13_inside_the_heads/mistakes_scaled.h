// Wrong ways to measure how much of a head a model needs.
#pragma once

#include <cmath>
#include <string>

#include "examined.h"
#include "grader/trials.h"

namespace mistakes {

using grader::Made;

// What a hook returns in the place of z with its head 1 scaled; z is (B,n,4,8).
inline Tensor scaled_with(const Made& made, const Tensor& z, double factor) {
  const bool places = made("position-1");
  Array here = Array::from_shape(places ? Shape{z.length(1), 1, 1} : Shape{z.length(2), 1});
  here.fill(made("all-heads") ? 1 : 0);
  here.data()[made("head-0") ? 0 : made("head-2") ? 2 : made("head-3") ? 3 : 1] = 1;
  if (made("all-but-head-1")) here = 1 - here;
  if (made("factor-squared")) factor *= factor;
  if (made("whole-factor")) factor = std::trunc(factor);
  if (made("1-minus-factor")) factor = 1 - factor;
  if (made("1-plus-factor")) factor = 1 + factor;
  if (made("divided") && factor > 0) factor = 1 / factor;
  if (made("factor-added")) return z + Tensor(here) * factor;
  return made("others-at-0") ? z * Tensor(here) * factor : z + Tensor(here) * ((factor - 1) * z);
}

inline std::vector<double> accuracies_with(const Made& made, const std::vector<double>& factors) {
  const std::string name = made("layer-1") ? "blocks.1.attn.hook_z" : "blocks.0.attn.hook_z";
  std::vector<double> all;
  for (const double factor : factors)
    all.push_back(
        accuracy_with({{name, [made, factor](const Tensor& z) { return scaled_with(made, z, factor); }}}));
  return all;
}

inline std::vector<grader::WrongMeasure> of_scaled_head() {
  return grader::wrong_measures(
      accuracies_with,
      {{"head-0", "You scale head 0. L0H1 is head 1 of layer 0: heads count from 0."},
       {"head-2", "You scale head 2. L0H1 is head 1 of layer 0: heads count from 0."},
       {"head-3", "You scale head 3. L0H1 is head 1 of layer 0: heads count from 0."},
       {"layer-1", "You scale a head of layer 1. L0H1 is in layer 0: blocks.0.attn.hook_z."},
       {"all-heads", "You scale all heads of the layer. Scale head 1 alone."},
       {"all-but-head-1", "You scale the other heads. Scale head 1, and leave the others as they are."},
       {"others-at-0", "You set the other heads to 0. They stay as they are: multiply them by 1."},
       {"position-1", "You scale position 1, for all heads. z is (B,n,4,8): the heads are axis 2."},
       {"factor-squared", "You multiply by the factor twice. Once is enough."},
       {"whole-factor", "Your factor is a whole number: an int holds it. Take a double."},
       {"1-minus-factor", "You multiply by 1 - factor. At 1 the head is as it was: multiply by the factor."},
       {"1-plus-factor",
        "You add z times the factor to z. At 1 the head is as it was: multiply by the factor alone."},
       {"divided", "You divide by the factor. Multiply by it."},
       {"factor-added", "You add the factor to z. Multiply by it."}});
}

}  // namespace mistakes

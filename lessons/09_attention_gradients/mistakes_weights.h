// What people write in the place of part 4 for one of its gradients only, or with a factor that is not
// transposed.
#pragma once

#include <string>
#include <vector>

#include "mistakes_projections.h"

namespace mistakes {

enum class Flaw { mean, axis_1, with_batch, X_not_transposed };

template <Flaw flaw>
Tensor flawed(P4 p, const Tensor& d) {
  if constexpr (flaw == Flaw::X_not_transposed) return sum(matmul(p.X, d), {0});
  const Tensor each = matmul(transpose(p.X), d);
  return flaw == Flaw::mean ? mean(each, {0}) : flaw == Flaw::axis_1 ? sum(each, {1}) : each;
}

// The flaw in the gradients of these weights.
template <Flaw flaw, bool in_Q, bool in_K, bool in_V>
ProjectionGradients with_flaw(P4 p) {
  return {in_Q ? flawed<flaw>(p, p.dQ) : p.to_weight(p.dQ), in_K ? flawed<flaw>(p, p.dK) : p.to_weight(p.dK),
          in_V ? flawed<flaw>(p, p.dV) : p.to_weight(p.dV), p.dX()};
}

// dX with these weights as they are, not transposed.
template <bool in_Q, bool in_K, bool in_V>
ProjectionGradients with_weight_as_it_is(P4 p) {
  return p.with_dX(matmul(p.dQ, in_Q ? p.W_Q : transpose(p.W_Q)) +
                   matmul(p.dK, in_K ? p.W_K : transpose(p.W_K)) +
                   matmul(p.dV, in_V ? p.W_V : transpose(p.W_V)));
}

// X not transposed in the first three, the weights not transposed in the last three.
template <bool X_Q, bool X_K, bool X_V, bool in_Q, bool in_K, bool in_V>
ProjectionGradients with_two(P4 p) {
  ProjectionGradients d = with_flaw<Flaw::X_not_transposed, X_Q, X_K, X_V>(p);
  d.dX = with_weight_as_it_is<in_Q, in_K, in_V>(p).dX;
  return d;
}

// A mistake for each of the three gradients. `#` stands for Q, K or V.
template <auto in_Q, auto in_K, auto in_V>
void add_for_each(std::vector<Mistake<ProjectionsBack>>& all, const std::string& name,
                  const std::string& sentence) {
  const auto of = [](std::string words, char letter) {
    for (char& each : words)
      if (each == '#') each = letter;
    return words;
  };
  all.push_back({of(name, 'Q'), of(sentence, 'Q'), kProjections, of_projections<in_Q>});
  all.push_back({of(name, 'K'), of(sentence, 'K'), kProjections, of_projections<in_K>});
  all.push_back({of(name, 'V'), of(sentence, 'V'), kProjections, of_projections<in_V>});
}

template <Flaw flaw>
void add_flaw(std::vector<Mistake<ProjectionsBack>>& all, const std::string& name,
              const std::string& sentence) {
  add_for_each<with_flaw<flaw, true, false, false>, with_flaw<flaw, false, true, false>,
               with_flaw<flaw, false, false, true>>(all, name, sentence);
}

inline std::vector<Mistake<ProjectionsBack>> of_projections_back() {
  std::vector<Mistake<ProjectionsBack>> all = kOfProjectionsBack;
  all.push_back(
      {"axis-1-for-the-batch",
       "You summed axis 1 of Xᵀ dQ, dK and dV. Axis 0 is the batch, and only the batch is added up.",
       kProjections, of_projections<with_flaw<Flaw::axis_1, true, true, true>>});
  all.push_back({"X-not-transposed",
                 "You multiplied X itself by dQ, dK and dV. Row p of a weight meets column p of X, so its "
                 "gradient is Xᵀ dQ: X must be transposed.",
                 kProjections, of_projections<with_flaw<Flaw::X_not_transposed, true, true, true>>});
  all.push_back(
      {"nothing-transposed",
       "You transposed nothing. Of two factors, the backward pass transposes the one that it multiplies "
       "by: Xᵀ for the gradient of the weight, W_Qᵀ for the gradient of X.",
       kProjections, of_projections<with_two<true, true, true, true, true, true>>});
  add_flaw<Flaw::mean>(
      all, "mean-in-dW_#",
      "Your dW_# is a mean over the sequences. What comes back from several uses of a weight "
      "adds up, as in the other two gradients.");
  add_flaw<Flaw::axis_1>(all, "axis-1-in-dW_#",
                         "You summed axis 1 of Xᵀ d#. Axis 0 is the batch, and only the batch is added up.");
  add_flaw<Flaw::with_batch>(all, "batch-not-summed-in-dW_#",
                             "Your dW_# still has the axis of the batch. All sequences use the same W_#, so "
                             "what comes back from them adds up: sum over axis 0.");
  add_flaw<Flaw::X_not_transposed>(all, "X-not-transposed-in-dW_#",
                                   "You wrote X d# for dW_#. Row p of W_# meets column p of X: Xᵀ d#.");
  add_for_each<with_weight_as_it_is<true, false, false>, with_weight_as_it_is<false, true, false>,
               with_weight_as_it_is<false, false, true>>(
      all, "W_#-not-transposed",
      "You wrote d# W_# in dX. In the forward pass X met W_#; in the backward pass d# meets W_#ᵀ.");
  add_for_each<with_two<true, true, true, true, false, false>, with_two<true, true, true, false, true, false>,
               with_two<true, true, true, false, false, true>>(
      all, "X-and-W_#-not-transposed",
      "You transposed neither X in the gradients of the weights nor W_# in dX. In the backward pass they are "
      "Xᵀ "
      "d# "
      "and d# W_#ᵀ.");
  add_for_each<with_two<true, false, false, true, false, false>,
               with_two<false, true, false, false, true, false>,
               with_two<false, false, true, false, false, true>>(
      all, "both-of-#-not-transposed",
      "You transposed neither X in dW_# nor W_# in dX. In the backward pass they are Xᵀ d# and d# W_#ᵀ.");
  return all;
}

}  // namespace mistakes

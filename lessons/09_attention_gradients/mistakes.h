// What people write in the place of part 1, and what is wrong with it. Each function of these files is the
// right one, with the mistakes as switches.
#pragma once

#include <cmath>
#include <vector>

#include "attention_gradients.h"
#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Mistake, grader::Slip, grader::slips_of, grader::with_together;

inline constexpr const char *kValues = "Back to the values and the pattern",
                            *kSoftmax = "Back through the softmax", *kScores = "Back to queries and keys",
                            *kProjections = "Back through the projections", *kTiles = "Without the pattern";

inline Tensor row_sum(const Tensor& x) { return sum(x, {-1}, true); }
inline double root_of(std::size_t length) { return std::sqrt(static_cast<double>(length)); }

// All axes in front of the last two added up.
inline Tensor of_all(Tensor x) {
  while (x.dim() > 2) x = sum(x, {0});
  return x;
}

using Gated = std::function<GatedGradients(const Tensor&, const Tensor&, const Tensor&, const Tensor&)>;

inline GatedGradients gated(const Made& made, const Tensor& dZ, const Tensor& G, const Tensor& P,
                            const Tensor& V) {
  const auto turned = [&](const Tensor& x) {
    return made("first-two-axes") ? transpose(x, 0, 1) : transpose(x);
  };
  const Tensor D = made("divided-by-the-gate") ? dZ / G : G * dZ, O = matmul(P, V);
  const Tensor to_V = made("gate-not-in-dV")     ? dZ
                      : made("dV-without-dZ")    ? G
                      : made("gate-twice-in-dV") ? G * D
                                                 : D;
  Tensor dV = made("dV-transposed") ? matmul(transpose(to_V), P)
                                    : matmul(made("pattern-not-transposed") ? P : turned(P), to_V);
  if (made("mean-over-queries")) dV = dV / dZ.length(-2);
  if (made("added-over-heads")) dV = of_all(dV);
  const Tensor to_P = made("gate-not-in-dP")     ? dZ
                      : made("dP-without-dZ")    ? G
                      : made("gate-twice-in-dP") ? G * D
                                                 : D;
  Tensor dP = made("dP-transposed") ? matmul(V, transpose(to_P))
                                    : matmul(to_P, made("values-not-transposed") ? V : turned(V));
  if (made("P-in-dP")) dP = P * dP;
  if (made("through-the-softmax")) dP = P * (dP - row_sum(P * dP));
  const Tensor slope = made("dG-from-Z") ? G * O : O;
  Tensor dG = made("dG-is-what-P-V-receives") ? D : made("dG-without-dZ") ? slope : dZ * slope;
  if (made("dG-summed")) dG = row_sum(dG);
  if (made("gate-first")) return {dG, dP, dV};
  if (made("dP-first")) return {dP, dV, dG};
  return {dV, dP, dG};
}

inline const std::vector<Slip> kSlipsOfGatedValuesBack = {
    {"gate-not-in-dV",
     "You left the gate out of dV. What arrives at P V is G ⊙ dZ, since each number of P V was multiplied "
     "by its gate.",
     kValues},
    {"gate-not-in-dP",
     "You left the gate out of dP. A weight moves P V, and Z moves as much times the gate: G ⊙ dZ meets "
     "V.",
     kValues},
    {"dV-without-dZ", "You made dV of the gate alone. What arrives at P V is G ⊙ dZ.", kValues},
    {"dP-without-dZ", "You made dP of the gate alone. What arrives at P V is G ⊙ dZ.", kValues},
    {"dG-from-Z",
     "You made dG of Z. One entry is Z = G (P V), and its slope by G is the other factor, P V, without G.",
     kValues},
    {"dG-without-dZ",
     "Your dG is P V, the slope of Z by the gate. The slope of the loss has dZ as a factor too.", kValues},
    {"dG-is-what-P-V-receives",
     "You returned G ⊙ dZ for dG. That is the cotangent of P V. The gate receives dZ times P V.", kValues},
    {"dG-summed",
     "You added up dG over the columns. Each number of P V has a gate of its own, so dG has the shape of "
     "G.",
     kValues},
    {"divided-by-the-gate",
     "You divided dZ by the gate on the way back. The backward pass multiplies by the same factor as the "
     "forward pass.",
     kValues},
    {"gate-twice-in-dP", "The gate stands in your dP twice. Z contains it once.", kValues},
    {"gate-twice-in-dV", "The gate stands in your dV twice. Z contains it once.", kValues},
    {"pattern-not-transposed",
     "You did not transpose P in dV. V[j,c] is used by every query i with the weight P[i,j], so column j "
     "of P meets column c of G ⊙ dZ. Where n = m the shapes fit without the transpose too.",
     kValues},
    {"values-not-transposed",
     "You did not transpose V in dP. P[i,j] meets row j of V, so row i of G ⊙ dZ meets row j of V: Vᵀ.",
     kValues},
    {"dV-transposed",
     "Your dV is transposed, of shape (…,d_v,m). A cotangent has the shape of what it belongs to.", kValues},
    {"dP-transposed",
     "Your dP is transposed, of shape (…,m,n): V (G ⊙ dZ)ᵀ. A cotangent has the shape of what it belongs "
     "to.",
     kValues},
    {"P-in-dP",
     "You multiplied dP by P. The backward pass of the product P V multiplies by its other factor alone: "
     "(G ⊙ dZ) Vᵀ.",
     kValues},
    {"through-the-softmax",
     "You went back through the softmax. Here P is an input, and the gradient of P itself is asked for.",
     kValues},
    {"first-two-axes",
     "You exchanged axes 0 and 1. With axes for batch and heads in front, a matrix lies in the last two: "
     "transpose(x) without numbers exchanges these.",
     kValues},
    {"mean-over-queries",
     "You divided dV by the number of queries. All queries read the same V, so what comes back from them "
     "adds up.",
     kValues},
    {"added-over-heads",
     "You added up the axes in front. Each head of each sequence has values of its own, so nothing is "
     "added here: only what is shared adds up.",
     kValues},
    {"gate-first", "You returned dG first. The order is dV, dP, dG.", kValues},
    {"dP-first", "You returned dP first. The order is dV, dP, dG.", kValues}};

inline std::vector<Mistake<Gated>> of_gated_values_back() {
  return slips_of<Gated>(gated, kSlipsOfGatedValuesBack);
}

}  // namespace mistakes

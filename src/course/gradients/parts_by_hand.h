// The parts that a transformer may have beside the standard ones, and their gradients, written out in
// matrices: no tape, no ops. docs/gradients.md derives each line.
#pragma once

#include <cstdint>
#include <vector>

#include "gradients/attention_by_hand.h"

namespace headlight::by_hand {

// Each function returns the cotangents of its inputs, for one sequence, by the names of its arguments.

// y = x/√(mean x² + 1e-5) ⊙ w for each row; x (n,d), w (1,d).
NamedMatrices rms_norm_backward(const Matrix& x, const Matrix& w, const Matrix& dY);

// y = gate ⊙ σ(gate) ⊙ up.
NamedMatrices swiglu_backward(const Matrix& gate, const Matrix& up, const Matrix& dY);

// y_t = σ(α_h) k_t + (1 - σ(α_h)) k_{t-1}, y_0 = k_0; k (n,H·d), alpha (1,H).
NamedMatrices smear_backward(const Matrix& k, const Matrix& alpha, const Matrix& dY);

// Σ_i -((1-ε) log p_i[target_i] + ε/V Σ log p_i)/n, p = softmax of each row of logits (n,V).
NamedMatrices smoothed_cross_entropy_backward(const Matrix& logits, const std::vector<std::int32_t>& targets,
                                              double epsilon);

// Causal attention in which `n_heads` heads of queries share `n_kv_heads` heads of keys and values, whose
// scores are capped (0: not), and whose softmaxes have a sink for each head (1,H), or none if that is empty.
struct PartsOfAttention {
  std::size_t n_heads = 1, n_kv_heads = 1;
  double cap = 0;
  Matrix sinks = {};
};
NamedMatrices attention_parts_backward(const PartsOfAttention& parts, const Matrix& q, const Matrix& k,
                                       const Matrix& v, const Matrix& dZ);

}  // namespace headlight::by_hand

// Exercise 9, solved.
#include "attention_gradients.h"
#include "exercise.h"
#include "random_head.h"

// Z = G ⊙ (P V)     with D = G ⊙ dZ:  dV = Pᵀ D     dP = D Vᵀ     dG = dZ ⊙ (P V)
GatedGradients gated_values_back(const Tensor& dZ, const Tensor& G, const Tensor& P, const Tensor& V) {
  const Tensor D = G * dZ;
  return {matmul(transpose(P), D), matmul(D, transpose(V)), dZ * matmul(P, V)};
}

// The sink is one more key, whose dP is 0:  dS = P ⊙ (dP - rowsum(P ⊙ dP))     dsink = Σ P_sink (0 - rowsum)
SinkGradients sink_scores_back(const Tensor& dP, const Tensor& S, const Tensor& mask, const Tensor& sink) {
  const Tensor powers = exp(masked_fill(S, equal(mask, 0), -INFINITY));
  const Tensor all = exp(sink) + sum(powers, {-1}, true), P = powers / all;
  const Tensor row_sums = sum(P * dP, {-1}, true);
  return {P * (dP - row_sums), -sum(exp(sink) / all * row_sums)};
}

// S = t Q Kᵀ + B     dQ = t dS K     dK = t dSᵀ Q     dt = Σ dS ⊙ Q Kᵀ of each head     dB = Σ dS over the
// heads
TemperedGradients tempered_scores_back(const Tensor& dS, const Tensor& Q, const Tensor& K, const Tensor& t) {
  return {.dQ = t * matmul(dS, K),
          .dK = t * matmul(transpose(dS), Q),
          .dt = sum(dS * matmul(Q, transpose(K)), {1, 2}, true),
          .dB = sum(dS, {0})};
}

// All sequences use both weights and M, and M W_KV is used twice, as keys and as values.
MemoryGradients shared_memory_back(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                                   const Tensor& M, const Tensor& W_Q, const Tensor& W_KV) {
  const Tensor d = sum(dK + dV, {0});
  return {.dW_Q = sum(matmul(transpose(X), dQ), {0}),
          .dW_KV = matmul(transpose(M), d),
          .dX = matmul(dQ, transpose(W_Q)),
          .dM = matmul(d, transpose(W_KV))};
}

// The P of the tile from what was kept, rowsum(Z ⊙ dZ) for the row-sum term, and the slope of the cap.
TileGradients capped_tile_back(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K,
                               const Tensor& V, const Tensor& log_sums, double cap) {
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(-1)));
  const Tensor bent = tanh(matmul(Q, transpose(K)) * scale / cap);
  const Tensor P = exp(bent * cap - log_sums), dP = matmul(dZ, transpose(V));
  const Tensor dS = P * (dP - sum(Z * dZ, {-1}, true));
  const Tensor dA = dS * (1 - bent * bent);
  return {matmul(transpose(P), dZ), matmul(dA, K) * scale, matmul(transpose(dA), Q) * scale};
}

AttentionGradients multi_query_backward(const Tensor& dY, const Tensor& X, const MultiQueryWeights& w,
                                        std::size_t n_heads) {
  const std::size_t n = X.length(0), d = X.length(1), width = d / n_heads;
  const auto apart = [&](const Tensor& x) {  // (n,d) → (H,n,width)
    return permute(reshape_to(x, {n, n_heads, width}), {1, 0, 2});
  };
  const auto together = [&](const Tensor& x) { return reshape_to(permute(x, {1, 0, 2}), {n, d}); };
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  const Tensor Q = apart(matmul(X, w.W_Q)), K = matmul(X, w.W_K), V = matmul(X, w.W_V);
  const Tensor S = matmul(Q, transpose(K)) * scale;  // (H,n,n): the K of all heads is (n,width)
  const Tensor P = softmax(masked_fill(S, !visible_keys(n, n, {.causal = true}), -INFINITY));
  const Tensor Z = together(matmul(P, V));

  const Tensor dZ = apart(matmul(dY, transpose(w.W_O))), dP = matmul(dZ, transpose(V));
  const Tensor dS = P * (dP - sum(P * dP, {-1}, true));
  const Tensor dQ = together(matmul(dS, K) * scale);
  const Tensor dK = sum(matmul(transpose(dS), Q) * scale, {0}), dV = sum(matmul(transpose(P), dZ), {0});
  return {.dW_O = matmul(transpose(Z), dY),
          .dW_Q = matmul(transpose(X), dQ),
          .dW_K = matmul(transpose(X), dK),
          .dW_V = matmul(transpose(X), dV),
          .dX = matmul(dQ, transpose(w.W_Q)) + matmul(dK, transpose(w.W_K)) + matmul(dV, transpose(w.W_V))};
}

double length_of_dQ(double t) {
  const auto [Q, K, V, dZ] = random_head();
  const Tensor P = softmax(matmul(Q, transpose(K)) * t), dP = matmul(dZ, transpose(V));
  const Tensor dQ = matmul(P * (dP - sum(P * dP, {-1}, true)), K) * t;
  return std::sqrt(sum(dQ * dQ).item());
}

// The predictions: half the factor, half the length; and nothing is left of it when the softmax
// saturates.
std::vector<Trial> factor_trials() {
  return {{0.25, 15, length_of_dQ(0.25)}, {0.125, 7.5, length_of_dQ(0.125)}, {64, 0, length_of_dQ(64)}};
}

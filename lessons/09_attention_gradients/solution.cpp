// Exercise 9, solved.
#include "attention_gradients.h"
#include "exercise.h"

// Z = P V     dV = Pᵀ dZ     dP = dZ Vᵀ
std::pair<Tensor, Tensor> attention_values_back(const Tensor& dZ, const Tensor& P, const Tensor& V) {
  return {matmul(transpose(P), dZ), matmul(dZ, transpose(V))};
}

// P = softmax(S)     dS = P ⊙ (dP - rowsum(P ⊙ dP))
Tensor softmax_scores_back(const Tensor& dP, const Tensor& S, const Tensor& mask) {
  const Tensor P = softmax(masked_fill(S, equal(mask, 0), -INFINITY));
  return P * (dP - sum(P * dP, {-1}, true));
}

// S = Q Kᵀ/√d_k     dQ = dS K/√d_k     dK = dSᵀ Q/√d_k
std::pair<Tensor, Tensor> scores_back(const Tensor& dS, const Tensor& Q, const Tensor& K) {
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(-1)));
  return {matmul(dS, K) * scale, matmul(transpose(dS), Q) * scale};
}

// Q = X W     dW = Σ_b Xᵀ dQ     dX = dQ Wᵀ, by three ways
ProjectionGradients projections_back(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                                     const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V) {
  const auto to_weight = [&](const Tensor& d) { return sum(matmul(transpose(X), d), {0}); };
  return {.dW_Q = to_weight(dQ),
          .dW_K = to_weight(dK),
          .dW_V = to_weight(dV),
          .dX = matmul(dQ, transpose(W_Q)) + matmul(dK, transpose(W_K)) + matmul(dV, transpose(W_V))};
}

// The P of the tile from what was kept, and rowsum(Z ⊙ dZ) for the row-sum term.
TileGradients tile_back(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K, const Tensor& V,
                        const Tensor& log_sums) {
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(-1)));
  const Tensor P = exp(matmul(Q, transpose(K)) * scale - log_sums);
  const auto [dV, dP] = attention_values_back(dZ, P, V);
  const Tensor dS = P * (dP - sum(Z * dZ, {-1}, true));
  const auto [dQ, dK] = scores_back(dS, Q, K);
  return {dV, dQ, dK};
}

AttentionGradients multi_head_backward(const Tensor& dY, const Tensor& X, const AttentionWeights& w,
                                       std::size_t n_heads) {
  const std::size_t n = X.length(0), d = X.length(1), width = d / n_heads;
  const auto apart = [&](const Tensor& x) {  // (n,d) → (H,n,width)
    return permute(reshape_to(x, {n, n_heads, width}), {1, 0, 2});
  };
  const auto together = [&](const Tensor& x) {  // (H,n,width) → (1,n,d)
    return reshape_to(permute(x, {1, 0, 2}), {1, n, d});
  };
  const Tensor Q = apart(matmul(X, w.W_Q)), K = apart(matmul(X, w.W_K)), V = apart(matmul(X, w.W_V));
  const Tensor S = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(width));
  const Tensor mask = where(visible_keys(n, n, {.causal = true}), 1, 0);
  const Tensor P = softmax(masked_fill(S, equal(mask, 0), -INFINITY));
  const Tensor Z = reshape_to(together(matmul(P, V)), {n, d});

  const auto [dV, dP] = attention_values_back(apart(matmul(dY, transpose(w.W_O))), P, V);
  const auto [dQ, dK] = scores_back(softmax_scores_back(dP, S, mask), Q, K);
  const ProjectionGradients to = projections_back(together(dQ), together(dK), together(dV),
                                                  reshape_to(X, {1, n, d}), w.W_Q, w.W_K, w.W_V);
  return {.dW_O = matmul(transpose(Z), dY),
          .dW_Q = to.dW_Q,
          .dW_K = to.dW_K,
          .dW_V = to.dW_V,
          .dX = reshape_to(to.dX, {n, d})};
}

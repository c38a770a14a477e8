// Exercise 9: the backward pass of attention, in matrices.
//
// dA is the cotangent of A, and has its shape. n queries, m keys; (…) are any number of axes in front, such
// as batch and heads: each place there is an attention of its own. What you will need:
//   matmul(a, b)                 the product over the last two axes, for each place in front of them
//   transpose(a)                 exchanges the last two axes
//   + - * / exp(a)               number by number, with broadcasting
//   sum(a, {-1}, true)           the sum of each row, its axis kept; sum(a, {0}) adds up axis 0
//   softmax(a)                   of each row; a row of -∞ gives zeros
//   masked_fill(a, equal(mask, 0), -INFINITY)   a, with -∞ wherever the mask is 0
//   a.length(-1)                 the length of the last axis
//   reshape_to(a, {n, h, c}), permute(a, {1, 0, 2})
//   std::sqrt(static_cast<double>(k))
// Write each backward pass yourself, not by the tape.
#include "exercise.h"
#include "attention_gradients.h"

// Part 1 ★  attention_values_back
// Z = P V. Return the cotangents of V and of P, in this order: return {dV, dP};
// dZ (…,n,d_v), P (…,n,m), V (…,m,d_v) → dV (…,m,d_v), dP (…,n,m)
//   dZ = [[1, 2]], P = [[0.25, 0.75]], V = [[1, 0], [5, 2]]
//   →  dV = [[0.25, 0.5], [0.75, 1.5]],  dP = [[1, 9]]
std::pair<Tensor, Tensor> attention_values_back(const Tensor& dZ, const Tensor& P, const Tensor& V) {
  todo();
}

// Part 2 ★★  softmax_scores_back
// P = softmax(S) in each row, over the keys with mask 1. A query that sees no key has a row of zeros in P.
// P was not kept: compute it. Return the cotangent of S.
// dP, S (…,n,m); mask (n,m), (…,n,m) or a single 1 → dS (…,n,m)
//   dP = [[1, 5, 100]], S = [[0, ln 3, 7]], mask = [[1, 1, 0]]   →   [[-0.75, 0.75, 0]]
Tensor softmax_scores_back(const Tensor& dP, const Tensor& S, const Tensor& mask) { todo(); }

// Part 3 ★★  scores_back
// S = Q Kᵀ / √d_k. Return the cotangents of Q and of K: return {dQ, dK};
// dS (…,n,m), Q (…,n,d_k), K (…,m,d_k) → dQ (…,n,d_k), dK (…,m,d_k)
//   dS = [[-1, 1]], Q = [[2, 0, 4, 0]], K = [[1, 2, 0, 0], [3, 0, 0, 0]]
//   →  dQ = [[1, -1, 0, 0]],  dK = [[-1, 0, -2, 0], [1, 0, 2, 0]]
std::pair<Tensor, Tensor> scores_back(const Tensor& dS, const Tensor& Q, const Tensor& K) { todo(); }

// Part 4 ★★  projections_back
// Q = X W_Q, K = X W_K, V = X W_V, for B sequences X (B,n,d). dQ and dK are (B,n,e), dV is (B,n,f); W_Q and
// W_K are (d,e), W_V is (d,f). Return the cotangents of the weights and of X: return {dW_Q, dW_K, dW_V, dX};
//   X = [[[1, 2]], [[3, 4]]], dQ = [[[1]], [[10]]], dK = [[[2]], [[0]]], dV = [[[0]], [[1]]],
//   W_Q = [[1], [0]], W_K = [[0], [1]], W_V = [[1], [1]]
//   →  dW_Q = [[31], [42]], dW_K = [[2], [4]], dW_V = [[3], [4]], dX = [[[1, 2]], [[11, 1]]]
ProjectionGradients projections_back(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                                     const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V) {
  todo();
}

// Part 5 ★★★  tile_back
// The backward pass for one tile: t of the m keys, without a mask. P and S were not kept. The result Z
// (…,n,d_v) and log_sums (…,n,1), the logarithm of Σ e^s over each row of S, belong to all m keys. Q
// (…,n,d_k) and dZ (…,n,d_v) are whole, K (…,t,d_k) and V (…,t,d_v) are those of the tile. Return {dV, dQ,
// dK}: dV and dK of the tile, and what the tile adds to dQ.
//   of the keys [[0], [ln 3]] with the values [[1], [5]] the second is a tile: K = [[ln 3]], V = [[5]],
//   Q = [[1]], dZ = [[1]], Z = [[4]], log_sums = [[ln 4]]
//   →  dV = [[0.75]], dQ = [[0.824]], dK = [[0.75]]
TileGradients tile_back(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K, const Tensor& V,
                        const Tensor& log_sums) {
  todo();
}

// Part 6 ★★★  multi_head_backward
// The whole backward pass of causal self-attention with n_heads heads, of one sequence: dY and X are (n,d),
// each weight is (d,d). Head h takes its d/n_heads columns of Q, K and V, and computes
//   Z_h = softmax(Q_h K_hᵀ/√(d/n_heads)) V_h, where query i sees the keys 0 … i
// Z has the Z_h side by side, and Y = Z W_O. Only dY, X and the weights are given: begin with the forward
// pass. where(visible_keys(n, n, {.causal = true}), 1, 0) is the mask for part 2. Call parts 1 to 4; part 4
// wants a batch: reshape to {1, n, d} and back. Return {dW_O, dW_Q, dW_K, dW_V, dX}.
//   n_heads = 1, X = [[0], [1]], dY = [[8], [16]], W_Q = [[ln 3]], W_K = W_V = W_O = [[1]]
//   →  dW_O = [[12]], dW_Q = [[3]], dW_K = [[3.296]], dW_V = [[12]], dX = [[8.704], [18.592]]
AttentionGradients multi_head_backward(const Tensor& dY, const Tensor& X, const AttentionWeights& w,
                                       std::size_t n_heads) {
  todo();
}

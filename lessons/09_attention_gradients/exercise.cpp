// Exercise 9: the backward pass of attention that is not quite that of the text.
//
// Each part changes one thing in the attention of the text: a gate, a sink, a learned factor, a shared
// memory, a cap, shared keys. Derive each gradient as the text does: write down one entry of the result, find
// where the number occurs, and add up. dA is the cotangent of A and has its shape. n queries, m keys; (…) are
// any number of axes in front: each place there is an attention of its own. What you will need:
//   matmul(a, b)                 the product over the last two axes, for each place in front of them
//   transpose(a)                 exchanges the last two axes
//   + - * / exp(a) tanh(a)       number by number, with broadcasting
//   sum(a)                       one number; sum(a, {-1}, true) the sum of each row, its axis kept;
//                                sum(a, {0}) adds up axis 0
//   softmax(a)                   of each row; a row of -∞ gives zeros
//   masked_fill(a, equal(mask, 0), -INFINITY)   a, with -∞ wherever the mask is 0
//   a.length(-1)                 the length of the last axis
//   reshape_to(a, {n, h, c}), permute(a, {1, 0, 2})
//   std::sqrt(static_cast<double>(k))
// Write each backward pass yourself, not by the tape: backward() may not be called.
#include "exercise.h"
#include "attention_gradients.h"
#include "random_head.h"

// Part 1 ★  gated_values_back
// Z = G ⊙ (P V): a gate G multiplies each number of the weighted means. Return {dV, dP, dG}.
// dZ, G (…,n,d_v), P (…,n,m), V (…,m,d_v)
//   dZ = [[1, 2]], G = [[2, 10]], P = [[0.25, 0.75]], V = [[1, 0], [5, 2]]
//   →  dV = [[0.5, 5], [1.5, 15]],  dP = [[2, 50]],  dG = [[4, 3]]
GatedGradients gated_values_back(const Tensor& dZ, const Tensor& G, const Tensor& P, const Tensor& V) {
  todo();
}

// Part 2 ★★  sink_scores_back
// Besides its keys each query sees a sink, which has the learned score `sink` and no value:
//   P_ij = e^S_ij / (e^sink + Σ_k e^S_ik), the sum over the keys k with mask 1; P_ij = 0 where the mask is 0
// So a row of P may add up to less than 1. A query that sees no key gives everything to the sink. P was not
// kept: compute it. sink is one number for all rows. Return {dS, dsink}.
// dP, S (…,n,m); mask (n,m), (…,n,m) or a single 1
//   dP = [[1, 5, 100]], S = [[0, ln 3, 7]], mask = [[1, 1, 0]], sink = ln 4
//   →  dS = [[-0.125, 1.125, 0]],  dsink = -1
SinkGradients sink_scores_back(const Tensor& dP, const Tensor& S, const Tensor& mask, const Tensor& sink) {
  todo();
}

// Part 3 ★★  tempered_scores_back
// S = t Q Kᵀ + B for H heads. In the place of 1/√d_k each head has a learned factor t (H,1,1). All
// heads share the learned table B (n,m). Return {dQ, dK, dt, dB}.
// dS (H,n,m), Q (H,n,d_k), K (H,m,d_k)
//   dS = [[[1, 2]], [[0, 1]]], Q = [[[1, 2]], [[3, 0]]], K = [[[1, 0], [0, 1]], [[1, 1], [2, 0]]],
//   t = [[[10]], [[100]]]
//   →  dQ = [[[10, 20]], [[200, 0]]],  dK = [[[10, 20], [20, 40]], [[0, 0], [300, 0]]],
//      dt = [[[5]], [[6]]],  dB = [[1, 3]]
TemperedGradients tempered_scores_back(const Tensor& dS, const Tensor& Q, const Tensor& K, const Tensor& t) {
  todo();
}

// Part 4 ★★  shared_memory_back
// Cross-attention. B sequences X (B,n,d) have their own queries Q = X W_Q, and all read the same memory
// M (m,d). One matrix makes its keys and its values: K = V = M W_KV. Sequence b sends back the cotangents
// dQ[b] (n,e), dK[b] (m,e) and dV[b] (m,e). W_Q and W_KV are (d,e). Return {dW_Q, dW_KV, dX, dM}.
//   X = [[[1, 2]], [[3, 4]]], M = [[1, 0], [2, 1]], W_Q = [[1], [0]], W_KV = [[1], [10]],
//   dQ = [[[1]], [[10]]], dK = [[[1], [0]], [[2], [0]]], dV = [[[0], [1]], [[0], [3]]]
//   →  dW_Q = [[31], [42]], dW_KV = [[11], [4]], dX = [[[1, 0]], [[10, 0]]], dM = [[3, 30], [4, 40]]
MemoryGradients shared_memory_back(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                                   const Tensor& M, const Tensor& W_Q, const Tensor& W_KV) {
  todo();
}

// Part 5 ★★★  capped_tile_back
// The backward pass for one tile, t of the m keys, of attention whose scores are capped. No score leaves
// -cap … cap:
//   A = Q Kᵀ / √d_k,   S = cap · tanh(A / cap),   P = softmax(S);   tanh'(x) = 1 - tanh²(x)
// P, S and A were not kept. The result Z (…,n,d_v) and log_sums (…,n,1), the logarithm of Σ e^S over each
// row, belong to all m keys. Q (…,n,d_k) and dZ (…,n,d_v) are whole, K (…,t,d_k) and V (…,t,d_v) are those of
// the tile. Return {dV, dQ, dK}: dV and dK of the tile, and what the tile adds to dQ.
//   of the keys [[0], [(ln 3)²]] with the values [[1], [5]] the second is a tile: K = [[(ln 3)²]], V = [[5]],
//   Q = [[1]], dZ = [[1]], Z = [[4]], log_sums = [[ln 4]], cap = 2 ln 3
//   →  dV = [[0.75]], dQ = [[0.679]], dK = [[0.5625]]            (A is 1.207, S is ln 3)
TileGradients capped_tile_back(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K,
                               const Tensor& V, const Tensor& log_sums, double cap) {
  todo();
}

// Part 6 ★★★  multi_query_backward
// The whole backward pass of causal self-attention of one sequence, in which n_heads heads of queries share
// one head of keys and values. X and dY are (n,d), W_Q and W_O (d,d), W_K and W_V (d,w) with w = d/n_heads.
// Head h takes its w columns of Q = X W_Q and computes
//   Z_h = softmax(Q_h Kᵀ/√w) V, with K = X W_K and V = X W_V, where query i sees the keys 0 … i
// Z has the Z_h side by side, and Y = Z W_O. Only dY, X and the weights are given: begin with the forward
// pass. visible_keys(n, n, {.causal = true}) is true where a query sees a key. Return {dW_O, dW_Q, dW_K,
// dW_V, dX}.
//   n_heads = 2, X = [[0, 0], [1, 0]], dY = [[0, 0], [16, 4]], W_Q = [[ln 3, 0], [0, 0]],
//   W_K = W_V = [[1], [0]], W_O = [[1, 0], [0, 1]]
//   →  dW_O = [[12, 3], [8, 2]], dW_Q = [[3, 1], [0, 0]], dW_K = [[3.296], [0]], dW_V = [[14], [0]],
//      dX = [[2.704, 0], [20.592, 0]]
AttentionGradients multi_query_backward(const Tensor& dY, const Tensor& X, const MultiQueryWeights& w,
                                        std::size_t n_heads) {
  todo();
}

// Part 7 ★★  factor_trials
// An experiment of your own. random_head() has Q, K, V and dZ of one head with 64 queries, 64 keys and the
// width 16, all random. Let its scores be t Q Kᵀ without a mask; 1/√d_k would be t = 0.25. The length of dQ
// is the root of the sum of its squares. How does it depend on t? Choose three or more values of t from 0.01
// to 100, among them a large one. For each, first write down the length that you predict, then measure it.
// Return a Trial for each: {{t, predicted, measured}, …}. A prediction need not be right.
std::vector<Trial> factor_trials() { todo(); }

// The functions of the exercise, differentiated by the library.
#pragma once

#include <cmath>
#include <vector>

#include "attention_gradients.h"
#include "exercise.h"
#include "headlight/autograd/backward.h"
#include "random_head.h"

namespace tape {

inline double root_of(std::size_t length) { return std::sqrt(static_cast<double>(length)); }

inline GatedGradients gated(const Tensor& dZ, const Tensor& of_G, const Tensor& of_P, const Tensor& of_V) {
  const Tensor G = parameter(of_G), P = parameter(of_P), V = parameter(of_V);
  const auto d = grad(G * matmul(P, V), {V, P, G}, {.cotangent = dZ});
  return {d[0], d[1], d[2]};
}

inline SinkGradients sink(const Tensor& dP, const Tensor& scores, const Tensor& mask, const Tensor& of_sink) {
  const Tensor S = parameter(scores), sink = parameter(of_sink);
  const Tensor powers = exp(masked_fill(S, equal(mask, 0), -INFINITY));
  const auto d = grad(powers / (exp(sink) + sum(powers, {-1}, true)), {S, sink}, {.cotangent = dP});
  return {d[0], d[1]};
}

inline TemperedGradients tempered(const Tensor& dS, const Tensor& of_Q, const Tensor& of_K,
                                  const Tensor& of_t) {
  const Tensor Q = parameter(of_Q), K = parameter(of_K), t = parameter(of_t);
  const Tensor B = parameter(zeros({dS.length(1), dS.length(2)}));
  const auto d = grad(t * matmul(Q, transpose(K)) + B, {Q, K, t, B}, {.cotangent = dS});
  return {d[0], d[1], d[2], d[3]};
}

inline MemoryGradients memory(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& of_X,
                              const Tensor& of_M, const Tensor& of_W_Q, const Tensor& of_W_KV) {
  const Tensor X = parameter(of_X), M = parameter(of_M), W_Q = parameter(of_W_Q), W_KV = parameter(of_W_KV);
  const Tensor read = matmul(M, W_KV);
  const auto d = grad(sum(matmul(X, W_Q) * dQ) + sum(read * dK) + sum(read * dV), {W_Q, W_KV, X, M});
  return {d[0], d[1], d[2], d[3]};
}

// log_sums is a constant here. How it moves with the scores of the tile is in the second term of the loss:
// the weights of each row are the slopes of its log_sums, and rowsum(Z ⊙ dZ) is what -log_sums is worth.
inline TileGradients tile(const Tensor& dZ, const Tensor& Z, const Tensor& of_Q, const Tensor& of_K,
                          const Tensor& of_V, const Tensor& log_sums, double cap) {
  const Tensor Q = parameter(of_Q), K = parameter(of_K), V = parameter(of_V);
  const Tensor P = exp(cap * tanh(matmul(Q, transpose(K)) / root_of(Q.length(-1)) / cap) - log_sums);
  const Tensor loss = sum(matmul(P, V) * dZ) - sum(P * sum(Z * dZ, {-1}, true));
  const auto d = grad(loss, {V, Q, K});
  return {d[0], d[1], d[2]};
}

inline AttentionGradients multi_query(const Tensor& dY, const Tensor& of_X, const MultiQueryWeights& w,
                                      std::size_t n_heads) {
  const Tensor X = parameter(reshape_to(of_X, {1, of_X.length(0), of_X.length(1)})), W_Q = parameter(w.W_Q),
               W_K = parameter(w.W_K), W_V = parameter(w.W_V), W_O = parameter(w.W_O);
  const auto for_all = [n_heads](const Tensor& one) { return concat(std::vector<Tensor>(n_heads, one), -1); };
  const Tensor Z = scaled_dot_product_attention(
      matmul(X, W_Q), for_all(matmul(X, W_K)), for_all(matmul(X, W_V)), {.causal = true, .n_heads = n_heads});
  const auto d = grad(matmul(Z, W_O), {W_O, W_Q, W_K, W_V, X}, {.cotangent = reshape_to(dY, X.shape())});
  return {d[0], d[1], d[2], d[3], reshape_to(d[4], of_X.shape())};
}

// The length of dQ of the random head with the factor t.
inline double length_of_dQ(double t) {
  const RandomHead head = random_head();
  const Tensor Q = parameter(head.Q), P = softmax(t * matmul(Q, transpose(head.K)));
  const Tensor dQ = grad(matmul(P, head.V), {Q}, {.cotangent = head.dZ})[0];
  return std::sqrt(sum(dQ * dQ).item());
}

}  // namespace tape

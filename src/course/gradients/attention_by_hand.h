// Multi-head attention and its gradient, written out in matrices: no tape, no ops. docs/gradients.md derives
// each line.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gradients/matrix.h"

namespace headlight::by_hand {

// Parameters, or their gradients, by name: "W_Q", "b_Q", …; vectors are matrices of one row.
using NamedMatrices = std::map<std::string, Matrix>;

// One call, for one sequence: queries from X (n,d), keys and values from M (m,d').
struct AttentionSettings {
  std::size_t n_heads = 1;
  bool rotary = false;
  std::function<bool(std::size_t head, std::size_t i, std::size_t j)> visible = {};  // empty: all are
  std::function<double(std::size_t head, std::size_t i, std::size_t j)> bias = {};   // empty: none
};

// What the forward pass computed and the backward pass needs. Per head: S and P are (n,m).
struct AttentionPass {
  Matrix X, M;                                    // inputs of the queries, and of the keys and values
  Matrix Q, K, V;                                 // (n,H·d_k), (m,H·d_k), (m,H·d_v); before any rotation
  std::vector<Matrix> Q_heads, K_heads, V_heads;  // after it
  std::vector<Matrix> S, P;
  Matrix Z;  // (n,H·d_v), the heads' outputs side by side
  Matrix Y;  // (n,d)
};

AttentionPass attention(const NamedMatrices& w, const AttentionSettings& settings, const Matrix& X,
                        const Matrix& M);

// Cotangents: of every intermediate, of the weights, of X and of M.
struct AttentionGradients {
  Matrix Q, K, V, X, M;
  std::vector<Matrix> P, S;
  NamedMatrices weights;
};

AttentionGradients attention_backward(const NamedMatrices& w, const AttentionSettings& settings,
                                      const AttentionPass& pass, const Matrix& dY);

// Rotary positions (Su et al. 2021, halves form): rotates row p of a head (n,d) by p·10000^(-2i/d) in the
// plane of coordinates i and i + d/2. direction -1 rotates back.
Matrix rotate(const Matrix& head, double direction);

}  // namespace headlight::by_hand

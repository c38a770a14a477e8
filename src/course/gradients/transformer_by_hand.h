// A pre-norm block and the transformer with its loss, and their gradients, written out in matrices: no tape,
// no ops. One sequence at a time; names of parameters are those of nn::Transformer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradients/attention_by_hand.h"

namespace headlight::by_hand {

// The parameters below a name: part(w, "blocks.0.") has "ln1.w", "attn.W_Q", …
NamedMatrices part(const NamedMatrices& w, const std::string& prefix);

// y = x̂ ⊙ w + b, x̂ = (x - mean)/√(var + 1e-5) for each row.
struct NormPass {
  Matrix normalized;  // x̂
  Matrix rstd;        // (n,1): 1/√(var + 1e-5)
  Matrix Y;
};
NormPass layer_norm(const NamedMatrices& w, const Matrix& X);
Matrix layer_norm_backward(const NamedMatrices& w, const NormPass& pass, const Matrix& dY, NamedMatrices& dw);

// x/2·(1 + tanh(√(2/π)(x + 0.044715 x³))) and its derivative, for each number.
Matrix gelu(const Matrix& X);
Matrix gelu_backward(const Matrix& X, const Matrix& dY);

struct BlockPass {
  Matrix X, middle;
  NormPass ln1, ln2;
  AttentionPass attn;
  Matrix pre, post;  // in the MLP, before and after gelu
  Matrix Y;
};

// Y = middle + mlp(ln2(middle)), middle = X + attn(ln1(X)); without "mlp.W_in" among the weights Y = middle.
BlockPass block(const NamedMatrices& w, std::size_t n_heads, const Matrix& X);

// Returns dX; adds the weights' gradients to dw.
Matrix block_backward(const NamedMatrices& w, std::size_t n_heads, const BlockPass& pass, const Matrix& dY,
                      NamedMatrices& dw);

// Adds to `dw` the gradient of  Σ_i weight·(-log softmax(logits_i)[target_i])  for one sequence, and returns
// its value.
double transformer_loss(const NamedMatrices& w, std::size_t n_layers, std::size_t n_heads,
                        const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& targets,
                        double weight, NamedMatrices& dw);

}  // namespace headlight::by_hand

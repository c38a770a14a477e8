// A head's own matrices in double, and the norms between the parts of a model.
#pragma once

#include <vector>

#include "headlight/interpret/attention_layers.h"
#include "headlight/interpret/spectrum.h"

namespace headlight::interpret {

// A part of a model's residual stream that attention reads or writes.
struct HeadWeights {
  Matrix Q, K, V, O;     // (d,d_head), (d,d_head), (d,d_value), (d_value,d)
  Matrix b_Q, b_K, b_V;  // (1,d_head), (1,d_head), (1,d_value); 0 without biases
  double smear = 1;      // σ(α) of smeared keys: the share of a key's own token
  const nn::MultiHeadAttention* attn;
};
HeadWeights head_weights(const nn::Transformer& model, const HeadAt& at);

using Norms = std::vector<const nn::Norm*>;

// The norms directly before a head's queries, and before its keys and values: none for post-norm blocks.
Norms norms_of_queries(const nn::Transformer& model, const HeadAt& at);
Norms norms_of_keys(const nn::Transformer& model, const HeadAt& at);

// The norms after sums that lie between two places of a stack, for post-norm blocks; else none.
Norms norms_before(const nn::Transformer& model, const HeadAt& at);  // from the embedding to the head's input
Norms norms_of_memory(const nn::Transformer& model);  // from the embedding to the encoder's end
Norms norms_after(const nn::Transformer& model,
                  const HeadAt& at);  // from its output to the end, with ln_final
Norms norms_between(const nn::Transformer& model, const HeadAt& from, const HeadAt& to);

// The mean row (1,m) of a matrix (n,m); and each row less its own mean.
Matrix column_means(const Matrix& a);
void centre_rows(Matrix& rows);

// The Frobenius norm ‖LR‖ from LᵀL and RRᵀ: √trace(LᵀL RRᵀ).
double norm_of_grams(const Matrix& left_gram, const Matrix& right_gram);

// Rows through the norms without their scales and shifts: x → x C diag(w), one norm after the other.
void through(Matrix& rows, const Norms& norms);

// C diag(w) W: the matrix behind a norm, and with b the constant b W + bias in `bias`.
Matrix behind(const Norms& norms, const Matrix& W, Matrix& bias);

// (d_model,V)
Matrix unembedding(const nn::Transformer& model);

}  // namespace headlight::interpret

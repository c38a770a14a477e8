// Scaled dot-product attention (Vaswani et al. 2017, eq. 1).
#pragma once

#include <optional>

#include "headlight/autograd/tensor.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// A bias that depends only on the head and the relative position. To the score of query i and key j it adds
// column i - j - first of the head's row, clamped to the first and the last column. ALiBi (Press et al. 2021)
// has the columns -slope·0, -slope·1, … and first = 0; Shaw et al. (2018) learn 2k+1 columns with first = -k.
struct RelativeBias {
  Tensor values = {};  // (H,D), or (1,D) for all heads; differentiable
  int first = 0;       // i - j of column 0
};

// The keys that a query sees, and the terms that are added to its scores.
struct AttentionOptions {
  bool causal = false;                      // query i sees keys 0 … i only
  std::optional<std::size_t> window = {};   // query i sees keys j with |i - j| < window only
  std::optional<BoolArray> mask = {};       // true: may attend; broadcasts to the scores
  Tensor bias = {};                         // added to the scaled scores; broadcasts to them; differentiable
  RelativeBias relative = {};               // added too, without an array of the scores' size
  std::optional<double> scale = {};         // else 1/√d_k
  std::optional<std::size_t> n_heads = {};  // heads side by side in the last axis; else on their own axis
};

// (queries, keys): true where `causal` and `window` let query i see key j.
BoolArray visible_keys(std::size_t queries, std::size_t keys, const AttentionOptions& options);

// out = softmax(scale·q kᵀ + bias + relative, over the visible keys) v
//   without n_heads:   q (…,n,d_k), k (…,m,d_k), v (…,m,d_v) → (…,n,d_v); at most two leading axes, equal in
//                      all three, (B,H)
//   with n_heads = H:  q (B,n,H·d_k), k (B,m,H·d_k), v (B,m,H·d_v) → (B,n,H·d_v), heads read in place
// The scores are (B,H,n,m), without the axes that q lacks. A query that sees no key gives zeros, not NaN.
// Keys outside the window are skipped. Throws Error when shapes do not fit.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

// The same, composed of simple ops in three steps: attention_scores, softmax, attention_output. The scores
// (…,n,m) are scale·q kᵀ + bias + relative, -∞ where a key is hidden; the output is pattern·v. The layer
// takes these steps when hooks change scores or pattern, and `./headlight gradients` differentiates them on
// the tape.
namespace reference {
Tensor attention_scores(const Tensor& q, const Tensor& k, const AttentionOptions& options = {});
Tensor attention_output(const Tensor& pattern, const Tensor& v, const AttentionOptions& options = {});
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});
}  // namespace reference

}  // namespace headlight::inline HEADLIGHT_PRECISION

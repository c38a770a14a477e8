// Scaled dot-product attention (Vaswani et al. 2017, eq. 1).
#pragma once

#include <optional>

#include "headlight/autograd/tensor.h"

namespace headlight {

// A bias that depends only on the head and the relative position. To the score of query i and key j it adds
// column i - j - first of the head's row, clamped to the first and the last column. ALiBi (Press et al. 2021)
// has the columns -slope·0, -slope·1, … and first = 0; Shaw et al. (2018) learn 2k+1 columns with first = -k.
struct RelativeBias {
  Tensor values = {};  // (H,D), or (1,D) for all heads; differentiable
  int first = 0;       // i - j of column 0; between -2^30 and 2^30
};

// The keys that a query sees, what is done to its scores and to its pattern.
struct AttentionOptions {
  bool causal = false;                      // the query at position p sees keys 0 … p only
  std::optional<std::size_t> window = {};   // it sees keys j with |p - j| < window only
  std::optional<BoolArray> mask = {};       // true: may attend; broadcasts to the scores
  Tensor bias = {};                         // added to the scaled scores; broadcasts to them; differentiable
  RelativeBias relative = {};               // added too, without an array of the scores' size
  std::optional<double> scale = {};         // else 1/√d_k
  std::optional<std::size_t> n_heads = {};  // heads side by side in the last axis; else on their own axis

  // Heads of k and v, fewer than n_heads, which they divide: query head h reads head h / (n_heads /
  // n_kv_heads). Grouped-query attention (Ainslie et al. 2023); with 1, multi-query attention (Shazeer 2019).
  std::optional<std::size_t> n_kv_heads = {};
  // (H): a logit for each head, of a place without a value. It enters the softmax's denominator only, so a
  // query that finds nothing can give its weight away (gpt-oss; Xiao et al. 2023). Differentiable.
  Tensor sinks = {};
  // c > 0: scaled scores x become c·tanh(x / c) before bias, relative and mask (Gemma 2; Bello et al. 2016).
  double cap = 0;
  // Each weight of the pattern is multiplied by 0 with this probability, else by 1/(1-p), after the softmax.
  // The factor is a hash of (seed, b, h, p, j) with the query's position p.
  double dropout = 0;
  std::uint64_t dropout_seed = 0;
  // Query i stands at position i + first_query, for causal, window, relative and dropout: the queries that
  // follow keys which are kept. A query after the last key sees the keys that there are. Below 2^30.
  std::size_t first_query = 0;
};

// Whether scores can have this cap: 0, for none, or a positive number that Real holds at full precision.
bool is_score_cap(double cap);

// (queries, keys): true where `causal` and `window` let query i see key j.
BoolArray visible_keys(std::size_t queries, std::size_t keys, const AttentionOptions& options);

// out = softmax(scale·q kᵀ + bias + relative, over the visible keys) v, changed by the options above
//   without n_heads:   q (…,n,d_k), k (…,m,d_k), v (…,m,d_v) → (…,n,d_v); at most two leading axes, equal in
//                      all three, (B,H)
//   with n_heads = H:  q (B,n,H·d_k), k (B,m,H·d_k), v (B,m,H·d_v) → (B,n,H·d_v), heads read in place;
//                      with n_kv_heads = G:  k (B,m,G·d_k), v (B,m,G·d_v)
// The scores are (B,H,n,m), without the axes that q lacks. A query that sees no key gives zeros, not NaN.
// Keys outside the window are skipped. Throws Error when shapes or options do not fit.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

// The same, composed of simple ops in three steps: attention_scores, attention_pattern, attention_output. The
// scores (…,n,m) are scale·q kᵀ (capped) + bias + relative, -∞ where a key is hidden. The pattern is their
// softmax; with sinks its rows sum to less than 1, and the rest went to the sink. The output is pattern·v,
// after dropout of the pattern. The layer takes these steps when hooks change scores or pattern, and
// `./headlight gradients` differentiates them on the tape.
namespace reference {
Tensor attention_scores(const Tensor& q, const Tensor& k, const AttentionOptions& options = {});
Tensor attention_pattern(const Tensor& scores, const AttentionOptions& options = {});
Tensor attention_output(const Tensor& pattern, const Tensor& v, const AttentionOptions& options = {});
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});
}  // namespace reference

}  // namespace headlight

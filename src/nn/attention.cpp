#include "headlight/nn/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/ops/arithmetic.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/softmax.h"

namespace headlight::nn {
namespace {

MultiHeadAttentionConfig filled_in(MultiHeadAttentionConfig c) {
  check(c.n_heads > 0, "attention needs at least one head, got n_heads = 0.");
  check(c.d_model > 0, "attention needs d_model of at least 1, got 0.");
  check(c.d_head > 0 || c.d_model % c.n_heads == 0,
        "d_model = {} is not divisible by n_heads = {}. Hint: choose a divisor, or set d_head.", c.d_model,
        c.n_heads);
  if (c.d_head == 0) c.d_head = c.d_model / c.n_heads;
  constexpr std::size_t kMost = 1 << 20;
  check(std::max({c.d_model, c.n_heads, c.d_head, c.d_value, c.d_memory}) <= kMost,
        "attention of d_model = {}, n_heads = {}, d_head = {} is too large: at most {} each.", c.d_model,
        c.n_heads, c.d_head, kMost);
  if (c.d_value == 0) c.d_value = c.d_head;
  if (c.d_memory == 0) c.d_memory = c.d_model;
  check(c.rotary_positions == 0 || c.d_head % 2 == 0,
        "rotary positions turn pairs of coordinates, so d_head must be even; it is {}.", c.d_head);
  return c;
}

Tensor projection(std::size_t in, std::size_t out, Rng& rng) {
  return normal_parameter({in, out}, 1 / std::sqrt(static_cast<double>(in)), rng);
}

// (B,n,H·d) → (B,n,H,d) → hook → (B,n,H·d); without a hook nothing is moved.
Tensor per_head(const HookPoint& hook, const Tensor& x, std::size_t heads) {
  if (!hook.active()) return x;
  return reshape_to(hook(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads})), x.shape());
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionConfig& config, Rng& rng)
    : config_(filled_in(config)) {
  const MultiHeadAttentionConfig& c = config_;
  W_Q = projection(c.d_model, c.n_heads * c.d_head, rng);
  W_K = projection(c.d_memory, c.n_heads * c.d_head, rng);
  W_V = projection(c.d_memory, c.n_heads * c.d_value, rng);
  W_O = projection(c.n_heads * c.d_value, c.d_model, rng);
  b_Q = bias_parameter(c.bias, c.n_heads * c.d_head);
  b_K = bias_parameter(c.bias, c.n_heads * c.d_head);
  b_V = bias_parameter(c.bias, c.n_heads * c.d_value);
  b_O = bias_parameter(c.bias, c.d_model);
  if (c.rotary_positions > 0) rotary_ = rotary_table(c.rotary_positions, c.d_head);
  name_parameters(*this);
}

Tensor MultiHeadAttention::operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                      const AttentionTerms& terms) const {
  const std::size_t heads = config_.n_heads;
  for (const Tensor& x : {query, key, value})
    check(x.dim() == 3, "[attention] expected (batch, positions, width), got shape {}.", x.shape());
  Tensor q = per_head(hook_q, linear(query, W_Q, b_Q), heads);
  Tensor k = per_head(hook_k, linear(key, W_K, b_K), heads);
  const Tensor v = per_head(hook_v, linear(value, W_V, b_V), heads);
  if (config_.rotary_positions > 0) {
    q = per_head(hook_rot_q, rotary(q, rotary_), heads);
    k = per_head(hook_rot_k, rotary(k, rotary_), heads);
  }
  return linear(per_head(hook_z, mix(q, k, v, terms), heads), W_O, b_O);
}

Tensor MultiHeadAttention::mix(const Tensor& q, const Tensor& k, const Tensor& v,
                               const AttentionTerms& terms) const {
  if (hook_attn_scores.active() || hook_pattern.active()) return mix_in_the_open(q, k, v, terms);
  return scaled_dot_product_attention(q, k, v,
                                      {.causal = config_.causal,
                                       .mask = terms.mask,
                                       .bias = terms.bias,
                                       .scale = 0,
                                       .n_heads = config_.n_heads});
}

// The same, step by step, for those who want to look at (or change) scores and pattern.
Tensor MultiHeadAttention::mix_in_the_open(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const AttentionTerms& terms) const {
  const std::size_t heads = config_.n_heads, n = q.length(1), m = k.length(1);
  const auto split = [&](const Tensor& x) {  // (B,n,H·d) → (B,H,n,d)
    return permute(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads}), {0, 2, 1, 3});
  };
  constexpr Real kHidden = -std::numeric_limits<Real>::infinity();
  Tensor scores =
      matmul(split(q), split(k), {.transpose_y = true}) / std::sqrt(static_cast<double>(config_.d_head));
  if (terms.bias.defined()) scores = scores + terms.bias;
  if (terms.mask) scores = masked_fill(scores, !*terms.mask, kHidden);
  if (config_.causal) scores = masked_fill(scores, !causal_mask(n, m), kHidden);
  const Tensor pattern = hook_pattern(softmax(hook_attn_scores(scores)));  // (B,H,n,m)
  const Tensor z = permute(matmul(pattern, split(v)), {0, 2, 1, 3});       // (B,n,H,d_value)
  return reshape_to(z, {z.length(0), n, heads * config_.d_value});
}

}  // namespace headlight::nn

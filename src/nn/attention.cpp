#include "headlight/nn/attention.h"

#include <algorithm>
#include <cmath>

#include "headlight/autograd/linear_ops.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/reduce.h"
#include "headlight/ops/softmax.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {
namespace {

MultiHeadAttentionConfig filled_in(MultiHeadAttentionConfig c) {
  check(c.n_heads > 0, "attention needs at least one head, got n_heads = 0.");
  check(c.d_model > 0, "attention needs d_model of at least 1, got 0.");
  check(c.d_head || c.d_model % c.n_heads == 0,
        "d_model = {} is not divisible by n_heads = {}. Hint: choose a divisor, or set d_head.", c.d_model,
        c.n_heads);
  if (!c.d_head) c.d_head = c.d_model / c.n_heads;
  if (!c.d_value) c.d_value = c.d_head;
  if (!c.d_memory) c.d_memory = c.d_model;
  check(*c.d_head > 0 && *c.d_value > 0 && *c.d_memory > 0,
        "attention needs widths of at least 1, got d_head = {}, d_value = {}, d_memory = {}.", *c.d_head,
        *c.d_value, *c.d_memory);
  constexpr std::size_t kMost = 1 << 20;
  check(std::max({c.d_model, c.n_heads, *c.d_head, *c.d_value, *c.d_memory}) <= kMost,
        "attention of d_model = {}, n_heads = {}, d_head = {} is too large: at most {} each.", c.d_model,
        c.n_heads, *c.d_head, kMost);
  check(!c.rotary_positions || *c.d_head % 2 == 0,
        "rotary positions turn pairs of coordinates, so d_head must be even; it is {}.", *c.d_head);
  return c;
}

Tensor projection(std::size_t in, std::size_t out, Rng& rng) {
  return normal_parameter({in, out}, 1 / std::sqrt(static_cast<double>(in)), rng);
}

// x W_h for every head h: x (B,n,H,a), W (H,a,b) → (B,n,H,b).
Tensor product_of_heads(const Tensor& x, const Tensor& W) {
  const Shape rows{W.length(0), x.length(0) * x.length(1), W.length(1)};
  const Tensor y = matmul(reshape_to(permute(x, {2, 0, 1, 3}), rows), W);  // (H,B·n,b)
  return permute(reshape_to(y, {W.length(0), x.length(0), x.length(1), W.length(2)}), {1, 2, 0, 3});
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionConfig& config, Rng& rng)
    : config_(filled_in(config)) {
  const MultiHeadAttentionConfig& c = config_;
  const std::size_t qk_width = c.n_heads * *c.d_head, v_width = c.n_heads * *c.d_value;
  W_Q = projection(c.d_model, qk_width, rng);
  W_K = projection(*c.d_memory, qk_width, rng);
  W_V = projection(*c.d_memory, v_width, rng);
  W_O = projection(v_width, c.d_model, rng);
  b_Q = bias_parameter(c.bias, qk_width);
  b_K = bias_parameter(c.bias, qk_width);
  b_V = bias_parameter(c.bias, v_width);
  b_O = bias_parameter(c.bias, c.d_model);
  if (c.rotary_positions) rotary_ = rotary_table(*c.rotary_positions, *c.d_head);
  name_parameters(*this);
}

Tensor MultiHeadAttention::operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                      const AttentionTerms& terms, const HooksAt& hooks) const {
  check_hooks(*this, hooks);
  Tensor q = per_head("hook_q", project(query, W_Q, b_Q, hooks), hooks);
  Tensor k = per_head("hook_k", project(key, W_K, b_K, hooks), hooks);
  const Tensor v = per_head("hook_v", project(value, W_V, b_V, hooks), hooks);
  if (config_.rotary_positions) {
    q = per_head("hook_rot_q", rotary(q, rotary_), hooks);
    k = per_head("hook_rot_k", rotary(k, rotary_), hooks);
  }
  return output(per_head("hook_z", mix(q, k, v, terms, hooks), hooks), hooks);
}

// x W + b. When every head has the same input, the result has the bits of the shared product.
Tensor MultiHeadAttention::project(const Tensor& x, const Tensor& W, const Tensor& b,
                                   const HooksAt& hooks) const {
  const std::size_t heads = config_.n_heads;
  check(
      x.dim() == 3 || (x.dim() == 4 && x.length(2) == heads),
      "[attention] expected (batch, positions, width), or (batch, positions, {} heads, width), got shape {}.",
      heads, x.shape());
  if (x.dim() == 3) return linear(x, W, b);
  const Tensor first = slice(x, 2, 0, 1), all_first = broadcast_to(first, x.shape());
  const Tensor shared = linear(reshape_to(first, {x.length(0), x.length(1), x.length(3)}), W, b);
  return hooks.choose(shared, hooks.changed(all_first, x), [&] {
    const Tensor of_heads = permute(reshape_to(W, {W.length(0), heads, W.length(1) / heads}), {1, 0, 2});
    const Tensor y = reshape_to(product_of_heads(x, of_heads), shared.shape());
    return b.defined() ? y + b : y;
  });
}

// (B,n,H·d) → (B,n,H,d) → hook → (B,n,H·d); returns x without a hook.
Tensor MultiHeadAttention::per_head(const char* hook, const Tensor& x, const HooksAt& hooks) const {
  if (!hooks.has(hook)) return x;
  const Shape apart{x.length(0), x.length(1), config_.n_heads, x.length(2) / config_.n_heads};
  return reshape_to(hooks(hook, reshape_to(x, apart)), x.shape());
}

AttentionOptions MultiHeadAttention::options(const AttentionTerms& terms) const {
  return {.causal = config_.causal,
          .window = terms.window,
          .mask = terms.mask,
          .bias = terms.bias,
          .relative = terms.relative,
          .n_heads = config_.n_heads};
}

// (B,n,H·d_value)
Tensor MultiHeadAttention::mix(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionTerms& terms,
                               const HooksAt& hooks) const {
  const AttentionOptions with = options(terms);
  const Tensor z = scaled_dot_product_attention(q, k, v, with);
  if (!hooks.has("hook_attn_scores") && !hooks.has("hook_pattern")) return z;
  const Tensor scores = reference::attention_scores(q, k, with), S = hooks("hook_attn_scores", scores);
  const Tensor pattern = softmax(S), P = hooks("hook_pattern", pattern);
  return hooks.choose(z, hooks.changed(scores, S) || hooks.changed(pattern, P),
                      [&] { return reference::attention_output(P, v, with); });
}

// z W_O + b_O, the sum of the heads' results.
Tensor MultiHeadAttention::output(const Tensor& z, const HooksAt& hooks) const {
  const Tensor out = linear(z, W_O, b_O);
  if (!hooks.has("hook_result")) return out;
  const std::size_t heads = config_.n_heads, width = z.length(2) / heads;
  const Tensor result = product_of_heads(reshape_to(z, {z.length(0), z.length(1), heads, width}),
                                         reshape_to(W_O, {heads, width, W_O.length(1)}));
  const Tensor used = hooks("hook_result", result);  // (B,n,H,d_model)
  return hooks.choose(out, hooks.changed(result, used), [&] {
    const Tensor y = sum(used, {2});
    return b_O.defined() ? y + b_O : y;
  });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn

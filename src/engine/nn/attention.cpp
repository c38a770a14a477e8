#include "headlight/nn/attention.h"

#include <cmath>
#include <utility>

#include "headlight/autograd/linear_ops.h"
#include "headlight/core/setting_text.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/reduce.h"
#include "headlight/ops/smear.h"
#include "headlight/ops/softmax.h"

namespace headlight::nn {
namespace {

Tensor projection(std::size_t in, std::size_t out, Rng& rng) {
  return normal_parameter({in, out}, 1 / std::sqrt(static_cast<double>(in)), rng);
}

Tensor joined(const Tensor& q, const Tensor& k, const Tensor& v) {
  return parameter(concat({q, k, v}, -1).array());
}

// x W_h for every head h: x (B,n,H,a), W (H,a,b) → (B,n,H,b).
Tensor product_of_heads(const Tensor& x, const Tensor& W) {
  const Shape rows{W.length(0), x.length(0) * x.length(1), W.length(1)};
  const Tensor y = matmul(reshape_to(permute(x, {2, 0, 1, 3}), rows), W);  // (H,B·n,b)
  return permute(reshape_to(y, {W.length(0), x.length(0), x.length(1), W.length(2)}), {1, 2, 0, 3});
}

// x W + b. When every head has the same input, the result has the bits of the shared product.
Tensor project_heads(const Tensor& x, const Tensor& W, const Tensor& b, std::size_t heads,
                     const HooksAt& hooks) {
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

// (B,n,H·d) → (B,n,H,d) → f → (B,n,H·d)
template <class F>
Tensor per_head(const Tensor& x, std::size_t heads, F f) {
  return reshape_to(f(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads})), x.shape());
}

// The same for the hook of this name; returns x without a hook.
Tensor per_head(const char* hook, const Tensor& x, std::size_t heads, const HooksAt& hooks) {
  if (!hooks.has(hook)) return x;
  return per_head(x, heads, [&](const Tensor& apart) { return hooks(hook, apart); });
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionConfig& config, Rng& rng)
    : config_(filled_in(config)) {
  const MultiHeadAttentionConfig& c = config_;
  const std::size_t q_width = c.n_heads * *c.d_head, k_width = c.n_kv_heads * *c.d_head,
                    v_width = c.n_kv_heads * *c.d_value;
  W_Q = projection(c.d_model, q_width, rng);
  W_K = projection(*c.d_memory, k_width, rng);
  W_V = projection(*c.d_memory, v_width, rng);
  W_O = projection(c.n_heads * *c.d_value, c.d_model, rng);
  b_Q = bias_parameter(c.bias, q_width);
  b_K = bias_parameter(c.bias, k_width);
  b_V = bias_parameter(c.bias, v_width);
  b_O = bias_parameter(c.bias, c.d_model);
  if (c.fused_qkv) {
    W_QKV = joined(std::exchange(W_Q, {}), std::exchange(W_K, {}), std::exchange(W_V, {}));
    if (c.bias) b_QKV = joined(std::exchange(b_Q, {}), std::exchange(b_K, {}), std::exchange(b_V, {}));
  }
  sinks = bias_parameter(c.sinks, c.n_heads);
  smear = bias_parameter(c.smeared_keys, c.n_kv_heads);
  if (c.qk_norm != NormKind::none) {
    q_norm.emplace(*c.d_head, c.qk_norm, false);
    k_norm.emplace(*c.d_head, c.qk_norm, false);
  }
  use_positions(rng);
  name_parameters(*this);
}

void MultiHeadAttention::use_positions(Rng& rng) {
  const Positions& kind = positions().find(config_.positions);
  const PositionSizes sizes = position_sizes(config_);
  if (kind.check) kind.check(sizes);
  constexpr std::size_t kMostPositions = std::size_t{1} << 30;  // distances are counted in int
  check_setting(config_.n_ctx <= kMostPositions, "attention over {} positions is too long: at most {}.",
                setting_key("n_ctx", config_.n_ctx), kMostPositions);
  check_setting(config_.n_ctx > 0 || !(kind.rotation || kind.bias),
                "attention with positions '{}' needs the number of positions, got {}.", config_.positions,
                setting_key("n_ctx", 0));
  if (kind.rotation) rotation_ = kind.rotation(sizes);
  if (kind.rel_bias) rel_bias = kind.rel_bias(sizes, rng);
  if (kind.bias) position_bias_ = kind.bias(sizes);
}

Tensor MultiHeadAttention::operator()(const Tensor& query, const Tensor& key, const Tensor& value,
                                      const AttentionOptions& call, const HooksAt& hooks,
                                      KeyValues* kept) const {
  check_hooks(*this, hooks);
  const std::size_t heads = config_.n_heads, kv_heads = config_.n_kv_heads;
  const std::size_t first = kept != nullptr ? kept->length() : call.first_query;
  auto [q, k, v] = project(query, key, value, hooks);
  q = per_head("hook_q", q, heads, hooks);
  k = per_head("hook_k", k, kv_heads, hooks);
  v = per_head("hook_v", v, kv_heads, hooks);
  if (smear.defined()) {
    const Tensor smeared = kept != nullptr ? kept->smeared(k, smear) : headlight::smear(k, smear);
    k = per_head("hook_smeared_k", smeared, kv_heads, hooks);
  }
  if (q_norm) {
    q = per_head(q, heads, [&](const Tensor& apart) { return (*q_norm)(apart, hooks.below("q_norm")); });
    k = per_head(k, kv_heads, [&](const Tensor& apart) { return (*k_norm)(apart, hooks.below("k_norm")); });
  }
  if (rotation_) {
    q = per_head("hook_rot_q", rotation_(q, first), heads, hooks);
    k = per_head("hook_rot_k", rotation_(k, first), kv_heads, hooks);
  }
  AttentionOptions with = options(call);
  with.first_query = first;
  if (kept != nullptr) kept->append(k, v);
  return output(per_head("hook_z", mix(q, k, v, with, hooks), heads, hooks), hooks);
}

// What belongs to queries (part 0), keys (1) or values (2) in the last axis of x, which has all three.
Tensor MultiHeadAttention::columns(const Tensor& x, int part) const {
  const MultiHeadAttentionConfig& c = config_;
  const int q = static_cast<int>(c.n_heads * *c.d_head), k = static_cast<int>(c.n_kv_heads * *c.d_head);
  if (part == 0) return slice(x, -1, 0, q);
  return part == 1 ? slice(x, -1, q, q + k) : slice(x, -1, q + k);
}

// The queries, keys and values (B,n,heads·width).
std::array<Tensor, 3> MultiHeadAttention::project(const Tensor& query, const Tensor& key, const Tensor& value,
                                                  const HooksAt& hooks) const {
  const std::size_t heads = config_.n_heads, kv_heads = config_.n_kv_heads;
  if (!config_.fused_qkv)
    return {project_heads(query, W_Q, b_Q, heads, hooks), project_heads(key, W_K, b_K, kv_heads, hooks),
            project_heads(value, W_V, b_V, kv_heads, hooks)};
  if (same_node(query, key) && same_node(key, value) && query.dim() == 3) {
    const Tensor all = linear(query, W_QKV, b_QKV);
    return {columns(all, 0), columns(all, 1), columns(all, 2)};
  }
  const auto part = [&](const Tensor& x, int which, std::size_t n) {
    return project_heads(x, columns(W_QKV, which), b_QKV.defined() ? columns(b_QKV, which) : b_QKV, n, hooks);
  };
  return {part(query, 0, heads), part(key, 1, kv_heads), part(value, 2, kv_heads)};
}

AttentionOptions MultiHeadAttention::options(AttentionOptions call) const {
  check(!call.n_heads && !call.n_kv_heads && !call.sinks.defined() && call.cap == 0,
        "[attention] n_heads, n_kv_heads, sinks and cap of a call are the layer's. Hint: set them in "
        "MultiHeadAttentionConfig.");
  check(!position_bias_ || !call.relative.values.defined(),
        "[attention] a relative bias was given, but the positions '{}' have their own. Hint: give `bias`.",
        config_.positions);
  call.causal = call.causal || config_.causal;
  if (!call.window && config_.window > 0) call.window = config_.window;
  if (position_bias_) call.relative = position_bias_(rel_bias);
  call.n_heads = config_.n_heads, call.n_kv_heads = config_.n_kv_heads;
  call.sinks = sinks, call.cap = config_.score_cap;
  return call;
}

// (B,n,H·d_value)
Tensor MultiHeadAttention::mix(const Tensor& q, const Tensor& k, const Tensor& v,
                               const AttentionOptions& with, const HooksAt& hooks) const {
  const Tensor z = scaled_dot_product_attention(q, k, v, with);
  if (!hooks.has("hook_attn_scores") && !hooks.has("hook_pattern")) return z;
  const Tensor scores = reference::attention_scores(q, k, with), S = hooks("hook_attn_scores", scores);
  const Tensor pattern = sinks.defined() ? reference::attention_pattern(S, with) : softmax(S);
  const Tensor P = hooks("hook_pattern", pattern);
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

}  // namespace headlight::nn

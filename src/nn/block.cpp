#include "headlight/nn/block.h"

#include "headlight/autograd/linear_ops.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/rearrange.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {
namespace {

MultiHeadAttentionConfig attention_of(const TransformerConfig& c) {
  MultiHeadAttentionConfig a{.d_model = c.d_model, .n_heads = c.n_heads, .bias = c.bias, .causal = true};
  if (c.d_head > 0) a.d_head = c.d_head;
  if (c.positions == Positions::rotary) a.rotary_positions = c.n_ctx;
  return a;
}

bool reads_each_head(const HooksAt& hooks) {
  return hooks.has("hook_attn_in") || hooks.has("hook_q_input") || hooks.has("hook_k_input") ||
         hooks.has("hook_v_input");
}

}  // namespace

Block::Block(const TransformerConfig& config, Rng& rng)
    : ln1(config.d_model, config.norm), attn(attention_of(config), rng) {
  if (config.d_mlp == 0) return;
  ln2.emplace(config.d_model, config.norm);
  mlp.emplace(config.d_model, config.d_mlp, rng, config.bias);
}

Tensor Block::operator()(const Tensor& x, const Tensor& positions, const HooksAt& hooks) const {
  check_hooks(*this, hooks);
  const Tensor before = hooks("hook_resid_pre", x);
  Tensor after = before + hooks("hook_attn_out", attend(before, positions, hooks));
  if (mlp) {
    const Tensor middle = hooks("hook_resid_mid", after);
    const Tensor read = hooks.has("hook_mlp_in") ? hooks("hook_mlp_in", identity(middle)) : middle;
    after = middle + hooks("hook_mlp_out", (*mlp)((*ln2)(read, hooks.below("ln2")), hooks.below("mlp")));
  }
  return hooks("hook_resid_post", after);
}

Tensor Block::attend(const Tensor& x, const Tensor& positions, const HooksAt& hooks) const {
  const HooksAt of_norm = hooks.below("ln1"), of_attn = hooks.below("attn");
  const Tensor normalized = ln1(x, of_norm);
  const Tensor placed = positions.defined() ? normalized + positions : normalized;
  if (!reads_each_head(hooks)) return attn(placed, placed, normalized, {}, of_attn);

  const std::size_t batch = x.length(0), n = x.length(1), d = x.length(2), heads = attn.config().n_heads;
  const Tensor each = broadcast_to(reshape_to(x, {batch, n, 1, d}), {batch, n, heads, d});
  const Tensor read = hooks("hook_attn_in", each);
  const Tensor offset = positions.defined() ? reshape_to(positions, {n, 1, d}) : Tensor();
  const bool all_changed = hooks.changed(each, read);
  const auto input = [&](const char* name, const Tensor& shared, const Tensor& shift) {
    if (!hooks.has(name) && !hooks.has("hook_attn_in")) return shared;
    const Tensor mine = identity(read), own = hooks(name, mine);  // a separate node has a separate gradient
    const bool only_read = !all_changed && !hooks.changed(mine, own);
    if (only_read && (of_norm.any() || !hooks.gradients_of_read())) return shared;
    return shift.defined() ? ln1(own) + shift : ln1(own);  // (B,n,H,d_model)
  };
  return attn(input("hook_q_input", placed, offset), input("hook_k_input", placed, offset),
              input("hook_v_input", normalized, {}), {}, of_attn);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn

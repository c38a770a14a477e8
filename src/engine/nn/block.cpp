#include "headlight/nn/block.h"

#include "headlight/autograd/linear_ops.h"
#include "headlight/nn/check_model.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/rearrange.h"

namespace headlight::nn {
namespace {

bool reads_each_head(const HooksAt& hooks) {
  return hooks.has("hook_attn_in") || hooks.has("hook_q_input") || hooks.has("hook_k_input") ||
         hooks.has("hook_v_input");
}

// (B,n,d) → (B,n,heads,d), the same for each head.
Tensor for_each_head(const Tensor& x, std::size_t heads) {
  const std::size_t batch = x.length(0), n = x.length(1), d = x.length(2);
  return broadcast_to(reshape_to(x, {batch, n, 1, d}), {batch, n, heads, d});
}

// The options of cross-attention in a call: it drops other places than self-attention, and its queries go on
// at `first`, where a sequence is read in pieces.
AttentionOptions cross_options(const AttentionOptions& call, std::size_t first) {
  return {.dropout = call.dropout,
          .dropout_seed = Rng(call.dropout_seed).stream("cross").next(),
          .first_query = first};
}

}  // namespace

Block::Block(const TransformerConfig& config, Rng& rng, Role role)
    : ln1(config.d_model, config.norm),
      attn(self_attention_of(config, role == Role::predicts), rng),
      norm_place_(config.norm_place) {
  if (config.architecture == Architecture::encoder_decoder && role == Role::predicts) {
    ln_cross.emplace(config.d_model, config.norm);
    cross_attn.emplace(cross_attention_of(config), rng);
  }
  if (config.d_mlp == 0) return;
  ln2.emplace(config.d_model, config.norm);
  mlp.emplace(config.d_model, config.d_mlp, rng, config.bias, config.mlp);
}

Tensor Block::operator()(const Tensor& x, const Tensor& positions, const HooksAt& hooks,
                         const AttentionOptions& call, const Tensor& memory, KeyValues* kept) const {
  check_hooks(*this, hooks);
  check(memory.defined() == cross_attn.has_value(), "[block] expected {}, got {}.",
        cross_attn ? "a memory for cross-attention" : "no memory, because the block has no cross-attention",
        memory.defined() ? "one" : "none");
  const HooksAt of_ln1 = hooks.below("ln1"), of_ln2 = hooks.below("ln2"), of_cross = hooks.below("ln_cross");
  const std::size_t first = kept != nullptr ? kept->length() : call.first_query;
  const Tensor start = hooks("hook_resid_pre", x);
  Tensor sum = start + hooks("hook_attn_out", attend(start, positions, hooks, call, kept));
  if (cross_attn) {
    const Tensor middle = after(ln1, hooks("hook_resid_mid", sum), of_ln1);
    const Tensor query = before(*ln_cross, middle, of_cross);
    sum = middle +
          hooks("hook_cross_attn_out",
                (*cross_attn)(query, memory, memory, cross_options(call, first), hooks.below("cross_attn")));
  }
  if (mlp) {
    const Tensor middle = cross_attn ? after(*ln_cross, hooks("hook_resid_mid_cross", sum), of_cross)
                                     : after(ln1, hooks("hook_resid_mid", sum), of_ln1);
    const Tensor read = hooks.has("hook_mlp_in") ? hooks("hook_mlp_in", identity(middle)) : middle;
    sum = middle + hooks("hook_mlp_out", (*mlp)(before(*ln2, read, of_ln2), hooks.below("mlp")));
  }
  sum = hooks("hook_resid_post", sum);
  if (norm_place_ == NormPlace::pre) return sum;
  return hooks("hook_normalized_resid_post", mlp          ? (*ln2)(sum, of_ln2)
                                             : cross_attn ? (*ln_cross)(sum, of_cross)
                                                          : ln1(sum, of_ln1));
}

// The norm where it stands before attention or an MLP, and where it stands after the sum; else x.
Tensor Block::before(const Norm& norm, const Tensor& x, const HooksAt& hooks) const {
  return norm_place_ == NormPlace::pre ? norm(x, hooks) : x;
}
Tensor Block::after(const Norm& norm, const Tensor& x, const HooksAt& hooks) const {
  return norm_place_ == NormPlace::post ? norm(x, hooks) : x;
}

Tensor Block::attend(const Tensor& x, const Tensor& positions, const HooksAt& hooks,
                     const AttentionOptions& call, KeyValues* kept) const {
  const HooksAt of_norm = hooks.below("ln1"), of_attn = hooks.below("attn");
  const Tensor normalized = before(ln1, x, of_norm);
  const Tensor placed = positions.defined() ? normalized + positions : normalized;
  if (!reads_each_head(hooks)) return attn(placed, placed, normalized, call, of_attn, kept);

  const std::size_t heads = attn.config().n_heads, kv_heads = attn.config().n_kv_heads;
  const Tensor each = for_each_head(x, heads), given = hooks("hook_attn_in", each);
  const Tensor given_kv = kv_heads == heads ? given : for_each_head(x, kv_heads);
  const bool all_changed = hooks.changed(each, given);
  const Tensor offset = positions.defined() ? reshape_to(positions, {x.length(1), 1, x.length(2)}) : Tensor();
  // What the heads read through this hook, (B,n,heads,d_model); or `shared`, (B,n,d_model), which is the same
  // where hooks change nothing.
  const auto input = [&](const char* hook, const Tensor& of_heads, const Tensor& shared,
                         const Tensor& shift) {
    if (!hooks.has(hook) && !hooks.has("hook_attn_in")) return shared;
    const Tensor before_hook = identity(of_heads);  // a node of its own, which has a gradient of its own
    const Tensor own = hooks(hook, before_hook);
    const bool changed = all_changed || hooks.changed(before_hook, own);
    const bool gradient_wanted = recording() && !of_norm.any();
    if (!changed && !gradient_wanted) return shared;
    const Tensor ready = before(ln1, own, {});
    return shift.defined() ? ready + shift : ready;
  };
  const Tensor values = input("hook_v_input", given_kv, normalized, {});
  const Tensor keys = input("hook_k_input", given_kv, placed, offset);
  const Tensor queries = input("hook_q_input", given, placed, offset);
  return attn(queries, keys, values, call, of_attn, kept);
}

}  // namespace headlight::nn

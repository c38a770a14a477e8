#include "gradients/composed.h"

#include "headlight/ops/ops.h"

namespace headlight::composed {
namespace {

// (B,n,H·d) → (B,H,n,d)
Tensor split_heads(const Tensor& x, std::size_t heads) {
  return permute(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads}), {0, 2, 1, 3});
}

// Rotary positions of heads (B,H,n,d), as two halves a and b: (a cos - b sin, b cos + a sin).
Tensor rotate(const Tensor& x) {
  const auto [cos, sin] = rotary_table(x.length(2), x.length(3));  // (n,d/2)
  const int half = static_cast<int>(x.length(3) / 2);
  const Tensor a = slice(x, -1, 0, half), b = slice(x, -1, half);
  return concat({a * cos - b * sin, b * cos + a * sin}, -1);
}

}  // namespace

Attention attention(const nn::MultiHeadAttention& layer, const Tensor& x, const Tensor& memory,
                    const AttentionOptions& call) {
  const nn::MultiHeadAttentionConfig& c = layer.config();
  Attention a;
  a.q = reference::linear(x, layer.W_Q, layer.b_Q);
  a.k = reference::linear(memory, layer.W_K, layer.b_K);
  a.v = reference::linear(memory, layer.W_V, layer.b_V);
  Tensor q = split_heads(a.q, c.n_heads), k = split_heads(a.k, c.n_heads);
  if (c.positions == "rotary") q = rotate(q), k = rotate(k);
  AttentionOptions apart = layer.options(call);  // the heads have an axis of their own
  apart.n_heads.reset();
  apart.n_kv_heads.reset();
  a.scores = reference::attention_scores(q, k, apart);
  a.pattern = reference::softmax(a.scores);
  const Tensor z =
      permute(reference::attention_output(a.pattern, split_heads(a.v, c.n_heads), apart), {0, 2, 1, 3});
  a.out = reference::linear(reshape_to(z, {x.length(0), x.length(1), c.n_heads * *c.d_value}), layer.W_O,
                            layer.b_O);
  return a;
}

Tensor block(const nn::Block& layer, const Tensor& x) {
  const Tensor normalized = reference::layer_norm(x, layer.ln1.w, layer.ln1.b, layer.ln1.eps);
  const Tensor middle = x + attention(layer.attn, normalized, normalized).out;
  if (!layer.mlp) return middle;
  const Tensor again = reference::layer_norm(middle, layer.ln2->w, layer.ln2->b, layer.ln2->eps);
  const Tensor hidden = reference::gelu(reference::linear(again, layer.mlp->W_in, layer.mlp->b_in));
  return middle + reference::linear(hidden, layer.mlp->W_out, layer.mlp->b_out);
}

Tensor loss(const nn::Transformer& model, const IntArray& tokens, const IntArray& targets) {
  const std::size_t vocab = model.config().d_vocab;
  Tensor x = matmul(one_hot(tokens, vocab), model.embed.W);
  for (const nn::Block& layer : model.blocks) x = block(layer, x);
  x = reference::layer_norm(x, model.ln_final.w, model.ln_final.b, model.ln_final.eps);
  const Tensor log_p = reference::log_softmax(matmul(x, model.unembed.W));
  return -sum(log_p * one_hot(targets, vocab)) / static_cast<double>(targets.size());
}

}  // namespace headlight::composed

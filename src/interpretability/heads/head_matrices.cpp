#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/interpret/head_loss.h"

namespace headlight::interpret {

const nn::MultiHeadAttention& attention_of(const nn::Transformer& model, const HeadAt& head) {
  layer_of(model.config(), head);  // throws for a head that does not exist
  if (head.stack == Stack::encoder) return model.encoder[head.layer].attn;
  const nn::Block& block = model.blocks[head.layer];
  return head.stack == Stack::cross ? *block.cross_attn : block.attn;
}

void HeadMatrix::take(const Array& whole, Real* flat) const {
  const std::size_t stride = whole.shape()[1];
  const Real* from = whole.data() + (rows ? first * stride : first);
  for (std::size_t r = 0; r < shape[0]; ++r, from += stride, flat += shape[1])
    std::copy_n(from, shape[1], flat);
}

void HeadMatrix::put(const Real* flat, Array& whole) const {
  const std::size_t stride = whole.shape()[1];
  Real* to = whole.data() + (rows ? first * stride : first);
  for (std::size_t r = 0; r < shape[0]; ++r, to += stride, flat += shape[1]) std::copy_n(flat, shape[1], to);
}

std::vector<HeadMatrix> head_matrices(const nn::Transformer& model, const HeadAt& at) {
  const nn::MultiHeadAttention& a = attention_of(model, at);
  const nn::MultiHeadAttentionConfig& c = a.config();
  const std::size_t d = *c.d_head, dv = *c.d_value, kv_head = at.head / (c.n_heads / c.n_kv_heads);
  const bool fused = a.W_QKV.defined();
  const std::size_t before_k = fused ? c.n_heads * d : 0;
  const std::size_t before_v = fused ? before_k + c.n_kv_heads * d : 0;
  std::vector<HeadMatrix> all{
      {"W_Q", fused ? a.W_QKV : a.W_Q, false, at.head * d, {c.d_model, d}},
      {"W_K", fused ? a.W_QKV : a.W_K, false, before_k + kv_head * d, {*c.d_memory, d}},
      {"W_V", fused ? a.W_QKV : a.W_V, false, before_v + kv_head * dv, {*c.d_memory, dv}},
      {"W_O", a.W_O, true, at.head * dv, {dv, c.d_model}}};
  for (std::size_t i = 1; i < all.size(); ++i) all[i].offset = all[i - 1].offset + all[i - 1].size();
  return all;
}

Array head_parameters(const nn::Transformer& model, const HeadAt& head) {
  const std::vector<HeadMatrix> matrices = head_matrices(model, head);
  Array flat = empty_array({matrices.back().offset + matrices.back().size()});
  for (const HeadMatrix& m : matrices) m.take(m.parameter.array(), flat.data() + m.offset);
  return flat;
}

}  // namespace headlight::interpret

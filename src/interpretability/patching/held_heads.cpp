#include "headlight/interpret/held_heads.h"

#include <algorithm>
#include <tuple>

namespace headlight::interpret {
namespace {

nn::MultiHeadAttention& attention_of(nn::Transformer& model, const HeadAt& head) {
  if (head.stack == Stack::encoder) return model.encoder[head.layer].attn;
  nn::Block& block = model.blocks[head.layer];
  return head.stack == Stack::cross ? *block.cross_attn : block.attn;
}

}  // namespace

void HeldHeads::hold_columns(const Tensor& parameter, std::size_t first, std::size_t count) {
  if (!parameter.defined()) return;
  const Array& x = parameter.array();
  const std::size_t width = x.shape().back();
  for (std::size_t row = 0; row < x.size(); row += width)
    spans_.push_back({parameter, row + first, {x.data() + row + first, x.data() + row + first + count}});
}

void HeldHeads::hold_rows(const Tensor& parameter, std::size_t first, std::size_t count) {
  if (!parameter.defined()) return;
  const Array& x = parameter.array();
  const std::size_t width = x.size() / x.shape()[0];
  spans_.push_back(
      {parameter, first * width, {x.data() + first * width, x.data() + (first + count) * width}});
}

void HeldHeads::clamp(nn::Transformer& model, const HeadAt& head) {
  const nn::MultiHeadAttention& attn = attention_of(model, head);
  const nn::MultiHeadAttentionConfig& c = attn.config();
  const std::size_t d = *c.d_head, d_value = *c.d_value, group = head.head * c.n_kv_heads / c.n_heads;
  // Where queries, keys and values begin in a fused matrix.
  const std::size_t keys = c.fused_qkv ? c.n_heads * d : 0,
                    values = c.fused_qkv ? keys + c.n_kv_heads * d : 0;
  for (const auto& [query, key, value] :
       {std::tie(attn.W_Q, attn.W_K, attn.W_V), std::tie(attn.b_Q, attn.b_K, attn.b_V)}) {
    hold_columns(query, head.head * d, d);
    hold_columns(key, group * d, d);
    hold_columns(value, group * d_value, d_value);
  }
  for (const Tensor* fused : {&attn.W_QKV, &attn.b_QKV}) {
    hold_columns(*fused, head.head * d, d);
    hold_columns(*fused, keys + group * d, d);
    hold_columns(*fused, values + group * d_value, d_value);
  }
  hold_rows(attn.W_O, head.head * d_value, d_value);
  hold_rows(attn.rel_bias, head.head, 1);
  hold_rows(attn.sinks, head.head, 1);
  hold_rows(attn.smear, group, 1);
}

void HeldHeads::zero(nn::Transformer& model, const HeadAt& head) {
  const nn::MultiHeadAttention& attn = attention_of(model, head);
  const std::size_t d_value = *attn.config().d_value;
  hold_rows(attn.W_O, head.head * d_value, d_value);
  std::fill(spans_.back().numbers.begin(), spans_.back().numbers.end(), Real{0});
  after_step(0, {});
}

void HeldHeads::after_step(std::int64_t, const std::vector<Tensor>&) {
  for (Span& span : spans_)
    std::copy(span.numbers.begin(), span.numbers.end(), span.parameter.mutable_array().data() + span.first);
}

}  // namespace headlight::interpret

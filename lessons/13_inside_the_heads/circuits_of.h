// The matrices of lesson 13 between all pairs of tokens: what matches, and what is copied.
#pragma once

#include "headlight/interpret/ablation.h"
#include "headlight/interpret/circuits.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

// What a head adds to the stream if it looks at a stream x, in rows: x·W_V·W_O, with the norm's constant part
// and factors but without its scale.
inline Tensor through_ov(const nn::Transformer& model, const interpret::HeadAt& head, const Tensor& x) {
  const interpret::Factored ov = interpret::ov_circuit(model, head);
  return matmul(matmul(x, Tensor(ov.left)), Tensor(ov.right));
}

// The embeddings (V,d), with what heads of layer 0 that look at the token itself add to them.
inline Tensor after(const nn::Transformer& model, const interpret::HeadSet& heads) {
  Tensor x = model.embed.W;
  for (const interpret::HeadAt& head : heads) x = x + through_ov(model, head, model.embed.W);
  return x;
}

// (V,V), row: the query's token a, column: the token b that the sender read. The score of `head` for a query
// x_a, and a key that holds what the sender writes of b, 8 places apart and up to the norms' scales:
// x_a · QK · (E_b · OV)ᵀ. x_a is E_a and what the heads `before` add to it.
inline Array match_matrix(const nn::Transformer& model, const interpret::HeadAt& head,
                          const interpret::HeadAt& sender, const interpret::HeadSet& before) {
  const interpret::Factored qk = interpret::qk_circuit(model, head, {.distance = 8});
  const Tensor query = matmul(matmul(after(model, before), Tensor(qk.left)), Tensor(qk.right));
  return matmul(query, through_ov(model, sender, model.embed.W), {.transpose_y = true}).array();
}

// (V,V), row: the token that the heads look at, column: the token whose logit rises, up to the norms' scales.
// `before` are as above.
inline Array copy_matrix(const nn::Transformer& model, const interpret::HeadSet& heads,
                         const interpret::HeadSet& before) {
  const Tensor x = after(model, before);
  Tensor written;
  for (const interpret::HeadAt& head : heads) {
    const Tensor of_head = through_ov(model, head, x);
    written = written.defined() ? written + of_head : of_head;
  }
  const Tensor centred = written - mean(written, {-1}, true);  // as the final norm does
  return matmul(centred * model.ln_final.w, model.unembed.W).array();
}

// In how many rows the number on the diagonal is the largest.
inline std::size_t matched(const Array& square) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < square.shape()[0]; ++i) {
    bool largest = true;
    for (std::size_t j = 0; j < square.shape()[1]; ++j) largest = largest && square(i, j) <= square(i, i);
    count += largest;
  }
  return count;
}

}  // namespace headlight::lesson

#include "head_weights.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/core/math.h"

namespace headlight::interpret {
namespace {

const nn::Block& block_of(const nn::Transformer& model, const HeadAt& at) {
  return at.stack == Stack::encoder ? model.encoder[at.layer] : model.blocks[at.layer];
}

bool is_post(const nn::Transformer& model) { return model.config().norm_place == nn::NormPlace::post; }

// Columns first … first+count-1 of W (rows,…), or of a bias (…), which is one row.
Matrix columns(const Tensor& W, std::size_t first, std::size_t count) {
  const Array& a = W.array();
  const std::size_t width = a.shape().back(), rows = a.size() / width;
  return xt::view(xt::reshape_view(a, {rows, width}), xt::all(), xt::range(first, first + count));
}

// One sum into the residual stream, which a post-norm block normalizes: by a head of layer and stack, or an
// MLP.
struct Sum {
  std::size_t layer;
  Stack stack;
  bool mlp;
  const nn::Norm* norm;

  bool is_of(const HeadAt& at) const { return !mlp && layer == at.layer && stack == at.stack; }
};

std::vector<Sum> sums_of(const std::vector<nn::Block>& blocks, Stack stack) {
  std::vector<Sum> sums;
  for (std::size_t l = 0; l < blocks.size(); ++l) {
    const nn::Block& block = blocks[l];
    sums.push_back({l, stack, false, &block.ln1});
    if (block.cross_attn) sums.push_back({l, Stack::cross, false, &*block.ln_cross});
    if (block.mlp) sums.push_back({l, stack, true, &*block.ln2});
  }
  return sums;
}

std::vector<Sum> sums_around(const nn::Transformer& model, const HeadAt& at) {
  return at.stack == Stack::encoder ? sums_of(model.encoder, Stack::encoder)
                                    : sums_of(model.blocks, Stack::self);
}

}  // namespace

HeadWeights head_weights(const nn::Transformer& model, const HeadAt& at) {
  layer_of(model.config(), at);
  const nn::Block& block = block_of(model, at);
  const nn::MultiHeadAttention& a = at.stack == Stack::cross ? *block.cross_attn : block.attn;
  const nn::MultiHeadAttentionConfig& c = a.config();
  const std::size_t dh = *c.d_head, dv = *c.d_value, kv = at.head / (c.n_heads / c.n_kv_heads);
  const bool fused = a.W_QKV.defined();
  const std::size_t keys = fused ? c.n_heads * dh : 0, values = fused ? keys + c.n_kv_heads * dh : 0;
  const auto part = [&](const Tensor& own, const Tensor& joined, std::size_t first, std::size_t width) {
    const Tensor& W = fused ? joined : own;
    return W.defined() ? columns(W, first, width) : Matrix({1, width}, 0);
  };
  HeadWeights w;
  w.attn = &a;
  w.Q = part(a.W_Q, a.W_QKV, at.head * dh, dh), w.b_Q = part(a.b_Q, a.b_QKV, at.head * dh, dh);
  w.K = part(a.W_K, a.W_QKV, keys + kv * dh, dh), w.b_K = part(a.b_K, a.b_QKV, keys + kv * dh, dh);
  w.V = part(a.W_V, a.W_QKV, values + kv * dv, dv), w.b_V = part(a.b_V, a.b_QKV, values + kv * dv, dv);
  w.O = xt::view(a.W_O.array(), xt::range(at.head * dv, (at.head + 1) * dv));
  if (a.smear.defined()) w.smear = 1 / (1 + math::exp(-static_cast<double>(a.smear.array().data()[kv])));
  return w;
}

Norms norms_of_queries(const nn::Transformer& model, const HeadAt& at) {
  if (is_post(model)) return {};
  const nn::Block& block = block_of(model, at);
  return {at.stack == Stack::cross ? &*block.ln_cross : &block.ln1};
}

Norms norms_of_keys(const nn::Transformer& model, const HeadAt& at) {
  if (at.stack != Stack::cross) return norms_of_queries(model, at);
  return is_post(model) ? Norms() : Norms{&*model.encoder_ln_final};
}

Norms norms_before(const nn::Transformer& model, const HeadAt& at) {
  Norms norms;
  if (!is_post(model)) return norms;
  for (const Sum& sum : sums_around(model, at)) {
    if (sum.is_of(at)) break;
    norms.push_back(sum.norm);
  }
  return norms;
}

Norms norms_of_memory(const nn::Transformer& model) {
  Norms norms;
  if (is_post(model))
    for (const Sum& sum : sums_of(model.encoder, Stack::encoder)) norms.push_back(sum.norm);
  return norms;
}

Norms norms_after(const nn::Transformer& model, const HeadAt& at) {
  if (!is_post(model)) return {at.stack == Stack::encoder ? &*model.encoder_ln_final : &model.ln_final};
  Norms norms;
  bool after = false;
  for (const Sum& sum : sums_around(model, at)) {
    after = after || sum.is_of(at);
    if (after) norms.push_back(sum.norm);
  }
  return norms;
}

Norms norms_between(const nn::Transformer& model, const HeadAt& from, const HeadAt& to) {
  const Norms before_from = norms_before(model, from), before_to = norms_before(model, to);
  return {before_to.begin() + static_cast<std::ptrdiff_t>(before_from.size()), before_to.end()};
}

Matrix column_means(const Matrix& a) {
  const Matrix sums = xt::sum(a, {0}, xt::keep_dims);
  return sums / static_cast<double>(a.shape(0));
}

void centre_rows(Matrix& rows) {
  const Matrix sums = xt::sum(rows, {1}, xt::keep_dims);
  rows -= sums / static_cast<double>(rows.shape(1));
}

double norm_of_grams(const Matrix& left_gram, const Matrix& right_gram) {
  return std::sqrt(std::max(0.0, xt::sum(left_gram * right_gram)()));
}

void through(Matrix& rows, const Norms& norms) {
  for (const nn::Norm* norm : norms) {
    if (norm->kind == nn::NormKind::none) continue;
    if (norm->kind == nn::NormKind::layer) centre_rows(rows);
    rows *= norm->w.array();
  }
}

Matrix behind(const Norms& norms, const Matrix& W, Matrix& bias) {
  Matrix result = W;
  for (auto norm = norms.rbegin(); norm != norms.rend(); ++norm) {
    if ((*norm)->kind == nn::NormKind::none) continue;
    if ((*norm)->b.defined()) bias += product(xt::view((*norm)->b.array(), xt::newaxis()), result);
    result *= xt::view((*norm)->w.array(), xt::all(), xt::newaxis());
    if ((*norm)->kind == nn::NormKind::layer) result -= column_means(result);
  }
  return result;
}

Matrix unembedding(const nn::Transformer& model) {
  return model.config().tied_embeddings ? Matrix(xt::transpose(model.embed.W.array()))
                                        : Matrix(model.unembed.W.array());
}

}  // namespace headlight::interpret

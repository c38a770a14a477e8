#include "headlight/ops/attention.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "attention_layout.h"
#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/core/attention_kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/softmax.h"

namespace headlight {
namespace {

using attention_op::kName;
using attention_op::Layout;

// (B,n,H·d) → (B,H,n,d); heads that have an axis of their own stay.
Tensor heads_apart(const Tensor& x, const AttentionOptions& options, std::size_t heads) {
  if (!options.n_heads) return x;
  return permute(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads}), {0, 2, 1, 3});
}

// The same for keys or values, each head repeated for the query heads that share it.
Tensor heads_repeated(const Tensor& x, const AttentionOptions& options) {
  const std::size_t of_keys = options.n_kv_heads.value_or(options.n_heads.value_or(1));
  const Tensor apart = heads_apart(x, options, of_keys);
  if (!options.n_kv_heads || of_keys == *options.n_heads) return apart;
  const std::size_t batch = apart.length(0), m = apart.length(2), d = apart.length(3);
  const Tensor alone = reshape_to(apart, {batch, of_keys, 1, m, d});
  return reshape_to(broadcast_to(alone, {batch, of_keys, *options.n_heads / of_keys, m, d}),
                    {batch, *options.n_heads, m, d});
}

// The factors of dropout for every score: (…,n,m).
Tensor dropout_factors(const Shape& scores, const AttentionOptions& options) {
  Array factors = empty_array(scores);
  const std::size_t axes = scores.size(), n = scores[axes - 2], m = scores[axes - 1];
  const std::size_t heads = axes == 4 ? scores[1] : 1;
  for (std::size_t row = 0; row < factors.size() / std::max<std::size_t>(m, 1); ++row)
    kernels::dropout_row({options.dropout, options.dropout_seed}, row / n / heads, row / n % heads,
                         row % n + options.first_query, 0, m, factors.data() + row * m);
  return Tensor(std::move(factors));
}

// A relative bias written out for every pair: (H,n,m), or (n,m) where the scores have no axis of heads.
Tensor written_out(const RelativeBias& relative, const Layout& layout) {
  const std::size_t n = layout.sizes.queries, m = layout.sizes.keys;
  const int last = static_cast<int>(relative.values.length(1)) - 1;
  IntArray column = empty_int_array({n, m});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      column(i, j) = std::clamp(
          static_cast<int>(layout.sizes.position(i)) - static_cast<int>(j) - relative.first, 0, last);
  const Tensor bias = permute(embedding(transpose(relative.values), column), {2, 0, 1});
  return layout.scores.size() == 4 ? bias : reshape_to(bias, {n, m});
}

// What the fused op checks in Layout, as far as a pattern and v show it.
void check_output(const Tensor& pattern, const Tensor& v, const AttentionOptions& options) {
  const std::size_t of_keys = Layout::heads_of_keys(options);
  Layout::check_dropout(options);
  const bool packed = options.n_heads.has_value();
  const bool fits = packed ? pattern.dim() == 4 && v.dim() == 3 && pattern.length(1) == *options.n_heads &&
                                 v.length(2) % of_keys == 0
                           : pattern.dim() >= 2 && pattern.dim() <= 4 && v.dim() == pattern.dim();
  check(fits && pattern.length(-1) == v.length(-2) && pattern.length(0) == (packed ? v : pattern).length(0),
        "[{}] expected a pattern and v {}, got {} and {} for {} heads of queries and {} of values.", kName,
        packed ? "(B,H,n,m) and (B,m,H·d)" : "(…,n,m) and (…,m,d)", pattern.shape(), v.shape(),
        options.n_heads.value_or(1), of_keys);
}

// The kernel's backward pass: cotangents of q, k, v and of the terms that are given.
std::vector<Tensor> fused_vjp(const Layout& layout, const AttentionOptions& options, const Array& max,
                              const Array& scale, std::span<const Input> in, const Tensor& g,
                              const Tensor& out) {
  const Tensor &q = in[0].tensor, &k = in[1].tensor, &v = in[2].tensor;
  Array dq = empty_array(q.shape()), dk = empty_array(k.shape()), dv = empty_array(v.shape());
  kernels::AttentionCotangents to{
      layout.q_heads(dq.data()), layout.k_heads(dk.data()), layout.v_heads(dv.data()), {}, {}};
  const Tensor &bias = options.bias, &relative = options.relative.values, &sinks = options.sinks;
  Array dbias, drelative, dsinks;
  if (bias.defined() && bias.requires_grad()) {
    dbias = full_array(bias.shape(), 0);
    to.bias = layout.term(dbias.data(), dbias.shape(), "bias");
  }
  if (relative.defined() && relative.requires_grad()) {
    drelative = full_array(relative.shape(), 0);
    to.relative = layout.relative_term(drelative.data(), options.relative);
  }
  if (sinks.defined() && sinks.requires_grad()) {
    dsinks = full_array(sinks.shape(), 0);
    to.sinks = dsinks.data();
  }
  kernels::attention_vjp(layout.sizes, layout.inputs(q, k, v, options), layout.out_heads(out.array().data()),
                         {max.data(), scale.data()}, layout.out_heads(g.array().data()), to);
  std::vector<Tensor> cotangents{Tensor(std::move(dq)), Tensor(std::move(dk)), Tensor(std::move(dv))};
  if (bias.defined()) cotangents.push_back(Tensor(std::move(dbias)));
  if (relative.defined()) cotangents.push_back(Tensor(std::move(drelative)));
  if (sinks.defined()) cotangents.push_back(Tensor(std::move(dsinks)));
  return cotangents;
}

}  // namespace

bool is_score_cap(double cap) {
  return cap == 0 || (cap >= static_cast<double>(std::numeric_limits<Real>::min()) &&
                      cap <= static_cast<double>(std::numeric_limits<Real>::max()));
}

BoolArray visible_keys(std::size_t queries, std::size_t keys, const AttentionOptions& options) {
  BoolArray visible({queries, keys}, false);
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t j = 0; j < keys; ++j) {
      const std::size_t at = i + options.first_query, distance = std::max(at, j) - std::min(at, j);
      visible(i, j) = (!options.causal || j <= at) && (!options.window || distance < *options.window);
    }
  return visible;
}

// attention   P = softmax(s q kᵀ + bias), y = P v     v̄ = Pᵀȳ, S̄ = P ⊙ (ȳvᵀ - rowsum), q̄ = s S̄ k, k̄ = s S̄ᵀ q
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options) {
  const Layout layout(q, k, v, options);
  const auto shared = std::make_shared<const AttentionOptions>(options);  // a mask may be large
  Array y = empty_array(layout.output);
  Array max = empty_array(layout.rows_shape()), scale = empty_array(layout.rows_shape());
  kernels::attention(layout.sizes, layout.inputs(q, k, v, options), layout.out_heads(y.data()),
                     {max.data(), scale.data()});
  return record_fused(
      kName, defined({q, k, v, options.bias, options.relative.values, options.sinks}), std::move(y),
      [layout, shared, max = std::move(max), scale = std::move(scale)](std::span<const Input> in,
                                                                       const Tensor& g, const Tensor& out) {
        return fused_vjp(layout, *shared, max, scale, in, g, out);
      },
      [shared](const std::vector<Tensor>& in) {
        AttentionOptions aliased = *shared;
        std::size_t next = 3;
        for (Tensor* term : {&aliased.bias, &aliased.relative.values, &aliased.sinks})
          if (term->defined()) *term = in[next++];
        return reference::scaled_dot_product_attention(in[0], in[1], in[2], aliased);
      });
}

Tensor reference::attention_scores(const Tensor& q, const Tensor& k, const AttentionOptions& options) {
  const Layout layout(q, k, k, options);
  const kernels::AttentionSizes& s = layout.sizes;
  constexpr Real kHidden = -std::numeric_limits<Real>::infinity();
  const Tensor products =
      matmul(heads_apart(q, options, s.heads), heads_repeated(k, options), {.transpose_y = true});
  Tensor scores = products * s.scale;  // (…,n,m)
  if (options.cap > 0) scores = options.cap * tanh(scores / options.cap);
  if (options.bias.defined()) scores = scores + options.bias;
  if (options.relative.values.defined()) scores = scores + written_out(options.relative, layout);
  if (options.mask) scores = masked_fill(scores, !*options.mask, kHidden);
  if (options.causal || options.window)
    scores = masked_fill(scores, !visible_keys(s.queries, s.keys, options), kHidden);
  return scores;
}

Tensor reference::attention_pattern(const Tensor& scores, const AttentionOptions& options) {
  if (!options.sinks.defined()) return reference::softmax(scores);
  Shape column = scores.shape();
  column.back() = 1;
  Shape heads(std::min<std::size_t>(scores.dim(), 3), 1);
  heads[0] = options.sinks.length(0);
  const Tensor sinks = broadcast_to(reshape_to(options.sinks, heads), column);
  const int keys = static_cast<int>(scores.length(-1));
  return slice(reference::softmax(concat({scores, sinks}, -1)), -1, 0, keys);
}

Tensor reference::attention_output(const Tensor& pattern, const Tensor& v, const AttentionOptions& options) {
  check_output(pattern, v, options);
  const Tensor weights = options.dropout > 0 ? pattern * dropout_factors(pattern.shape(), options) : pattern;
  const Tensor out = matmul(weights, heads_repeated(v, options));  // (…,n,d_v)
  if (!options.n_heads) return out;
  const std::size_t width = out.length(1) * out.length(3);
  return reshape_to(permute(out, {0, 2, 1, 3}), {out.length(0), out.length(2), width});
}

Tensor reference::scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                               const AttentionOptions& options) {
  const Layout checked(q, k, v, options);
  return attention_output(attention_pattern(attention_scores(q, k, options), options), v, options);
}

}  // namespace headlight

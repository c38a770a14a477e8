#include "headlight/ops/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/core/attention_kernels.h"
#include "headlight/core/kernels.h"
#include "headlight/core/row_kernels.h"
#include "headlight/core/walk.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/softmax.h"

namespace headlight::inline HEADLIGHT_PRECISION {
namespace {

using kernels::AttentionSizes;
using kernels::Heads;
using kernels::RelativeTerm;
using kernels::ScoreTerm;

constexpr const char* kName = "scaled_dot_product_attention";

// The checked shapes of one call, and their memory layout.
struct Layout {
  AttentionSizes sizes;
  bool packed;  // (B,n,H·d) rather than (B,H,n,d)
  Shape output;
  Shape scores;  // with the axes that q has: (n,m), (B,n,m) or (B,H,n,m)

  Layout(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options)
      : packed(options.n_heads.has_value()) {
    check(options.n_heads != 0U, "[{}] expected at least one head, got n_heads = 0.", kName);
    const bool same_rank = q.dim() == k.dim() && k.dim() == v.dim();
    check(same_rank && q.dim() >= 2 && q.dim() <= (packed ? 3U : 4U),
          "[{}] expected q, k and v {}, got {}, {} and {}.", kName,
          packed ? "(B,n,H·d)" : "(n,d), (B,n,d) or (B,H,n,d)", q.shape(), k.shape(), v.shape());
    const Shape lead(q.shape().begin(), q.shape().end() - 2);
    const auto leads = [&](const Tensor& x) { return Shape(x.shape().begin(), x.shape().end() - 2) == lead; };
    check(leads(k) && leads(v),
          "[{}] q, k and v must agree in the axes before the last two, got {}, {} and {}.", kName, q.shape(),
          k.shape(), v.shape());
    check(q.length(-1) == k.length(-1), "[{}] q and k must have equal width, got {} and {}.", kName,
          q.shape(), k.shape());
    check(k.length(-2) == v.length(-2), "[{}] there must be one value for each key, got k {} and v {}.",
          kName, k.shape(), v.shape());

    const std::size_t side_by_side = options.n_heads.value_or(1);
    check(q.length(-1) % side_by_side == 0 && v.length(-1) % side_by_side == 0,
          "[{}] widths {} and {} cannot be divided among {} heads.", kName, q.length(-1), v.length(-1),
          side_by_side);
    sizes.batch = lead.empty() ? 1 : lead[0];
    sizes.heads = packed ? side_by_side : lead.size() == 2 ? lead[1] : 1;
    sizes.queries = q.length(-2);
    sizes.keys = k.length(-2);
    sizes.d_k = q.length(-1) / side_by_side;
    sizes.d_v = v.length(-1) / side_by_side;
    check(sizes.d_k > 0, "[{}] q and k are empty: {}.", kName, q.shape());
    sizes.scale = static_cast<Real>(options.scale.value_or(1 / std::sqrt(double(sizes.d_k))));
    check(options.window != 0U,
          "[{}] expected a window of at least 1, got 0. Hint: leave it out to see all keys.", kName);
    sizes.back = options.window ? *options.window - 1 : AttentionSizes::kAll;
    sizes.ahead = options.causal ? 0 : sizes.back;
    output = q.shape();
    output.back() = v.length(-1);
    scores = packed ? Shape{sizes.batch, sizes.heads} : lead;
    scores.push_back(sizes.queries);
    scores.push_back(sizes.keys);
  }

  template <class T>
  Heads<T> heads(T* data, std::size_t length, std::size_t width) const {
    const std::size_t per_batch = length * width * sizes.heads;
    return packed ? Heads<T>{data, per_batch, width, width * sizes.heads}
                  : Heads<T>{data, per_batch, length * width, width};
  }
  template <class T>
  Heads<T> q_heads(T* data) const {
    return heads(data, sizes.queries, sizes.d_k);
  }
  template <class T>
  Heads<T> k_heads(T* data) const {
    return heads(data, sizes.keys, sizes.d_k);
  }
  template <class T>
  Heads<T> v_heads(T* data) const {
    return heads(data, sizes.keys, sizes.d_v);
  }
  template <class T>
  Heads<T> out_heads(T* data) const {
    return heads(data, sizes.queries, sizes.d_v);
  }

  Shape rows_shape() const { return {sizes.batch, sizes.heads, sizes.queries}; }

  kernels::AttentionInputs inputs(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const AttentionOptions& options) const {
    kernels::AttentionInputs in{
        q_heads(q.array().data()), k_heads(k.array().data()), v_heads(v.array().data()), {}, {}, {}};
    if (options.mask) in.visible = term(options.mask->data(), options.mask->shape(), "mask");
    if (options.bias.defined()) in.bias = term(options.bias.array().data(), options.bias.shape(), "bias");
    if (options.relative.values.defined())
      in.relative = relative_term(options.relative.values.array().data(), options.relative);
    return in;
  }

  template <class T>
  RelativeTerm<T> relative_term(T* data, const RelativeBias& relative) const {
    const Shape& shape = relative.values.shape();
    check(shape.size() == 2 && (shape[0] == 1 || shape[0] == sizes.heads) && shape[1] > 0,
          "[{}] expected a relative bias ({} heads or 1, distances), got shape {}.", kName, sizes.heads,
          shape);
    return {data, shape[0] == 1 ? 0 : shape[1], shape[1], relative.first};
  }

  // A mask or bias of this shape as the kernels see it.
  template <class T>
  ScoreTerm<T> term(T* data, const Shape& shape, const char* what) const {
    check(broadcasts_to(shape, scores), "[{}] a {} of shape {} does not broadcast to the scores {}.", kName,
          what, shape, scores);
    const auto stride = [&, strides = row_major_strides(shape)](std::size_t from_end) {
      const bool repeats = from_end > shape.size() || shape[shape.size() - from_end] == 1;
      return repeats ? 0 : strides[shape.size() - from_end];
    };
    const bool has_heads = scores.size() == 4;
    return {data, stride(has_heads ? 4 : 3), has_heads ? stride(3) : 0, stride(2), stride(1)};
  }
};

// (B,n,H·d) → (B,H,n,d); heads that have an axis of their own stay.
Tensor heads_apart(const Tensor& x, const AttentionOptions& options) {
  if (!options.n_heads) return x;
  const std::size_t heads = *options.n_heads;
  return permute(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads}), {0, 2, 1, 3});
}

// A relative bias written out for every pair: (H,n,m), or (n,m) where the scores have no axis of heads.
Tensor written_out(const RelativeBias& relative, const Layout& layout) {
  const std::size_t n = layout.sizes.queries, m = layout.sizes.keys;
  const int last = static_cast<int>(relative.values.length(1)) - 1;
  IntArray column = IntArray::from_shape({n, m});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      column(i, j) = std::clamp(static_cast<int>(i) - static_cast<int>(j) - relative.first, 0, last);
  const Tensor bias = permute(embedding(transpose(relative.values), column), {2, 0, 1});
  return layout.scores.size() == 4 ? bias : reshape_to(bias, {n, m});
}

// The kernel's backward pass: cotangents of q, k, v and of the biases that are given.
std::vector<Tensor> fused_vjp(const Layout& layout, const AttentionOptions& options, const Array& max,
                              const Array& scale, std::span<const Input> in, const Tensor& g,
                              const Tensor& out) {
  const Tensor &q = in[0].tensor, &k = in[1].tensor, &v = in[2].tensor;
  Array dq = empty_array(q.shape()), dk = empty_array(k.shape()), dv = empty_array(v.shape());
  kernels::AttentionCotangents to{
      layout.q_heads(dq.data()), layout.k_heads(dk.data()), layout.v_heads(dv.data()), {}, {}};
  const Tensor &bias = options.bias, &relative = options.relative.values;
  Array dbias, drelative;
  if (bias.defined() && bias.requires_grad()) {
    dbias = full_array(bias.shape(), 0);
    to.bias = layout.term(dbias.data(), dbias.shape(), "bias");
  }
  if (relative.defined() && relative.requires_grad()) {
    drelative = full_array(relative.shape(), 0);
    to.relative = layout.relative_term(drelative.data(), options.relative);
  }
  kernels::attention_vjp(layout.sizes, layout.inputs(q, k, v, options), layout.out_heads(out.array().data()),
                         {max.data(), scale.data()}, layout.out_heads(g.array().data()), to);
  std::vector<Tensor> cotangents{Tensor(std::move(dq)), Tensor(std::move(dk)), Tensor(std::move(dv))};
  if (bias.defined()) cotangents.push_back(Tensor(std::move(dbias)));
  if (relative.defined()) cotangents.push_back(Tensor(std::move(drelative)));
  return cotangents;
}

}  // namespace

BoolArray visible_keys(std::size_t queries, std::size_t keys, const AttentionOptions& options) {
  BoolArray visible({queries, keys}, false);
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t j = 0; j < keys; ++j) {
      const std::size_t distance = std::max(i, j) - std::min(i, j);
      visible(i, j) = (!options.causal || j <= i) && (!options.window || distance < *options.window);
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
      kName, defined({q, k, v, options.bias, options.relative.values}), std::move(y),
      [layout, shared, max = std::move(max), scale = std::move(scale)](std::span<const Input> in,
                                                                       const Tensor& g, const Tensor& out) {
        return fused_vjp(layout, *shared, max, scale, in, g, out);
      },
      [shared](const std::vector<Tensor>& in) {
        AttentionOptions aliased = *shared;
        if (aliased.bias.defined()) aliased.bias = in[3];
        if (aliased.relative.values.defined()) aliased.relative.values = in.back();
        return reference::scaled_dot_product_attention(in[0], in[1], in[2], aliased);
      });
}

Tensor reference::attention_scores(const Tensor& q, const Tensor& k, const AttentionOptions& options) {
  const Layout layout(q, k, k, options);
  const AttentionSizes& s = layout.sizes;
  constexpr Real kHidden = -std::numeric_limits<Real>::infinity();
  const Tensor products = matmul(heads_apart(q, options), heads_apart(k, options), {.transpose_y = true});
  Tensor scores = products * s.scale;  // (…,n,m)
  if (options.bias.defined()) scores = scores + options.bias;
  if (options.relative.values.defined()) scores = scores + written_out(options.relative, layout);
  if (options.mask) scores = masked_fill(scores, !*options.mask, kHidden);
  if (options.causal || options.window)
    scores = masked_fill(scores, !visible_keys(s.queries, s.keys, options), kHidden);
  return scores;
}

Tensor reference::attention_output(const Tensor& pattern, const Tensor& v, const AttentionOptions& options) {
  const Tensor out = matmul(pattern, heads_apart(v, options));  // (…,n,d_v)
  if (!options.n_heads) return out;
  const std::size_t width = out.length(1) * out.length(3);
  return reshape_to(permute(out, {0, 2, 1, 3}), {out.length(0), out.length(2), width});
}

Tensor reference::scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                               const AttentionOptions& options) {
  const Layout checked(q, k, v, options);
  return attention_output(reference::softmax(attention_scores(q, k, options)), v, options);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION

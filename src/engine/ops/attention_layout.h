// What a call of attention means for its kernel: sizes, strides, and where each number lies.
#pragma once

#include <cmath>
#include <limits>

#include "headlight/core/attention_kernels.h"
#include "headlight/core/check.h"
#include "headlight/core/strided_loop.h"
#include "headlight/ops/attention.h"

namespace headlight::attention_op {

using kernels::AttentionSizes;
using kernels::Heads;
using kernels::RelativeTerm;
using kernels::ScoreTerm;

inline constexpr const char* kName = "scaled_dot_product_attention";

// The checked shapes of one call, and their memory layout.
struct Layout {
  AttentionSizes sizes;
  bool packed;           // (B,n,H·d) rather than (B,H,n,d)
  std::size_t kv_heads;  // each read by the same number of query heads
  Shape output;
  Shape scores;  // with the axes that q has: (n,m), (B,n,m) or (B,H,n,m)

  Layout(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options)
      : packed(options.n_heads.has_value()) {
    const Shape lead = checked_lead(q, k, v);
    const std::size_t side_by_side = options.n_heads.value_or(1), of_keys = heads_of_keys(options);
    check(q.length(-1) % side_by_side == 0 && v.length(-1) % of_keys == 0,
          "[{}] widths {} and {} cannot be divided among {} heads of queries and {} of values.", kName,
          q.length(-1), v.length(-1), side_by_side, of_keys);
    sizes.batch = lead.empty() ? 1 : lead[0];
    sizes.heads = packed ? side_by_side : lead.size() == 2 ? lead[1] : 1;
    kv_heads = packed ? of_keys : sizes.heads;
    sizes.queries = q.length(-2);
    sizes.keys = k.length(-2);
    sizes.d_k = q.length(-1) / side_by_side;
    sizes.d_v = v.length(-1) / of_keys;
    check(k.length(-1) == sizes.d_k * of_keys,
          "[{}] q and k must have equal width, got {} and {}, for {} and {} heads.", kName, q.shape(),
          k.shape(), side_by_side, of_keys);
    check(sizes.d_k > 0, "[{}] q and k are empty: {}.", kName, q.shape());
    sizes.scale = static_cast<Real>(options.scale.value_or(1 / std::sqrt(double(sizes.d_k))));
    check(options.window != 0U,
          "[{}] expected a window of at least 1, got 0. Hint: leave it out to see all keys.", kName);
    sizes.back = options.window ? *options.window - 1 : AttentionSizes::kAll;
    sizes.ahead = options.causal ? 0 : sizes.back;
    set_positions(options);
    set_options(options);
    output = q.shape();
    output.back() = sizes.d_v * side_by_side;
    scores = packed ? Shape{sizes.batch, sizes.heads} : lead;
    scores.push_back(sizes.queries);
    scores.push_back(sizes.keys);
  }

  // Heads of `length` rows; `of` of them in each sequence.
  template <class T>
  Heads<T> heads(T* data, std::size_t length, std::size_t width, std::size_t of) const {
    const std::size_t per_batch = length * width * of;
    return packed ? Heads<T>{data, per_batch, width, width * of, sizes.heads / of}
                  : Heads<T>{data, per_batch, length * width, width};
  }
  template <class T>
  Heads<T> q_heads(T* data) const {
    return heads(data, sizes.queries, sizes.d_k, sizes.heads);
  }
  template <class T>
  Heads<T> k_heads(T* data) const {
    return heads(data, sizes.keys, sizes.d_k, kv_heads);
  }
  template <class T>
  Heads<T> v_heads(T* data) const {
    return heads(data, sizes.keys, sizes.d_v, kv_heads);
  }
  template <class T>
  Heads<T> out_heads(T* data) const {
    return heads(data, sizes.queries, sizes.d_v, sizes.heads);
  }

  Shape rows_shape() const { return {sizes.batch, sizes.heads, sizes.queries}; }

  kernels::AttentionInputs inputs(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const AttentionOptions& options) const {
    kernels::AttentionInputs in{
        q_heads(q.array().data()), k_heads(k.array().data()), v_heads(v.array().data()), {}, {}, {}};
    in.dropout = {options.dropout, options.dropout_seed};
    if (options.sinks.defined()) in.sinks = options.sinks.array().data();
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

  // The axes before the last two, which q, k and v must share.
  Shape checked_lead(const Tensor& q, const Tensor& k, const Tensor& v) const {
    const bool same_rank = q.dim() == k.dim() && k.dim() == v.dim();
    check(same_rank && q.dim() >= 2 && q.dim() <= (packed ? 3U : 4U),
          "[{}] expected q, k and v {}, got {}, {} and {}.", kName,
          packed ? "(B,n,H·d)" : "(n,d), (B,n,d) or (B,H,n,d)", q.shape(), k.shape(), v.shape());
    const Shape lead(q.shape().begin(), q.shape().end() - 2);
    const auto leads = [&](const Tensor& x) { return Shape(x.shape().begin(), x.shape().end() - 2) == lead; };
    check(leads(k) && leads(v),
          "[{}] q, k and v must agree in the axes before the last two, got {}, {} and {}.", kName, q.shape(),
          k.shape(), v.shape());
    check(k.length(-2) == v.length(-2), "[{}] there must be one value for each key, got k {} and v {}.",
          kName, k.shape(), v.shape());
    return lead;
  }

  static std::size_t heads_of_keys(const AttentionOptions& options) {
    check(options.n_heads != 0U, "[{}] expected at least one head, got n_heads = 0.", kName);
    if (!options.n_kv_heads) return options.n_heads.value_or(1);
    check(options.n_heads.has_value(),
          "[{}] n_kv_heads = {} needs n_heads. Hint: heads that share keys and values lie side by side, "
          "(B,n,H·d).",
          kName, *options.n_kv_heads);
    check(*options.n_kv_heads > 0 && *options.n_heads % *options.n_kv_heads == 0,
          "[{}] expected an n_kv_heads that divides n_heads = {}, got {}.", kName, *options.n_heads,
          *options.n_kv_heads);
    return *options.n_kv_heads;
  }

  static void check_dropout(const AttentionOptions& options) {
    check(options.dropout >= 0 && options.dropout < 1,
          "[{}] expected a probability of dropout in [0, 1), got {}.", kName, options.dropout);
  }

  void set_positions(const AttentionOptions& options) {
    constexpr int kMost = 1 << 30;  // then differences of positions are an int
    check(options.first_query < std::size_t{kMost} && sizes.queries < std::size_t{kMost},
          "[{}] expected positions below 2^30, got {} queries from {}.", kName, sizes.queries,
          options.first_query);
    check(options.relative.first > -kMost && options.relative.first < kMost,
          "[{}] expected a relative.first between -2^30 and 2^30, got {}.", kName, options.relative.first);
    sizes.first_query = options.first_query;
  }

  void set_options(const AttentionOptions& options) {
    check(is_score_cap(options.cap), "[{}] expected a cap of {} … {}, or 0 for none, got {}.", kName,
          std::numeric_limits<Real>::min(), std::numeric_limits<Real>::max(), options.cap);
    check_dropout(options);
    check(!options.sinks.defined() || options.sinks.shape() == Shape{sizes.heads},
          "[{}] expected a sink for each of the {} heads, shape ({}), got {}.", kName, sizes.heads,
          sizes.heads, options.sinks.defined() ? options.sinks.shape() : Shape{});
    sizes.cap = static_cast<Real>(options.cap);
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

}  // namespace headlight::attention_op

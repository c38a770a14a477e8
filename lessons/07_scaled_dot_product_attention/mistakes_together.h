// Mistakes that people make together in exercise 7.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "attention_mistakes.h"

namespace mistakes {

using grader::Together;

// ---- Scores: a product that is wrong in one way, a scale that is in another ----

inline constexpr std::array kProducts{"not-transposed", "reshaped-for-transposed", "axes-0-and-1-exchanged",
                                      "keys-by-queries"};
inline constexpr std::array kScales{"no-scale", "divided-by-d_k", "multiplied-by-the-root"};

template <int product, int scale>
Tensor scores_with(const Tensor& q, const Tensor& k) {
  Shape turned = k.shape();
  std::swap(turned[turned.size() - 1], turned[turned.size() - 2]);
  const Tensor s = product == 0   ? matmul(q, k)
                   : product == 1 ? matmul(q, reshape_to(k, turned))
                   : product == 2 ? matmul(q, transpose(k, 0, 1))
                                  : products(k, q);
  const double root = root_of(q.length(-1));
  return s * (scale == 0 ? 1 : scale == 1 ? 1 / (root * root) : root);
}

template <int... codes>
std::vector<Together<Scores>> scores_of(std::integer_sequence<int, codes...>) {
  return {{{kProducts[codes / 3], kScales[codes % 3]}, scores_with<codes / 3, codes % 3>}...};
}
inline std::vector<Together<Scores>> together_in_scores() {
  std::vector<Together<Scores>> all = scores_of(std::make_integer_sequence<int, 12>());
  all.push_back({{"no-scale", "softmax-too"},
                 [](const Tensor& q, const Tensor& k) { return softmax(products(q, k)); }});
  return all;
}

// ---- Masks ----

inline std::vector<Together<CausalMask>> together_in_causal_mask() {
  return {
      {{"wrong-corner", "not-itself"},
       [](std::size_t n, std::size_t m) { return mask_of(n, m, [](int i, int j) { return j < i; }); }},
      {{"wrong-corner", "one-ahead"},
       [](std::size_t n, std::size_t m) { return mask_of(n, m, [](int i, int j) { return j <= i + 1; }); }},
      {{"wrong-corner", "inverted"},
       [](std::size_t n, std::size_t m) { return mask_of(n, m, [](int i, int j) { return j > i; }); }},
      {{"wrong-corner", "minus-infinity"},
       [](std::size_t n, std::size_t m) {
         return mask_of(
             n, m, [](int i, int j) { return j <= i; }, 0, -std::numeric_limits<Real>::infinity());
       }},
      {{"wrong-corner", "transposed"},
       [](std::size_t n, std::size_t m) { return mask_of(m, n, [](int j, int i) { return j <= i; }); }}};
}

// Which keys are hidden as padding, by number as in kPaddings, and the rule about the future.
inline constexpr std::array kPaddings{"one-too-many", "one-too-few", "padding-last", "length-of-the-padding",
                                      "padding-allowed"};
inline constexpr std::array kFutures{"wrong-corner", "padding-only"};

template <int padding, int future>
Tensor batch_with(const IntArray& lengths, std::size_t n, std::size_t m) {
  const int keys = static_cast<int>(m), shift = before(n, m);
  return batch_of(lengths, n, m, [keys, shift](int first, int p, int j) -> Real {
    const bool token = padding == 0   ? j >= first - 1
                       : padding == 1 ? j > first
                       : padding == 2 ? j < keys - first
                       : padding == 3 ? j >= keys - first
                                      : j < first;
    return token && (future == 0 ? j <= p - shift : true);
  });
}

template <int... codes>
std::vector<Together<BatchMask>> batches_of(std::integer_sequence<int, codes...>) {
  return {{{kPaddings[codes / 2], kFutures[codes % 2]}, batch_with<codes / 2, codes % 2>}...};
}
inline std::vector<Together<BatchMask>> together_in_batch_mask() {
  return batches_of(std::make_integer_sequence<int, 10>());
}

// ---- Softmax: e^x that is wrong in one way, a division that is in another ----

inline Tensor unguarded(const Tensor& e) { return e / row_sum(e); }

// e^(s - maximum) for a maximum that is taken over hidden keys too.
inline Tensor below_any(const Tensor& s, const Tensor& mask) { return mask * exp(s - row_max(s)); }
inline Tensor without_maximum(const Tensor& s, const Tensor& mask) { return mask * exp(s); }
inline Tensor below_one(const Tensor& s, const Tensor& mask) {
  const Tensor low = filled(s, mask, -1e30);
  return mask * exp(low - max(low));
}
inline Tensor filled_by_0(const Tensor& s, const Tensor& mask) {
  const Tensor low = filled(s, mask, 0);
  return mask * exp(low - row_max(low));
}

template <Tensor (*powers)(const Tensor&, const Tensor&)>
Tensor repaired(const Tensor& s, const Tensor& mask) {
  return without_nan(unguarded(powers(s, mask)));
}
template <Tensor (*powers)(const Tensor&, const Tensor&), int exponent>
Tensor raised(const Tensor& s, const Tensor& mask) {
  const Tensor e = powers(s, mask);
  return e / (row_sum(e) + std::pow(10.0, exponent));
}

inline std::vector<Together<MaskedSoftmax>> together_in_softmax() {
  return {{{"maximum-over-hidden-keys-too", "nan-removed-afterwards"}, repaired<below_any>},
          {{"no-maximum", "nan-removed-afterwards"}, repaired<without_maximum>},
          {{"one-maximum-for-all-rows", "nan-removed-afterwards"}, repaired<below_one>},
          {{"hidden-scores-too-high", "nan-removed-afterwards"}, repaired<filled_by_0>},
          {{"maximum-over-hidden-keys-too", "1e-6-in-the-sum"}, raised<below_any, -6>},
          {{"maximum-over-hidden-keys-too", "1e-8-in-the-sum"}, raised<below_any, -8>},
          {{"maximum-over-hidden-keys-too", "1e-9-in-the-sum"}, raised<below_any, -9>},
          {{"maximum-over-hidden-keys-too", "1e-10-in-the-sum"}, raised<below_any, -10>},
          {{"no-maximum", "1e-6-in-the-sum"}, raised<without_maximum, -6>},
          {{"no-maximum", "1e-8-in-the-sum"}, raised<without_maximum, -8>},
          {{"no-maximum", "1e-9-in-the-sum"}, raised<without_maximum, -9>},
          {{"hidden-scores-too-high", "1e-6-in-the-sum"}, raised<filled_by_0, -6>},
          {{"hidden-scores-too-high", "1e-8-in-the-sum"}, raised<filled_by_0, -8>},
          {{"hidden-scores-too-high", "1e-9-in-the-sum"}, raised<filled_by_0, -9>},
          {{"maximum-over-hidden-keys-too", "off-the-tape"},
           [](const Tensor& s, const Tensor& mask) { return off_the_tape(shared_out(below_any(s, mask))); }},
          {{"no-maximum", "off-the-tape"}, [](const Tensor& s, const Tensor& mask) {
             return off_the_tape(shared_out(without_maximum(s, mask)));
           }}};
}

// ---- Attention: a scale that is wrong, and something behind it ----

inline constexpr std::array kAttentionScales{"no-scale", "divided-by-d_k", "root-of-d_v"};
inline constexpr std::array kBehind{"mask-after-softmax", "mask-ignored",       "mask-inverted",
                                    "keys-for-values",    "pattern-transposed", "over-columns"};

template <int scale, int behind>
Tensor attention_with(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
  const double by = scale == 0 ? 1 : scale == 1 ? static_cast<double>(q.length(-1)) : root_of(v.length(-1));
  const Tensor s = products(q, k) / by;
  if (behind == 0) return matmul(softmax(s) * mask, v);
  if (behind == 1) return matmul(softmax(s), v);
  if (behind == 2) return matmul(right_softmax(s, 1 - mask), v);
  if (behind == 3) return matmul(right_softmax(s, mask), k);
  if (behind == 4) return matmul(transpose(right_softmax(s, mask)), v);
  return matmul(softmax(filled(s, mask, -kInfinity), -2), v);
}

template <int... codes>
std::vector<Together<Attention>> attentions_of(std::integer_sequence<int, codes...>) {
  return {{{kAttentionScales[codes / 6], kBehind[codes % 6]}, attention_with<codes / 6, codes % 6>}...};
}
inline std::vector<Together<Attention>> together_in_attention() {
  return attentions_of(std::make_integer_sequence<int, 18>());
}

inline std::vector<Together<MultiplyAdds>> together_in_multiply_adds() {
  return {
      {{"counted-twice", "all-keys"},
       [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v) {
         return 2 * n * m * (d_k + d_v);
       }},
      {{"all-keys", "scores-only"},
       [](std::size_t n, std::size_t m, std::size_t d_k, std::size_t) { return n * m * d_k; }},
      {{"wrong-corner", "scores-only"},
       [](std::size_t n, std::size_t, std::size_t d_k, std::size_t) { return n * (n + 1) / 2 * d_k; }},
      {{"wrong-corner", "counted-twice"}, [](std::size_t n, std::size_t, std::size_t d_k, std::size_t d_v) {
         return n * (n + 1) * (d_k + d_v);
       }}};
}

}  // namespace mistakes

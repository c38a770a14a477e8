// What people get wrong together.
#pragma once

#include <vector>

#include "grouped_mistakes.h"
#include "layer_mistakes.h"
#include "mistakes.h"

namespace mistakes {

using grader::with_together;

inline std::vector<Mistake<Layer>> of_multi_head_attention() {
  using W = const MultiHeadWeights&;
  return with_together<Layer>(
      kOfMultiHeadAttention,
      {{{"no-W_O", "mask-ignored"},
        [](const Tensor& x, const Tensor& s, W w, std::size_t h, const Tensor&) {
          return Projected(x, s, w).z(h, Tensor(1));
        }},
       {{"source-ignored", "mask-ignored"},
        [](const Tensor& x, const Tensor&, W w, std::size_t h, const Tensor&) {
          return matmul(Projected(x, x, w).z(h, Tensor(1)), w.W_O);
        }},
       {{"merged-by-reshape", "mask-ignored"},
        [](const Tensor& x, const Tensor& s, W w, std::size_t h, const Tensor&) {
          const Projected p(x, s, w);
          return matmul(merged_wrong(attend(in_heads(p.q, h), in_heads(p.k, h), in_heads(p.v, h), Tensor(1))),
                        w.W_O);
        }},
       {{"scaled-twice", "mask-ignored"},
        [](const Tensor& x, const Tensor& s, W w, std::size_t h, const Tensor&) {
          Projected p(x, s, w);
          p.q = p.q / sqrt(Tensor(x.length(-1) / h));
          return matmul(p.z(h, Tensor(1)), w.W_O);
        }}});
}

inline std::vector<Mistake<Count>> of_parameters_of() {
  return with_together<Count>(
      kOfParametersOf, {{{"keys-for-every-query-head", "no-W_O"},
                         [](std::size_t d, std::size_t h, std::size_t, std::size_t d_k, std::size_t d_v) {
                           return d * h * (2 * d_k + d_v);
                         }},
                        {{"keys-for-every-query-head", "d_k-for-values"},
                         [](std::size_t d, std::size_t h, std::size_t, std::size_t d_k, std::size_t) {
                           return 4 * d * h * d_k;
                         }},
                        {{"d_k-in-W_V-only", "W_O-square"},
                         [](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t) {
                           return d * h * d_k + 2 * d * g * d_k + d * d;
                         }}});
}

inline std::vector<Mistake<Grouped>> of_grouped_attention() {
  return with_together<Grouped>(
      kOfGroupedAttention,
      {{{"no-W_O", "mask-ignored"},
        [](const Tensor& x, const Tensor& W, const Tensor&, std::size_t h, std::size_t g, const Tensor&) {
          return merged(Cut(x, W, h, g).z(h, Tensor(1)));
        }},
       {{"merged-by-reshape", "mask-ignored"},
        [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g, const Tensor&) {
          return matmul(merged_wrong(Cut(x, W, h, g).z(h, Tensor(1))), W_O);
        }},
       {{"keys-and-values-exchanged", "mask-ignored"},
        [](const Tensor& x, const Tensor& W, const Tensor& W_O, std::size_t h, std::size_t g, const Tensor&) {
          Cut c(x, W, h, g);
          std::swap(c.k, c.v);
          return matmul(merged(c.z(h, Tensor(1))), W_O);
        }}});
}

}  // namespace mistakes

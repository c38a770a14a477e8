// The simple layers: Linear, Embedding, MLP.
#pragma once

#include "headlight/core/check.h"
#include "headlight/nn/module.h"
#include "headlight/ops/elementwise.h"

namespace headlight::inline HEADLIGHT_PRECISION::nn {

// y = x W + b        x (…,in) → (…,out). W (in,out) starts as N(0, 1/in), b as 0.
struct Linear {
  Tensor W, b;

  Linear(std::size_t in, std::size_t out, Rng& rng, bool bias = true);
  Tensor operator()(const Tensor& x) const;
  void visit(auto&& v) const { v("W", W), v("b", b); }
};

// Row `token` of W for each token        tokens (…) → (…,d). W (V,d) starts as N(0, 1/d).
struct Embedding {
  Tensor W;

  Embedding(std::size_t vocab, std::size_t d, Rng& rng);
  Tensor operator()(const IntArray& tokens) const;
  void visit(auto&& v) const { v("W", W); }
};

// gelu(x W_in + b_in) W_out + b_out        x (…,d_model) → (…,d_model). Weights start as N(0, 1/fan-in).
// Hook points: hook_pre and hook_post (…,d_mlp), before and after gelu.
struct MLP {
  Tensor W_in, b_in, W_out, b_out;

  MLP(std::size_t d_model, std::size_t d_mlp, Rng& rng, bool bias = true);
  Tensor operator()(const Tensor& x, const HooksAt& hooks = {}) const;
  void visit(auto&& v) const {
    v("W_in", W_in), v("b_in", b_in), v("W_out", W_out), v("b_out", b_out);
    v("hook_pre"), v("hook_post");
  }
};

}  // namespace headlight::inline HEADLIGHT_PRECISION::nn

// The simple layers: Linear, Embedding, Conv1d, MLP.
#pragma once

#include <functional>
#include <string>

#include "headlight/core/check.h"
#include "headlight/core/registry.h"
#include "headlight/nn/module.h"
#include "headlight/ops/convolution.h"
#include "headlight/ops/elementwise.h"

namespace headlight::nn {

// y = x W + b        x (…,in) → (…,out). W (in,out) starts as N(0, 1/in), b as 0.
struct Linear {
  Tensor W, b;

  Linear() = default;  // no weights; for a place that stays empty
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

// Convolution along a sequence     x (…,n,in) → (…,m,out), as conv1d computes it (ops/convolution.h).
// W (width,in,out) starts as N(0, 1/(width·in)), b as 0.
struct Conv1d {
  Tensor W, b;

  Conv1d(std::size_t in, std::size_t out, std::size_t width, Rng& rng, const Conv1dOptions& options = {},
         bool bias = true);
  Tensor operator()(const Tensor& x) const;
  void visit(auto&& v) const { v("W", W), v("b", b); }

 private:
  Conv1dOptions options_;
};

// What an MLP computes between its matrices: f, of one number. A gated one multiplies by a second product.
struct Activation {
  std::function<Tensor(const Tensor&)> f;
  bool gated = false;
};

// "gelu", "relu", "swiglu" (Shazeer 2020). Add kinds before other threads use the registry.
Registry<Activation>& activations();

// plain: f(x W_in + b_in) W_out + b_out                    x (…,d_model) → (…,d_model)
// gated: (f(x W_gate) ⊙ x W_in + b_in) W_out + b_out       with b_in where TransformerLens has it
// W_gate, W_in (d_model,d_mlp) and W_out (d_mlp,d_model) start as N(0, 1/fan-in), b_in and b_out as 0.
// Hook points, (…,d_mlp): hook_pre, the argument of f; hook_pre_linear, x W_in of a gated MLP; hook_post, the
// input of W_out.
struct MLP {
  Tensor W_gate, W_in, b_in, W_out, b_out;

  MLP(std::size_t d_model, std::size_t d_mlp, Rng& rng, bool bias = true,
      const std::string& activation = "gelu");
  Tensor operator()(const Tensor& x, const HooksAt& hooks = {}) const;
  void visit(auto&& v) const {
    v("W_gate", W_gate), v("W_in", W_in), v("b_in", b_in), v("W_out", W_out), v("b_out", b_out);
    v("hook_pre");
    if (activation_.gated) v("hook_pre_linear");
    v("hook_post");
  }

 private:
  Activation activation_;
};

}  // namespace headlight::nn

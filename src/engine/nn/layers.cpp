#include "headlight/nn/layers.h"

#include <cmath>

#include "headlight/ops/arithmetic.h"
#include "headlight/ops/matmul.h"
#include "headlight/ops/rearrange.h"

namespace headlight::nn {
namespace {

Tensor weight(std::size_t in, std::size_t out, Rng& rng) {
  check(in > 0 && out > 0, "a layer of {} inputs and {} outputs is empty; both must be at least 1.", in, out);
  return normal_parameter({in, out}, 1 / std::sqrt(static_cast<double>(in)), rng);
}

}  // namespace

Linear::Linear(std::size_t in, std::size_t out, Rng& rng, bool bias)
    : W(weight(in, out, rng)), b(bias_parameter(bias, out)) {}

Tensor Linear::operator()(const Tensor& x) const { return linear(x, W, b); }

Embedding::Embedding(std::size_t vocab, std::size_t d, Rng& rng) {
  check(vocab > 0 && d > 0, "an embedding of {} tokens in {} dimensions is empty; both must be at least 1.",
        vocab, d);
  W = normal_parameter({vocab, d}, 1 / std::sqrt(static_cast<double>(d)), rng);
}

Tensor Embedding::operator()(const IntArray& tokens) const { return embedding(W, tokens); }

Conv1d::Conv1d(std::size_t in, std::size_t out, std::size_t width, Rng& rng, const Conv1dOptions& options,
               bool bias)
    : b(bias_parameter(bias, out)), options_(options) {
  check(in > 0 && out > 0 && width > 0,
        "a convolution of {} inputs and {} outputs over {} places is empty; all three must be at least 1.",
        in, out, width);
  W = normal_parameter({width, in, out}, 1 / std::sqrt(static_cast<double>(width * in)), rng);
}

Tensor Conv1d::operator()(const Tensor& x) const { return conv1d(x, W, b, options_); }

Registry<Activation>& activations() {
  static Registry<Activation> all(
      "kind of MLP",
      {{"gelu", "x·Φ(x), in GPT-2's form", {[](const Tensor& x) { return gelu(x); }}},
       {"relu", "max(x, 0)", {[](const Tensor& x) { return relu(x); }}},
       {"swiglu", "x·σ(x), times a second product", {[](const Tensor& x) { return silu(x); }, true}}});
  return all;
}

MLP::MLP(std::size_t d_model, std::size_t d_mlp, Rng& rng, bool bias, const std::string& activation)
    : activation_(activations().find(activation)) {
  if (activation_.gated) W_gate = weight(d_model, d_mlp, rng);
  W_in = weight(d_model, d_mlp, rng);
  b_in = bias_parameter(bias, d_mlp);
  W_out = weight(d_mlp, d_model, rng);
  b_out = bias_parameter(bias, d_model);
}

Tensor MLP::operator()(const Tensor& x, const HooksAt& hooks) const {
  check_hooks(*this, hooks);
  if (!activation_.gated) {
    const Tensor pre = hooks("hook_pre", linear(x, W_in, b_in));
    return linear(hooks("hook_post", activation_.f(pre)), W_out, b_out);
  }
  const Tensor gate = activation_.f(hooks("hook_pre", linear(x, W_gate)));
  const Tensor product = gate * hooks("hook_pre_linear", linear(x, W_in));
  return linear(hooks("hook_post", b_in.defined() ? product + b_in : product), W_out, b_out);
}

}  // namespace headlight::nn

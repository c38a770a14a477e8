#include "gradients/transformer_by_hand.h"

#include <cmath>
#include <numbers>

namespace headlight::by_hand {
namespace {

void add_part(NamedMatrices& all, const std::string& prefix, const NamedMatrices& part) {
  for (const auto& [name, gradient] : part) add_to(all[prefix + name], gradient);
}

AttentionSettings causal(std::size_t n_heads) {
  return {.n_heads = n_heads, .rotary = true, .visible = [](std::size_t, std::size_t i, std::size_t j) {
            return j <= i;
          }};
}

Matrix add_bias(const Matrix& x, const NamedMatrices& w, const char* name) {
  return w.contains(name) ? Matrix(x + w.at(name)) : x;
}

}  // namespace

NamedMatrices part(const NamedMatrices& w, const std::string& prefix) {
  NamedMatrices below;
  for (const auto& [name, value] : w)
    if (name.starts_with(prefix)) below.emplace(name.substr(prefix.size()), value);
  return below;
}

NormPass layer_norm(const NamedMatrices& w, const Matrix& X) {
  NormPass pass;
  const Matrix centred = X - row_means(X);
  pass.rstd = 1 / xt::sqrt(row_means(centred * centred) + 1e-5);
  pass.normalized = centred * pass.rstd;
  pass.Y = pass.normalized * w.at("w") + w.at("b");
  return pass;
}

// x̂ depends on x in three ways, hence three terms: directly, through the mean and through the variance.
Matrix layer_norm_backward(const NamedMatrices& w, const NormPass& pass, const Matrix& dY,
                           NamedMatrices& dw) {
  const Matrix& normalized = pass.normalized;
  add_to(dw["w"], column_sums(dY * normalized));
  add_to(dw["b"], column_sums(dY));
  const Matrix t = dY * w.at("w");
  return pass.rstd * (t - row_means(t) - normalized * row_means(t * normalized));
}

constexpr double kRoot = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // √(2/π)

Matrix gelu(const Matrix& X) {
  const Matrix t = xt::tanh(kRoot * (X + 0.044715 * X * X * X));
  return X / 2 * (1 + t);
}

Matrix gelu_backward(const Matrix& X, const Matrix& dY) {
  const Matrix t = xt::tanh(kRoot * (X + 0.044715 * X * X * X));
  return dY * ((1 + t) / 2 + X / 2 * (1 - t * t) * kRoot * (1 + 3 * 0.044715 * X * X));
}

BlockPass block(const NamedMatrices& w, std::size_t n_heads, const Matrix& X) {
  BlockPass pass;
  pass.X = X;
  pass.ln1 = layer_norm(part(w, "ln1."), X);
  pass.attn = attention(part(w, "attn."), causal(n_heads), pass.ln1.Y, pass.ln1.Y);
  pass.middle = X + pass.attn.Y;
  pass.Y = pass.middle;
  if (!w.contains("mlp.W_in")) return pass;
  pass.ln2 = layer_norm(part(w, "ln2."), pass.middle);
  pass.pre = add_bias(dot(pass.ln2.Y, w.at("mlp.W_in")), w, "mlp.b_in");
  pass.post = gelu(pass.pre);
  pass.Y = pass.middle + add_bias(dot(pass.post, w.at("mlp.W_out")), w, "mlp.b_out");
  return pass;
}

Matrix block_backward(const NamedMatrices& w, std::size_t n_heads, const BlockPass& pass, const Matrix& dY,
                      NamedMatrices& dw) {
  Matrix d_middle = dY;
  if (w.contains("mlp.W_in")) {
    add_to(dw["mlp.W_out"], dot(transpose(pass.post), dY));
    if (w.contains("mlp.b_out")) add_to(dw["mlp.b_out"], column_sums(dY));
    const Matrix d_pre = gelu_backward(pass.pre, dot(dY, transpose(w.at("mlp.W_out"))));
    add_to(dw["mlp.W_in"], dot(transpose(pass.ln2.Y), d_pre));
    if (w.contains("mlp.b_in")) add_to(dw["mlp.b_in"], column_sums(d_pre));
    NamedMatrices norm;
    // The residual stream passes around the MLP and through it, so two cotangents are added.
    d_middle =
        dY + layer_norm_backward(part(w, "ln2."), pass.ln2, dot(d_pre, transpose(w.at("mlp.W_in"))), norm);
    add_part(dw, "ln2.", norm);
  }
  const AttentionGradients attn = attention_backward(part(w, "attn."), causal(n_heads), pass.attn, d_middle);
  add_part(dw, "attn.", attn.weights);
  NamedMatrices norm;
  const Matrix dX = d_middle + layer_norm_backward(part(w, "ln1."), pass.ln1, attn.X + attn.M, norm);
  add_part(dw, "ln1.", norm);
  return dX;
}

double transformer_loss(const NamedMatrices& w, std::size_t n_layers, std::size_t n_heads,
                        const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& targets,
                        double weight, NamedMatrices& dw) {
  const Matrix &W_E = w.at("embed.W_E"), &W_U = w.at("unembed.W_U");
  const Matrix X = xt::view(W_E, xt::keep(tokens), xt::all());

  std::vector<NamedMatrices> layers;
  std::vector<BlockPass> passes;
  for (std::size_t l = 0; l < n_layers; ++l) {
    layers.push_back(part(w, "blocks." + std::to_string(l) + "."));
    passes.push_back(block(layers[l], n_heads, l == 0 ? X : passes.back().Y));
  }
  const NormPass final = layer_norm(part(w, "ln_final."), passes.back().Y);
  const Matrix P = softmax(dot(final.Y, W_U));

  double loss = 0;
  Matrix d_logits = weight * P;  // weight·(softmax - onehot)
  for (std::size_t i = 0; i < targets.size(); ++i) {
    d_logits(i, targets[i]) -= weight;
    loss -= weight * std::log(P(i, targets[i]));
  }

  add_to(dw["unembed.W_U"], dot(transpose(final.Y), d_logits));
  NamedMatrices norm;
  Matrix dX = layer_norm_backward(part(w, "ln_final."), final, dot(d_logits, transpose(W_U)), norm);
  add_part(dw, "ln_final.", norm);
  for (std::size_t above = n_layers; above > 0; --above) {
    const std::size_t l = above - 1;
    NamedMatrices layer;
    dX = block_backward(layers[l], n_heads, passes[l], dX, layer);
    add_part(dw, "blocks." + std::to_string(l) + ".", layer);
  }
  Matrix dW_E = xt::zeros_like(W_E);
  for (std::size_t i = 0; i < tokens.size(); ++i)  // a token that occurs twice gets both rows
    xt::row(dW_E, tokens[i]) += xt::row(dX, i);
  add_to(dw["embed.W_E"], dW_E);
  return loss;
}

}  // namespace headlight::by_hand

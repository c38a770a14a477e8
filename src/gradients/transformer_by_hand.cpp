#include "gradients/transformer_by_hand.h"

#include <cmath>
#include <numbers>

namespace headlight::by_hand {
namespace {

void add_part(NamedMatrices& all, const std::string& prefix, const NamedMatrices& part) {
  for (const auto& [name, gradient] : part) accumulate(all[prefix + name], gradient);
}

AttentionSettings causal(std::size_t n_heads) {
  return {.n_heads = n_heads, .rotary = true, .visible = [](std::size_t, std::size_t i, std::size_t j) {
            return j <= i;
          }};
}

Matrix add_bias(const Matrix& x, const NamedMatrices& w, const char* name) {
  return w.contains(name) ? x + repeat_rows(w.at(name), x.rows()) : x;
}

}  // namespace

NamedMatrices part(const NamedMatrices& w, const std::string& prefix) {
  NamedMatrices below;
  for (const auto& [name, value] : w)
    if (name.starts_with(prefix)) below.emplace(name.substr(prefix.size()), value);
  return below;
}

NormPass layer_norm(const NamedMatrices& w, const Matrix& X) {
  const auto d = static_cast<double>(X.cols());
  NormPass pass{.normalized = X, .rstd = {}, .Y = X};
  for (std::size_t i = 0; i < X.rows(); ++i) {
    double mean = 0, variance = 0;
    for (std::size_t j = 0; j < X.cols(); ++j) mean += X(i, j) / d;
    for (std::size_t j = 0; j < X.cols(); ++j) variance += (X(i, j) - mean) * (X(i, j) - mean) / d;
    pass.rstd.push_back(1 / std::sqrt(variance + 1e-5));
    for (std::size_t j = 0; j < X.cols(); ++j) {
      pass.normalized(i, j) = (X(i, j) - mean) * pass.rstd[i];
      pass.Y(i, j) = pass.normalized(i, j) * w.at("w")(0, j) + w.at("b")(0, j);
    }
  }
  return pass;
}

// x̂ depends on x in three ways, hence three terms: directly, through the mean and through the variance.
Matrix layer_norm_backward(const NamedMatrices& w, const NormPass& pass, const Matrix& dY,
                           NamedMatrices& dw) {
  const Matrix& normalized = pass.normalized;
  const auto d = static_cast<double>(dY.cols());
  accumulate(dw["w"], column_sums(hadamard(dY, normalized)));
  accumulate(dw["b"], column_sums(dY));
  const Matrix t = hadamard(dY, repeat_rows(w.at("w"), dY.rows()));
  const Matrix mean_t = (1 / d) * row_sums(t), mean_tx = (1 / d) * row_sums(hadamard(t, normalized));
  Matrix dX(dY.rows(), dY.cols());
  for (std::size_t i = 0; i < dY.rows(); ++i)
    for (std::size_t j = 0; j < dY.cols(); ++j)
      dX(i, j) = pass.rstd[i] * (t(i, j) - mean_t(i, 0) - normalized(i, j) * mean_tx(i, 0));
  return dX;
}

Matrix gelu(const Matrix& X) {
  Matrix Y = X;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) {
      const double x = X(i, j), inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
      Y(i, j) = x / 2 * (1 + std::tanh(inner));
    }
  return Y;
}

Matrix gelu_backward(const Matrix& X, const Matrix& dY) {
  Matrix dX = X;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) {
      const double x = X(i, j), c = std::sqrt(2 / std::numbers::pi);
      const double t = std::tanh(c * (x + 0.044715 * x * x * x));
      const double slope = (1 + t) / 2 + x / 2 * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x);
      dX(i, j) = dY(i, j) * slope;
    }
  return dX;
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
  pass.pre = add_bias(pass.ln2.Y * w.at("mlp.W_in"), w, "mlp.b_in");
  pass.post = gelu(pass.pre);
  pass.Y = pass.middle + add_bias(pass.post * w.at("mlp.W_out"), w, "mlp.b_out");
  return pass;
}

Matrix block_backward(const NamedMatrices& w, std::size_t n_heads, const BlockPass& pass, const Matrix& dY,
                      NamedMatrices& dw) {
  Matrix d_middle = dY;
  if (w.contains("mlp.W_in")) {
    accumulate(dw["mlp.W_out"], transpose(pass.post) * dY);
    if (w.contains("mlp.b_out")) accumulate(dw["mlp.b_out"], column_sums(dY));
    const Matrix d_pre = gelu_backward(pass.pre, dY * transpose(w.at("mlp.W_out")));
    accumulate(dw["mlp.W_in"], transpose(pass.ln2.Y) * d_pre);
    if (w.contains("mlp.b_in")) accumulate(dw["mlp.b_in"], column_sums(d_pre));
    NamedMatrices norm;
    // The residual stream passes around the MLP and through it, so two cotangents are added.
    d_middle = dY + layer_norm_backward(part(w, "ln2."), pass.ln2, d_pre * transpose(w.at("mlp.W_in")), norm);
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
  const auto row = [](std::int32_t token) { return static_cast<std::size_t>(token); };
  Matrix X(tokens.size(), W_E.cols());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) X(i, j) = W_E(row(tokens[i]), j);

  std::vector<NamedMatrices> layers;
  std::vector<BlockPass> passes;
  for (std::size_t l = 0; l < n_layers; ++l) {
    layers.push_back(part(w, "blocks." + std::to_string(l) + "."));
    passes.push_back(block(layers[l], n_heads, l == 0 ? X : passes.back().Y));
  }
  const NormPass final = layer_norm(part(w, "ln_final."), passes.back().Y);
  const Matrix logits = final.Y * W_U;

  double loss = 0;
  Matrix d_logits(logits.rows(), logits.cols());  // weight·(softmax - onehot)
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    double top = logits(i, 0), total = 0;
    for (std::size_t j = 1; j < logits.cols(); ++j) top = std::max(top, logits(i, j));
    for (std::size_t j = 0; j < logits.cols(); ++j) total += std::exp(logits(i, j) - top);
    for (std::size_t j = 0; j < logits.cols(); ++j)
      d_logits(i, j) = weight * std::exp(logits(i, j) - top) / total;
    d_logits(i, row(targets[i])) -= weight;
    loss += weight * (std::log(total) + top - logits(i, row(targets[i])));
  }

  accumulate(dw["unembed.W_U"], transpose(final.Y) * d_logits);
  NamedMatrices norm;
  Matrix dX = layer_norm_backward(part(w, "ln_final."), final, d_logits * transpose(W_U), norm);
  add_part(dw, "ln_final.", norm);
  for (std::size_t above = n_layers; above > 0; --above) {
    const std::size_t l = above - 1;
    NamedMatrices layer;
    dX = block_backward(layers[l], n_heads, passes[l], dX, layer);
    add_part(dw, "blocks." + std::to_string(l) + ".", layer);
  }
  Matrix dW_E(W_E.rows(), W_E.cols());
  for (std::size_t i = 0; i < tokens.size(); ++i)  // a token that occurs twice gets both rows
    for (std::size_t j = 0; j < dX.cols(); ++j) dW_E(row(tokens[i]), j) += dX(i, j);
  accumulate(dw["embed.W_E"], dW_E);
  return loss;
}

}  // namespace headlight::by_hand

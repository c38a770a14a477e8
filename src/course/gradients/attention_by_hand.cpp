#include "gradients/attention_by_hand.h"

#include <cmath>

namespace headlight::by_hand {
namespace {

Matrix project(const Matrix& x, const NamedMatrices& w, const char* weight, const char* bias) {
  const Matrix y = dot(x, w.at(weight));
  return w.contains(bias) ? Matrix(y + w.at(bias)) : y;
}

Matrix scores(const Matrix& Q, const Matrix& K, const AttentionSettings& settings, std::size_t head) {
  Matrix S = dot(Q, transpose(K)) / std::sqrt(static_cast<double>(Q.shape(1)));
  for (std::size_t i = 0; i < S.shape(0); ++i)
    for (std::size_t j = 0; j < S.shape(1); ++j) {
      if (settings.bias) S(i, j) += settings.bias(head, i, j);
      if (settings.visible && !settings.visible(head, i, j)) S(i, j) = -HUGE_VAL;
    }
  return S;
}

}  // namespace

Matrix rotate(const Matrix& head, double direction) {
  const std::size_t half = head.shape(1) / 2;
  const auto a = columns(head, 0, half), b = columns(head, half, half);
  Matrix angle = zeros(head.shape(0), half), turned = head;
  for (std::size_t p = 0; p < head.shape(0); ++p)
    for (std::size_t i = 0; i < half; ++i)
      angle(p, i) = direction * static_cast<double>(p) *
                    std::pow(10000, -static_cast<double>(i) / static_cast<double>(half));
  columns(turned, 0, half) = a * xt::cos(angle) - b * xt::sin(angle);
  columns(turned, half, half) = b * xt::cos(angle) + a * xt::sin(angle);
  return turned;
}

AttentionPass attention(const NamedMatrices& w, const AttentionSettings& settings, const Matrix& X,
                        const Matrix& M) {
  AttentionPass pass;
  pass.X = X;
  pass.M = M;
  pass.Q = project(X, w, "W_Q", "b_Q");
  pass.K = project(M, w, "W_K", "b_K");
  pass.V = project(M, w, "W_V", "b_V");
  const std::size_t d_k = pass.Q.shape(1) / settings.n_heads, d_v = pass.V.shape(1) / settings.n_heads;
  pass.Z = zeros(X.shape(0), pass.V.shape(1));
  for (std::size_t h = 0; h < settings.n_heads; ++h) {
    const Matrix q = columns(pass.Q, h * d_k, d_k), k = columns(pass.K, h * d_k, d_k);
    pass.Q_heads.push_back(settings.rotary ? rotate(q, 1) : q);
    pass.K_heads.push_back(settings.rotary ? rotate(k, 1) : k);
    pass.V_heads.push_back(columns(pass.V, h * d_v, d_v));
    pass.S.push_back(scores(pass.Q_heads[h], pass.K_heads[h], settings, h));
    pass.P.push_back(softmax(pass.S[h]));
    columns(pass.Z, h * d_v, d_v) = dot(pass.P[h], pass.V_heads[h]);
  }
  pass.Y = project(pass.Z, w, "W_O", "b_O");
  return pass;
}

AttentionGradients attention_backward(const NamedMatrices& w, const AttentionSettings& settings,
                                      const AttentionPass& pass, const Matrix& dY) {
  AttentionGradients d;
  const std::size_t d_k = pass.Q.shape(1) / settings.n_heads, d_v = pass.V.shape(1) / settings.n_heads;
  const double scale = 1 / std::sqrt(static_cast<double>(d_k));
  d.Q = xt::zeros_like(pass.Q);
  d.K = xt::zeros_like(pass.K);
  d.V = xt::zeros_like(pass.V);

  const Matrix dZ = dot(dY, transpose(w.at("W_O")));  // Y = Z W_O + 1 b_O
  d.weights["W_O"] = dot(transpose(pass.Z), dY);
  if (w.contains("b_O")) d.weights["b_O"] = column_sums(dY);

  for (std::size_t h = 0; h < settings.n_heads; ++h) {
    const Matrix &Q = pass.Q_heads[h], &K = pass.K_heads[h], &V = pass.V_heads[h], &P = pass.P[h];
    const Matrix dZ_h = columns(dZ, h * d_v, d_v);
    const Matrix dV = dot(transpose(P), dZ_h);  // Z = P V
    const Matrix dP = dot(dZ_h, transpose(V));
    // P = softmax(S): adding a number to a row of dP changes nothing, because each row of P sums to 1.
    const Matrix dS = P * (dP - row_sums(P * dP));
    const Matrix dQ = scale * dot(dS, K);  // S = scale Q Kᵀ + bias
    const Matrix dK = scale * dot(transpose(dS), Q);
    columns(d.V, h * d_v, d_v) = dV;
    columns(d.Q, h * d_k, d_k) = settings.rotary ? rotate(dQ, -1) : dQ;  // a rotation's transpose turns back
    columns(d.K, h * d_k, d_k) = settings.rotary ? rotate(dK, -1) : dK;
    d.P.push_back(dP);
    d.S.push_back(dS);
  }

  d.weights["W_Q"] = dot(transpose(pass.X), d.Q);  // Q = X W_Q + 1 b_Q
  d.weights["W_K"] = dot(transpose(pass.M), d.K);
  d.weights["W_V"] = dot(transpose(pass.M), d.V);
  if (w.contains("b_Q")) d.weights["b_Q"] = column_sums(d.Q);
  if (w.contains("b_K")) d.weights["b_K"] = column_sums(d.K);
  if (w.contains("b_V")) d.weights["b_V"] = column_sums(d.V);
  d.X = dot(d.Q, transpose(w.at("W_Q")));
  d.M = dot(d.K, transpose(w.at("W_K"))) + dot(d.V, transpose(w.at("W_V")));
  return d;
}

}  // namespace headlight::by_hand

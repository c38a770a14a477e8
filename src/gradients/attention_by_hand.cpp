#include "gradients/attention_by_hand.h"

#include <cmath>

namespace headlight::by_hand {
namespace {

Matrix project(const Matrix& x, const NamedMatrices& w, const char* weight, const char* bias) {
  const Matrix y = x * w.at(weight);
  return w.contains(bias) ? y + repeat_rows(w.at(bias), y.rows()) : y;
}

// Each row: e^s / Σ e^s over the visible places; zeros where nothing is visible.
Matrix softmax_rows(const Matrix& S, const AttentionSettings& settings, std::size_t head) {
  Matrix P(S.rows(), S.cols());
  for (std::size_t i = 0; i < S.rows(); ++i) {
    const auto visible = [&](std::size_t j) { return !settings.visible || settings.visible(head, i, j); };
    double top = -HUGE_VAL, total = 0;
    for (std::size_t j = 0; j < S.cols(); ++j)
      if (visible(j)) top = std::max(top, S(i, j));
    for (std::size_t j = 0; j < S.cols(); ++j)
      if (visible(j)) total += P(i, j) = std::exp(S(i, j) - top);
    for (std::size_t j = 0; j < S.cols(); ++j)
      if (visible(j)) P(i, j) /= total;
  }
  return P;
}

double scale_of(const AttentionPass& pass, const AttentionSettings& settings) {
  return 1 / std::sqrt(static_cast<double>(pass.Q.cols() / settings.n_heads));
}

}  // namespace

Matrix rotate(const Matrix& head, double direction) {
  const std::size_t half = head.cols() / 2;
  Matrix turned = head;
  for (std::size_t p = 0; p < head.rows(); ++p)
    for (std::size_t i = 0; i < half; ++i) {
      const double angle = direction * static_cast<double>(p) *
                           std::pow(10000, -static_cast<double>(i) / static_cast<double>(half));
      turned(p, i) = head(p, i) * std::cos(angle) - head(p, i + half) * std::sin(angle);
      turned(p, i + half) = head(p, i + half) * std::cos(angle) + head(p, i) * std::sin(angle);
    }
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
  const std::size_t d_k = pass.Q.cols() / settings.n_heads, d_v = pass.V.cols() / settings.n_heads;
  pass.Z = Matrix(X.rows(), pass.V.cols());
  for (std::size_t h = 0; h < settings.n_heads; ++h) {
    const Matrix q = columns(pass.Q, h * d_k, d_k), k = columns(pass.K, h * d_k, d_k);
    pass.Q_heads.push_back(settings.rotary ? rotate(q, 1) : q);
    pass.K_heads.push_back(settings.rotary ? rotate(k, 1) : k);
    pass.V_heads.push_back(columns(pass.V, h * d_v, d_v));
    Matrix S = scale_of(pass, settings) * (pass.Q_heads[h] * transpose(pass.K_heads[h]));
    if (settings.bias)
      for (std::size_t i = 0; i < S.rows(); ++i)
        for (std::size_t j = 0; j < S.cols(); ++j) S(i, j) += settings.bias(h, i, j);
    pass.P.push_back(softmax_rows(S, settings, h));
    pass.S.push_back(std::move(S));
    set_columns(pass.Z, h * d_v, pass.P[h] * pass.V_heads[h]);
  }
  pass.Y = project(pass.Z, w, "W_O", "b_O");
  return pass;
}

AttentionGradients attention_backward(const NamedMatrices& w, const AttentionSettings& settings,
                                      const AttentionPass& pass, const Matrix& dY) {
  AttentionGradients d;
  const std::size_t d_k = pass.Q.cols() / settings.n_heads, d_v = pass.V.cols() / settings.n_heads;
  const double scale = scale_of(pass, settings);
  d.Q = Matrix(pass.Q.rows(), pass.Q.cols());
  d.K = Matrix(pass.K.rows(), pass.K.cols());
  d.V = Matrix(pass.V.rows(), pass.V.cols());

  const Matrix dZ = dY * transpose(w.at("W_O"));  // Y = Z W_O + 1 b_O
  d.weights["W_O"] = transpose(pass.Z) * dY;
  if (w.contains("b_O")) d.weights["b_O"] = column_sums(dY);

  for (std::size_t h = 0; h < settings.n_heads; ++h) {
    const Matrix &Q = pass.Q_heads[h], &K = pass.K_heads[h], &V = pass.V_heads[h], &P = pass.P[h];
    const Matrix dZ_h = columns(dZ, h * d_v, d_v);
    const Matrix dV = transpose(P) * dZ_h;  // Z = P V
    const Matrix dP = dZ_h * transpose(V);
    // P = softmax(S): adding a number to a row of dP changes nothing, because each row of P sums to 1.
    const Matrix dS = hadamard(P, dP - repeat_columns(row_sums(hadamard(dP, P)), P.cols()));
    const Matrix dQ = scale * (dS * K);  // S = scale Q Kᵀ + bias
    const Matrix dK = scale * (transpose(dS) * Q);
    set_columns(d.V, h * d_v, dV);
    set_columns(d.Q, h * d_k, settings.rotary ? rotate(dQ, -1) : dQ);  // a rotation's transpose turns back
    set_columns(d.K, h * d_k, settings.rotary ? rotate(dK, -1) : dK);
    d.P.push_back(dP);
    d.S.push_back(dS);
  }

  d.weights["W_Q"] = transpose(pass.X) * d.Q;  // Q = X W_Q + 1 b_Q
  d.weights["W_K"] = transpose(pass.M) * d.K;
  d.weights["W_V"] = transpose(pass.M) * d.V;
  if (w.contains("b_Q")) d.weights["b_Q"] = column_sums(d.Q);
  if (w.contains("b_K")) d.weights["b_K"] = column_sums(d.K);
  if (w.contains("b_V")) d.weights["b_V"] = column_sums(d.V);
  d.X = d.Q * transpose(w.at("W_Q"));
  d.M = d.K * transpose(w.at("W_K")) + d.V * transpose(w.at("W_V"));
  return d;
}

}  // namespace headlight::by_hand

#include "gradients/parts_by_hand.h"

#include <algorithm>
#include <cmath>

namespace headlight::by_hand {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

Matrix each(const Matrix& x, double (*f)(double)) {
  Matrix y = x;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) y(i, j) = f(x(i, j));
  return y;
}

// Adds a part to some columns, since heads of queries share them.
void add_to_columns(Matrix& a, std::size_t from, const Matrix& part) {
  set_columns(a, from, columns(a, from, part.cols()) + part);
}

// The pattern (n,m) and the sink's weight (n,1), which together sum to 1 in each row.
struct PatternWithSink {
  Matrix P, of_sink;
};

PatternWithSink causal_softmax(const Matrix& S, double sink) {
  PatternWithSink all{Matrix(S.rows(), S.cols()), Matrix(S.rows(), 1)};
  for (std::size_t i = 0; i < S.rows(); ++i) {
    double top = sink;
    for (std::size_t j = 0; j <= i; ++j) top = std::max(top, S(i, j));
    double total = std::exp(sink - top);
    for (std::size_t j = 0; j <= i; ++j) total += std::exp(S(i, j) - top);
    for (std::size_t j = 0; j <= i; ++j) all.P(i, j) = std::exp(S(i, j) - top) / total;
    all.of_sink(i, 0) = std::exp(sink - top) / total;
  }
  return all;
}

}  // namespace

NamedMatrices rms_norm_backward(const Matrix& x, const Matrix& w, const Matrix& dY) {
  const double d = static_cast<double>(x.cols());
  const Matrix squares = row_sums(hadamard(x, x));
  Matrix r(x.rows(), 1);
  for (std::size_t i = 0; i < x.rows(); ++i) r(i, 0) = 1 / std::sqrt(squares(i, 0) / d + 1e-5);
  const Matrix R = repeat_columns(r, x.cols()), normalized = hadamard(x, R);
  const Matrix T = hadamard(dY, repeat_rows(w, x.rows()));
  const Matrix means = 1 / d * row_sums(hadamard(T, normalized));
  return {{"x", hadamard(R, T - hadamard(normalized, repeat_columns(means, x.cols())))},
          {"w", column_sums(hadamard(dY, normalized))}};
}

NamedMatrices swiglu_backward(const Matrix& gate, const Matrix& up, const Matrix& dY) {
  const Matrix silu = each(gate, [](double x) { return x * logistic(x); });
  const Matrix slope = each(gate, [](double x) { return logistic(x) * (1 + x * (1 - logistic(x))); });
  return {{"gate", hadamard(hadamard(dY, up), slope)}, {"up", hadamard(dY, silu)}};
}

NamedMatrices smear_backward(const Matrix& k, const Matrix& alpha, const Matrix& dY) {
  const std::size_t n = k.rows(), d = k.cols() / alpha.cols();
  Matrix dk(n, k.cols()), dalpha(1, alpha.cols());
  for (std::size_t c = 0; c < k.cols(); ++c) {
    const double a = logistic(alpha(0, c / d));
    dk(0, c) += dY(0, c);
    for (std::size_t t = 1; t < n; ++t) {
      dk(t, c) += a * dY(t, c);
      dk(t - 1, c) += (1 - a) * dY(t, c);
      dalpha(0, c / d) += a * (1 - a) * dY(t, c) * (k(t, c) - k(t - 1, c));
    }
  }
  return {{"k", dk}, {"alpha", dalpha}};
}

NamedMatrices smoothed_cross_entropy_backward(const Matrix& logits, const std::vector<std::int32_t>& targets,
                                              double epsilon) {
  const double n = static_cast<double>(logits.rows()), V = static_cast<double>(logits.cols());
  Matrix d(logits.rows(), logits.cols());
  for (std::size_t i = 0; i < logits.rows(); ++i) {
    double total = 0;
    for (std::size_t j = 0; j < logits.cols(); ++j) total += std::exp(logits(i, j));
    for (std::size_t j = 0; j < logits.cols(); ++j)
      d(i, j) = (std::exp(logits(i, j)) / total - epsilon / V) / n;
    d(i, static_cast<std::size_t>(targets[i])) -= (1 - epsilon) / n;
  }
  return {{"logits", d}};
}

NamedMatrices attention_parts_backward(const PartsOfAttention& parts, const Matrix& q, const Matrix& k,
                                       const Matrix& v, const Matrix& dZ) {
  const std::size_t d_k = q.cols() / parts.n_heads, d_v = v.cols() / parts.n_kv_heads;
  const double scale = 1 / std::sqrt(static_cast<double>(d_k));
  Matrix dq(q.rows(), q.cols()), dk(k.rows(), k.cols()), dv(v.rows(), v.cols()), dsinks(1, parts.n_heads);
  for (std::size_t h = 0; h < parts.n_heads; ++h) {
    const std::size_t shared = h / (parts.n_heads / parts.n_kv_heads);
    const Matrix Q = columns(q, h * d_k, d_k), K = columns(k, shared * d_k, d_k),
                 V = columns(v, shared * d_v, d_v), dZ_h = columns(dZ, h * d_v, d_v);
    Matrix S = scale * (Q * transpose(K)), slope(S.rows(), S.cols(), 1);
    for (std::size_t i = 0; parts.cap > 0 && i < S.rows(); ++i)
      for (std::size_t j = 0; j < S.cols(); ++j) {
        const double t = std::tanh(S(i, j) / parts.cap);
        S(i, j) = parts.cap * t;
        slope(i, j) = 1 - t * t;
      }
    const double sink = parts.sinks.cols() > 0 ? parts.sinks(0, h) : -HUGE_VAL;
    const auto [P, of_sink] = causal_softmax(S, sink);
    const Matrix dP = dZ_h * transpose(V), means = row_sums(hadamard(P, dP));
    const Matrix dS = hadamard(P, dP - repeat_columns(means, P.cols()));
    const Matrix dA = hadamard(dS, slope);  // S = cap·tanh(A / cap), A = scale Q Kᵀ
    set_columns(dq, h * d_k, scale * (dA * K));
    add_to_columns(dk, shared * d_k, scale * (transpose(dA) * Q));
    add_to_columns(dv, shared * d_v, transpose(P) * dZ_h);
    dsinks(0, h) = -column_sums(hadamard(of_sink, means))(0, 0);  // the sink's value is 0, so its dP is 0
  }
  return {{"q", dq}, {"k", dk}, {"v", dv}, {"sinks", dsinks}};
}

}  // namespace headlight::by_hand

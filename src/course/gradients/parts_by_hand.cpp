#include "gradients/parts_by_hand.h"

#include <cmath>

namespace headlight::by_hand {
namespace {

Matrix logistic(const Matrix& x) { return 1 / (1 + xt::exp(-x)); }

// The pattern (n,m) and the sink's weight (n,1), which together sum to 1 in each row: the sink is one more
// score.
struct PatternWithSink {
  Matrix P, of_sink;
};

PatternWithSink causal_softmax(const Matrix& S, double sink) {
  const std::size_t n = S.shape(0);
  Matrix all = sink + zeros(n, n + 1);
  columns(all, 0, n) = S;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) all(i, j) = -HUGE_VAL;
  all = softmax(all);
  return {columns(all, 0, n), columns(all, n, 1)};
}

}  // namespace

NamedMatrices rms_norm_backward(const Matrix& x, const Matrix& w, const Matrix& dY) {
  const Matrix r = 1 / xt::sqrt(row_means(x * x) + 1e-5), normalized = x * r;
  const Matrix t = dY * w;
  return {{"x", r * (t - normalized * row_means(t * normalized))}, {"w", column_sums(dY * normalized)}};
}

NamedMatrices swiglu_backward(const Matrix& gate, const Matrix& up, const Matrix& dY) {
  const Matrix a = logistic(gate), slope = a * (1 + gate * (1 - a));
  return {{"gate", dY * up * slope}, {"up", dY * gate * a}};
}

NamedMatrices smear_backward(const Matrix& k, const Matrix& alpha, const Matrix& dY) {
  const std::size_t n = k.shape(0), d = k.shape(1) / alpha.shape(1);
  Matrix dk = zeros(n, k.shape(1)), dalpha = zeros(1, alpha.shape(1));
  const Matrix share = logistic(alpha);
  for (std::size_t c = 0; c < k.shape(1); ++c) {
    const double a = share(0, c / d);
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
  const double n = static_cast<double>(logits.shape(0)), V = static_cast<double>(logits.shape(1));
  Matrix d = (softmax(logits) - epsilon / V) / n;
  for (std::size_t i = 0; i < targets.size(); ++i) d(i, targets[i]) -= (1 - epsilon) / n;
  return {{"logits", d}};
}

NamedMatrices attention_parts_backward(const PartsOfAttention& parts, const Matrix& q, const Matrix& k,
                                       const Matrix& v, const Matrix& dZ) {
  const std::size_t d_k = q.shape(1) / parts.n_heads, d_v = v.shape(1) / parts.n_kv_heads;
  const double scale = 1 / std::sqrt(static_cast<double>(d_k));
  Matrix dq = xt::zeros_like(q), dk = xt::zeros_like(k), dv = xt::zeros_like(v),
         dsinks = zeros(1, parts.n_heads);
  for (std::size_t h = 0; h < parts.n_heads; ++h) {
    const std::size_t shared = h / (parts.n_heads / parts.n_kv_heads);
    const Matrix Q = columns(q, h * d_k, d_k), K = columns(k, shared * d_k, d_k),
                 V = columns(v, shared * d_v, d_v), dZ_h = columns(dZ, h * d_v, d_v);
    Matrix S = scale * dot(Q, transpose(K)), slope = xt::ones_like(S);
    if (parts.cap > 0) {  // S = cap·tanh(A / cap), A = scale Q Kᵀ
      const Matrix t = xt::tanh(S / parts.cap);
      S = parts.cap * t;
      slope = 1 - t * t;
    }
    const auto [P, of_sink] = causal_softmax(S, parts.sinks.size() > 0 ? parts.sinks(0, h) : -HUGE_VAL);
    const Matrix dP = dot(dZ_h, transpose(V)), means = row_sums(P * dP);
    const Matrix dA = P * (dP - means) * slope;
    columns(dq, h * d_k, d_k) = scale * dot(dA, K);
    columns(dk, shared * d_k, d_k) += scale * dot(transpose(dA), Q);
    columns(dv, shared * d_v, d_v) += dot(transpose(P), dZ_h);
    dsinks(0, h) = -xt::sum(of_sink * means)();  // the sink's value is 0, so its dP is 0
  }
  return {{"q", dq}, {"k", dk}, {"v", dv}, {"sinks", dsinks}};
}

}  // namespace headlight::by_hand

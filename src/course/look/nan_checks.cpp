// Ops on numbers at the edge of what a double holds. An AnomalyScope names the op that first made a NaN.
#include <fmt/core.h>

#include <limits>

#include "checks.h"
#include "headlight/autograd/anomaly.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

namespace headlight::hunt {
namespace {

constexpr Real kInf = std::numeric_limits<Real>::infinity();

// The values, and the gradient of a random weighting of the values.
std::string forward_and_backward(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
  const AnomalyScope scope;
  const Tensor input = parameter(x.array()), y = f(input);
  Array weights = y.array();
  for (std::size_t i = 0; i < weights.size(); ++i) weights.data()[i] = static_cast<Real>(i % 3) - Real(0.5);
  const Tensor gradient = grad(y, {input}, {.cotangent = Tensor(weights)})[0];
  return fmt::format("values [{}], gradient [{}]", numbers({y.array().begin(), y.array().end()}),
                     numbers({gradient.array().begin(), gradient.array().end()}));
}

}  // namespace

std::vector<Check> nan_checks() {
  std::vector<Check> checks;
  const auto add = [&](const char* name, const Tensor& x, std::function<Tensor(const Tensor&)> f) {
    checks.push_back({name, [=] { return forward_and_backward(f, x); }});
  };
  const Tensor high = tensor({{1000, 999, 998}, {-1000, -1001, 0}}), low = tensor({{-1000, -1001, -1002}});
  add("softmax, scores near 1000", high, [](const Tensor& x) { return softmax(x); });
  add("softmax, scores near -1000", low, [](const Tensor& x) { return softmax(x); });
  add("softmax, a hidden score", tensor({{2, -kInf, 0}}), [](const Tensor& x) { return softmax(x); });
  add("softmax, a hidden row", tensor({{-kInf, -kInf}, {0, 1}}), [](const Tensor& x) { return softmax(x); });
  add("log_softmax, scores near 1000", high, [](const Tensor& x) { return log_softmax(x); });
  add("log_softmax, scores near -1000", low, [](const Tensor& x) { return log_softmax(x); });
  add("cross_entropy, sure and wrong", high, [](const Tensor& x) {
    return cross_entropy(x, IntArray{2, 0});
  });
  add("cross_entropy, scores near -1000", low, [](const Tensor& x) { return cross_entropy(x, IntArray{2}); });
  add("logsumexp, scores near 1000", high, [](const Tensor& x) { return logsumexp(x, -1); });
  add("exp, near the smallest number", tensor({-600, -700, -709}),
      [](const Tensor& x) { return log(exp(x)); });
  add("tanh, near 0", tensor({1e-12, -1e-9, 0.3, -400}), [](const Tensor& x) { return tanh(x) * 1e6; });
  add("erf, to both sides", tensor({-5, -3.2, 1e-9, 3.5}), [](const Tensor& x) { return erf(x); });
  add("sigmoid, far from 0", tensor({-800, 0, 800}), [](const Tensor& x) { return sigmoid(x); });
  add("silu, far from 0", tensor({-800, 0, 800}), [](const Tensor& x) { return silu(x); });
  add("gelu, far from 0", tensor({-800, 0, 800}), [](const Tensor& x) { return gelu(x); });
  add("relu, at 0", tensor({-1, 0, 1}), [](const Tensor& x) { return relu(x); });
  add("maximum, at a tie", tensor({1, 2, 3}), [](const Tensor& x) { return maximum(x, tensor({1, 1, 3})); });
  add("max, at a tie", tensor({{1, 3, 3}, {2, 2, 2}}), [](const Tensor& x) { return max(x, {-1}); });
  add("pow, negative bases", tensor({-2, -0.5, 3}), [](const Tensor& x) { return pow(x, 3); });
  add("layer_norm, equal numbers", tensor({{5, 5, 5, 5}, {1, 2, 3, 4}}),
      [](const Tensor& x) { return layer_norm(x); });
  add("rms_norm, zeros", tensor({{0, 0, 0}, {1, 2, 3}}), [](const Tensor& x) { return rms_norm(x); });
  add("attention, a query that sees no key", tensor({{1, 2}, {3, -1}, {0.5, 1}}), [](const Tensor& x) {
    const BoolArray mask{{true, false, true}, {false, false, false}, {true, true, true}};
    return scaled_dot_product_attention(x, x, x, {.mask = mask});
  });
  add("attention, scores near 1000", tensor({{30, 20}, {30, -1}, {-30, 1}}),
      [](const Tensor& x) { return scaled_dot_product_attention(x, x, x, {.causal = true}); });
  return checks;
}

}  // namespace headlight::hunt

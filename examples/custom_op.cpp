// An op of your own with its derivative, compared with central differences.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/autograd/autograd.h"
#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"

using namespace headlight;

// softplus   y = ln(1 + eˣ)     x̄ = ȳ ⊙ σ(x)
//
// The derivative gets ȳ, the gradient of the loss with respect to y, and returns x̄, that with respect to x.
// It is written in ops of tensors, so that it has a derivative itself.
Tensor softplus(const Tensor& x) {
  Array y = x.array();
  for (Real& value : y) value = std::max(value, Real(0)) + std::log1p(std::exp(-std::abs(value)));
  return record("softplus", {x}, std::move(y),
                [x](const Tensor& y_bar, const Tensor& /*y*/) { return y_bar * sigmoid(x); });
}

// The same with the derivative of relu, a mistake that the check must find.
Tensor wrong_softplus(const Tensor& x) {
  return record("wrong_softplus", {x}, softplus(x).array(),
                [x](const Tensor& y_bar, const Tensor&) { return where(greater(x, 0), y_bar, 0); });
}

int main() {
  return run_main([] {
    Rng rng(0);
    const Tensor x = parameter(randn({3, 4}, rng));
    const auto right = [](const std::vector<Tensor>& in) { return softplus(in[0]); };
    const auto wrong = [](const std::vector<Tensor>& in) { return wrong_softplus(in[0]); };
    const bool first = gradcheck("softplus", right, {x}).ok;
    const bool second = gradgradcheck("softplus", right, {x}).ok;
    const bool found = !gradcheck("wrong_softplus", wrong, {x}).ok;
    fmt::print("first derivative: {}\n", first ? "agrees" : "differs");
    fmt::print("second derivative: {}\n", second ? "agrees" : "differs");
    fmt::print("wrong derivative: {}\n", found ? "found" : "missed");
    return first && second && found ? 0 : 1;
  });
}

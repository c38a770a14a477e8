// An op of your own with its derivative, compared with central differences.
#include <fmt/core.h>

#include <cmath>

#include "headlight/autograd/autograd.h"
#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"

using namespace headlight;

// log_cosh   y = ln cosh x = |x| + ln(1 + e^(-2|x|)) - ln 2     x̄ = ȳ ⊙ tanh x
//
// The derivative gets ȳ, the gradient of the loss with respect to y, and returns x̄, that with respect to x.
// It is written in ops of tensors, so that it has a derivative itself.
Tensor log_cosh(const Tensor& x) {
  Array y = x.array();
  for (Real& value : y) {
    const Real size = std::abs(value);
    value = size + std::log1p(std::exp(-2 * size)) - std::log(Real(2));
  }
  return record("log_cosh", {x}, std::move(y),
                [x](const Tensor& y_bar, const Tensor& /*y*/) { return y_bar * tanh(x); });
}

// The same with the derivative of |x|, a mistake that the check must find.
Tensor wrong_log_cosh(const Tensor& x) {
  return record("wrong_log_cosh", {x}, log_cosh(x).array(),
                [x](const Tensor& y_bar, const Tensor&) { return y_bar * sign(x); });
}

int main() {
  return run_main([] {
    Rng rng(0);
    const Tensor x = parameter(randn({3, 4}, rng));
    const auto right = [](const std::vector<Tensor>& in) { return log_cosh(in[0]); };
    const auto wrong = [](const std::vector<Tensor>& in) { return wrong_log_cosh(in[0]); };
    const bool first = gradcheck("log_cosh", right, {x}).ok;
    const bool second = gradgradcheck("log_cosh", right, {x}).ok;
    const bool found = !gradcheck("wrong_log_cosh", wrong, {x}).ok;
    fmt::print("first derivative: {}\n", first ? "agrees" : "differs");
    fmt::print("second derivative: {}\n", second ? "agrees" : "differs");
    fmt::print("wrong derivative: {}\n", found ? "found" : "missed");
    return first && second && found ? 0 : 1;
  });
}

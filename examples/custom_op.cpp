// An op of your own with its derivative, compared with central differences.
#include <fmt/core.h>

#include <cmath>

#include "headlight/autograd/autograd.h"
#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"

namespace hl = headlight;

// log_cosh   y = ln cosh x = |x| + ln(1 + e^(-2|x|)) - ln 2     x̄ = ȳ ⊙ tanh x
//
// The derivative gets ȳ, the gradient of the loss with respect to y, and returns x̄, that with respect to x.
// It is written in ops of tensors, so that it has a derivative itself.
hl::Tensor log_cosh(const hl::Tensor& x) {
  hl::Array y = x.array();
  for (hl::Real& value : y) {
    const hl::Real size = std::abs(value);
    value = size + std::log1p(std::exp(-2 * size)) - std::log(hl::Real(2));
  }
  return hl::record("log_cosh", {x}, std::move(y),
                    [x](const hl::Tensor& y_bar, const hl::Tensor& /*y*/) { return y_bar * tanh(x); });
}

// The same with the derivative of |x|, a mistake that the check must find.
hl::Tensor wrong_log_cosh(const hl::Tensor& x) {
  return hl::record("wrong_log_cosh", {x}, log_cosh(x).array(),
                    [x](const hl::Tensor& y_bar, const hl::Tensor&) { return y_bar * sign(x); });
}

int main() {
  return hl::run_main([] {
    hl::Rng rng(0);
    const hl::Tensor x = hl::parameter(hl::randn({3, 4}, rng));
    const auto right = [](const std::vector<hl::Tensor>& in) { return log_cosh(in[0]); };
    const auto wrong = [](const std::vector<hl::Tensor>& in) { return wrong_log_cosh(in[0]); };
    const bool first = hl::gradcheck("log_cosh", right, {x}).ok;
    const bool second = hl::gradgradcheck("log_cosh", right, {x}).ok;
    const bool found = !hl::gradcheck("wrong_log_cosh", wrong, {x}).ok;
    fmt::print("first derivative: {}\n", first ? "agrees" : "differs");
    fmt::print("second derivative: {}\n", second ? "agrees" : "differs");
    fmt::print("wrong derivative: {}\n", found ? "found" : "missed");
    return first && second && found ? 0 : 1;
  });
}

#include "headlight/ops/rms_norm.h"

#include "headlight/autograd/record_fused.h"
#include "headlight/core/check.h"
#include "headlight/core/norm_kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/reduce.h"
#include "powers_of_two.h"

namespace headlight {

// rms_norm   y = x̂ ⊙ w, x̂ = x/√(mean x² + eps)     the derivative is in rms_norm_rows_vjp
Tensor rms_norm(const Tensor& x, const Tensor& w, double eps) {
  check(x.dim() >= 1 && x.shape().back() > 0,
        "[rms_norm] expected at least one axis that is not empty, got {}.", x.shape());
  const std::size_t width = x.shape().back(), rows = x.size() / width;
  const bool has_w = w.defined();
  check(!has_w || w.shape() == Shape{width}, "[rms_norm] expected w of shape ({}), got {}.", width,
        has_w ? w.shape() : Shape{});
  Array y = empty_array(x.shape()), r = empty_array({rows});
  kernels::rms_norm_rows(x.array().data(), has_w ? w.array().data() : nullptr, static_cast<Real>(eps),
                         y.data(), r.data(), rows, width);
  if (const auto scales = scales_of_large_rows(x.array(), r)) return rms_norm(x * Tensor(*scales), w, eps);
  return record_fused(
      "rms_norm", defined({x, w}), std::move(y),
      [has_w, r = std::move(r), rows, width](std::span<const Input> in, const Tensor& g, const Tensor&) {
        const Array& input = in[0].tensor.array();
        const bool needs_x = in[0].tensor.requires_grad();
        Array dx, dw;
        if (needs_x) dx = empty_array(input.shape());
        if (has_w) dw = full_array({width}, 0);
        kernels::rms_norm_rows_vjp(input.data(), has_w ? in[1].tensor.array().data() : nullptr, r.data(),
                                   g.array().data(), needs_x ? dx.data() : nullptr,
                                   has_w ? dw.data() : nullptr, rows, width);
        std::vector<Tensor> cotangents(in.size());
        if (needs_x) cotangents.front() = Tensor(std::move(dx));
        if (has_w) cotangents[1] = Tensor(std::move(dw));
        return cotangents;
      },
      [has_w, eps](const std::vector<Tensor>& in) {
        return reference::rms_norm(in[0], has_w ? in[1] : Tensor(), eps);
      });
}

Tensor reference::rms_norm(const Tensor& x, const Tensor& w, double eps) {
  const Tensor y = x / sqrt(mean(x * x, {-1}, true) + eps);
  return w.defined() ? y * w : y;
}

}  // namespace headlight

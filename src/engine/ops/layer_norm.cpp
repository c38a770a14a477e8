#include "headlight/ops/layer_norm.h"

#include "headlight/autograd/record_fused.h"
#include "headlight/core/check.h"
#include "headlight/core/norm_kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/reduce.h"
#include "powers_of_two.h"

namespace headlight {
namespace {

const Real* data_or_null(const Tensor& x) { return x.defined() ? x.array().data() : nullptr; }

}  // namespace

// layer_norm   y = x̂ ⊙ w + b, x̂ = (x - mean)·rstd     the derivative is in layer_norm_rows_vjp
Tensor layer_norm(const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
  check(x.dim() >= 1 && x.shape().back() > 0,
        "[layer_norm] expected at least one axis that is not empty, got {}.", x.shape());
  const std::size_t width = x.shape().back(), rows = x.size() / width;
  for (const Tensor& term : {w, b})
    check(!term.defined() || term.shape() == Shape{width},
          "[layer_norm] expected w and b of shape ({}), got {}.", width,
          term.defined() ? term.shape() : Shape{});
  Array y = empty_array(x.shape()), mean = empty_array({rows}), rstd = empty_array({rows});
  kernels::layer_norm_rows(x.array().data(), data_or_null(w), data_or_null(b), static_cast<Real>(eps),
                           y.data(), mean.data(), rstd.data(), rows, width);
  if (const auto scales = scales_of_large_rows(x.array(), rstd))
    return layer_norm(x * Tensor(*scales), w, b, eps);
  const bool has_w = w.defined(), has_b = b.defined();
  return record_fused(
      "layer_norm", defined({x, w, b}), std::move(y),
      [has_w, has_b, mean = std::move(mean), rstd = std::move(rstd), rows, width](
          std::span<const Input> in, const Tensor& g, const Tensor&) {
        const Array& input = in[0].tensor.array();
        const bool needs_x = in[0].tensor.requires_grad();
        Array dx, dw, db;
        if (needs_x) dx = empty_array(input.shape());
        if (has_w) dw = full_array({width}, 0);
        if (has_b) db = full_array({width}, 0);
        kernels::layer_norm_rows_vjp(input.data(), has_w ? in[1].tensor.array().data() : nullptr, mean.data(),
                                     rstd.data(), g.array().data(), needs_x ? dx.data() : nullptr,
                                     has_w ? dw.data() : nullptr, has_b ? db.data() : nullptr, rows, width);
        std::vector<Tensor> cotangents(in.size());
        if (needs_x) cotangents.front() = Tensor(std::move(dx));
        if (has_w) cotangents[1] = Tensor(std::move(dw));
        if (has_b) cotangents.back() = Tensor(std::move(db));
        return cotangents;
      },
      [has_w, has_b, eps](const std::vector<Tensor>& in) {
        return reference::layer_norm(in[0], has_w ? in[1] : Tensor(), has_b ? in.back() : Tensor(), eps);
      });
}

Tensor reference::layer_norm(const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
  Tensor y = centered(x, {-1}) / sqrt(var(x, {-1}, true) + eps);
  if (w.defined()) y = y * w;
  if (b.defined()) y = y + b;
  return y;
}

}  // namespace headlight

#include "headlight/ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/core/kernels.h"
#include "headlight/core/row_kernels.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/reduce.h"

namespace headlight {
namespace {

// The largest element along the axis as a constant (it cancels in a softmax, so it needs no gradient);
// 0 for a slice that is -∞ throughout or empty.
Tensor shift_of(const Tensor& x, int axis) {
  Shape kept = x.shape();
  kept[normalize_axis(axis, x.dim(), "softmax")] = 1;
  Array top = kernels::max_to(x.array(), kept);
  for (Real& m : top) m = std::isinf(m) && m < 0 ? 0 : m;
  return Tensor(std::move(top));
}

std::size_t row_count(const Array& x) { return x.shape().back() == 0 ? 0 : x.size() / x.shape().back(); }

// The row kernels work along the last axis; any other axis is moved there and back.
template <class LastAxis>
Tensor along(const char* op, const Tensor& x, int axis, LastAxis last_axis) {
  const std::size_t on = normalize_axis(axis, x.dim(), op);
  if (on + 1 == x.dim()) return last_axis(x);
  const int moved = static_cast<int>(on);
  return transpose(last_axis(transpose(x, moved, -1)), moved, -1);
}

// softmax  y = e^x / Σ e^x along rows     x̄ = y ⊙ (ȳ - Σ ȳ⊙y)
Tensor softmax_rows(const Tensor& x) {
  Array y = empty_array(x.shape());
  const std::size_t width = x.shape().back();
  for (std::size_t i = 0; i < row_count(y); ++i)
    kernels::softmax_row(x.array().data() + i * width, y.data() + i * width, width);
  return record_fused(
      "softmax", std::span(&x, 1), std::move(y),
      [width](std::span<const Input>, const Tensor& g, const Tensor& out) -> std::vector<Tensor> {
        Array dx = empty_array(out.shape());
        for (std::size_t i = 0; i < row_count(dx); ++i)
          kernels::softmax_row_vjp(out.array().data() + i * width, g.array().data() + i * width,
                                   dx.data() + i * width, width);
        return {Tensor(std::move(dx))};
      },
      [](const std::vector<Tensor>& in) { return reference::softmax(in[0]); });
}

// log_softmax   y = x - log Σ e^x along rows     x̄ = ȳ - e^y Σ ȳ
Tensor log_softmax_rows(const Tensor& x) {
  Array y = empty_array(x.shape());
  const std::size_t width = x.shape().back();
  for (std::size_t i = 0; i < row_count(y); ++i) {
    const Real* in = x.array().data() + i * width;
    Real* out = y.data() + i * width;
    const kernels::SoftmaxSum sum = kernels::softmax_sum_row(in, width);
    const Real rest = kernels::minus_log_softmax(sum, sum.max);
    for (std::size_t j = 0; j < width; ++j) out[j] = (in[j] - sum.max) - rest;
  }
  return record("log_softmax", {x}, std::move(y),
                [](const Tensor& g, const Tensor& out) { return g - exp(out) * sum(g, {-1}, true); });
}

void check_targets(const Tensor& logits, const IntArray& targets, const CrossEntropyOptions& options) {
  const std::int32_t ignore_index = options.ignore_index;
  check(logits.dim() >= 1 && targets.shape() == Shape(logits.shape().begin(), logits.shape().end() - 1),
        "[cross_entropy] expected logits (…,V) and targets (…), got {} and {}.", logits.shape(),
        targets.shape());
  const auto classes = static_cast<std::int32_t>(logits.shape().back());
  for (std::int32_t target : targets)
    check((target >= 0 && target < classes) || target == ignore_index,
          "[cross_entropy] target {} is neither in 0 … {} nor the ignore_index {}.", target, classes - 1,
          ignore_index);
  check(options.label_smoothing >= 0 && options.label_smoothing <= 1,
        "[cross_entropy] expected a label smoothing in [0, 1], got {}.", options.label_smoothing);
}

// -Σ p⊙log softmax x of one row, where p is 1 at the target, or 1-ε there and ε/V more everywhere. A target
// of weight 0 does not count, whatever its logit.
Real loss_of_row(const Real* row, std::size_t width, const kernels::SoftmaxSum& sum, std::int32_t target,
                 Real smooth) {
  const Real of_target = smooth < 1 ? (1 - smooth) * kernels::minus_log_softmax(sum, row[target]) : 0;
  if (smooth == 0) return of_target;
  Real below = 0;  // Σ (max - x)
  for (std::size_t j = 0; j < width; ++j) below += sum.max - row[j];
  return of_target + smooth * (kernels::minus_log_softmax(sum, sum.max) + below / static_cast<Real>(width));
}

// The weight of each position's loss: 0 at ignored positions.
Array position_weights(const IntArray& targets, const CrossEntropyOptions& options) {
  Array weights = empty_array(targets.shape());
  std::size_t counted = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool counts = targets.data()[i] != options.ignore_index;
    weights.data()[i] = counts ? 1 : 0;
    counted += counts;
  }
  if (options.reduction != Reduction::mean) return weights;
  check(counted > 0,
        "[cross_entropy] every target is the ignore_index {}: the mean over no positions is undefined.",
        options.ignore_index);
  for (Real& w : weights) w /= static_cast<Real>(counted);
  return weights;
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) { return along("softmax", x, axis, softmax_rows); }

Tensor log_softmax(const Tensor& x, int axis) { return along("log_softmax", x, axis, log_softmax_rows); }

// cross_entropy   ℓ = Σ wᵢ (log Σ e^xᵢ - Σ pᵢ⊙xᵢ), pᵢ = (1-ε) onehot tᵢ + ε/V     x̄ᵢ = ℓ̄ wᵢ (softmax xᵢ - pᵢ)
Tensor cross_entropy(const Tensor& logits, const IntArray& targets, const CrossEntropyOptions& options) {
  check_targets(logits, targets, options);
  const Array weights = position_weights(targets, options);
  const auto smooth = static_cast<Real>(options.label_smoothing);
  const std::size_t width = logits.shape().back(), rows = weights.size();
  std::vector<kernels::SoftmaxSum> sums(rows);
  Array losses = empty_array(weights.shape());
  for (std::size_t i = 0; i < rows; ++i) {
    const Real* row = logits.array().data() + i * width;
    sums[i] = kernels::softmax_sum_row(row, width);
    const Real weight = weights.data()[i];
    losses.data()[i] = weight != 0 ? weight * loss_of_row(row, width, sums[i], targets.data()[i], smooth) : 0;
  }
  Array loss = options.reduction == Reduction::none ? losses : kernels::sum_to(losses, Shape{});
  return record_fused(
      "cross_entropy", std::span(&logits, 1), std::move(loss),
      [targets, weights, sums = std::move(sums), smooth, width, rows](
          std::span<const Input> in, const Tensor& g, const Tensor&) -> std::vector<Tensor> {
        const Array& x = in[0].tensor.array();
        Array dx = empty_array(x.shape());
        const bool one = g.size() == 1;
        for (std::size_t i = 0; i < rows; ++i) {
          const Real weight = weights.data()[i] * g.array().data()[one ? 0 : i];
          const Real* row = x.data() + i * width;
          Real* out = dx.data() + i * width;
          if (weight == 0) {  // ignored, whatever its logits
            std::fill_n(out, width, Real(0));
            continue;
          }
          const auto [max, others] = sums[i];
          const Real scale = weight / (1 + others);
          kernels::exp_row(row, max, scale, out, width);
          // softmax - 1, where it would lose its digits is -others/(1 + others)
          const std::int32_t target = targets.data()[i];
          out[target] = (row[target] == max ? -scale * others : out[target] - weight) + weight * smooth;
          if (smooth > 0)
            for (std::size_t j = 0; j < width; ++j) out[j] -= weight * smooth / static_cast<Real>(width);
        }
        return {Tensor(std::move(dx))};
      },
      [targets, options](const std::vector<Tensor>& in) {
        return reference::cross_entropy(in[0], targets, options);
      });
}

Tensor reference::softmax(const Tensor& x, int axis) {
  const Tensor e = exp(x - shift_of(x, axis));
  const Tensor total = sum(e, {axis}, true);
  return e / where(equal(total, 0), 1, total);
}

Tensor reference::log_softmax(const Tensor& x, int axis) {
  const Tensor shifted = x - shift_of(x, axis);
  return shifted - log(sum(exp(shifted), {axis}, true));
}

Tensor reference::cross_entropy(const Tensor& logits, const IntArray& targets,
                                const CrossEntropyOptions& options) {
  check_targets(logits, targets, options);
  const Array weights = position_weights(targets, options);
  Shape column = targets.shape();
  column.push_back(1);
  IntArray picks = targets;
  BoolArray ignored(column, false);
  for (std::size_t i = 0; i < picks.size(); ++i) {
    ignored.data()[i] = picks.data()[i] == options.ignore_index;
    if (ignored.data()[i]) picks.data()[i] = 0;
  }
  picks.reshape(column);
  const Tensor counted = masked_fill(logits, ignored, 0);  // ignored logits may be anything, NaN too
  const Tensor log_p = reference::log_softmax(counted);
  Tensor hit = reshape_to(gather(log_p, picks), targets.shape());
  const double smooth = options.label_smoothing;
  if (smooth > 0) {
    const Tensor mean_log_p =
        sum(log_p, {-1}) * (1 / static_cast<double>(std::max<std::size_t>(logits.length(-1), 1)));
    hit = smooth < 1 ? (1 - smooth) * hit + smooth * mean_log_p : mean_log_p;
  }
  const Tensor losses = -(hit * Tensor(weights));
  return options.reduction == Reduction::none ? losses : sum(losses);
}

}  // namespace headlight

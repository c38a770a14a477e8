#include "headlight/ops/loss.h"

#include <limits>

#include "headlight/core/check.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/elementwise.h"
#include "headlight/ops/reduce.h"

namespace headlight {
namespace {

constexpr Real kInfinite = std::numeric_limits<Real>::infinity();

void check_same_shape(const char* op, const Tensor& x, const Tensor& y) {
  check(x.shape() == y.shape(), "[{}] expected equal shapes, got {} and {}.", op, x.shape(), y.shape());
}

void check_rows(const char* op, const Tensor& x, const Tensor& y) {
  check_same_shape(op, x, y);
  check(x.dim() >= 1, "[{}] expected rows (…,V), got scalars.", op);
}

Tensor reduced(const char* op, const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  check(reduction == Reduction::sum || losses.size() > 0, "[{}] the mean over no losses is undefined.", op);
  return reduction == Reduction::sum ? sum(losses) : mean(losses);
}

// p ⊙ loss, where a p of 0 does not count an infinite loss: 0·∞ is no number.
Tensor weighted(const Tensor& p, const Tensor& loss) {
  return p * where(equal(p, 0) && equal(abs(loss.detach()), kInfinite), 0, loss);
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const Tensor& p, Reduction reduction) {
  check_rows("cross_entropy", logits, p);
  const Tensor log_q = log_softmax(logits);
  return reduced("cross_entropy", -sum(weighted(p, log_q), -1), reduction);
}

// ln(1 + e^x) is -log(1 - σ(x)), and of -x it is -log σ(x).
Tensor binary_cross_entropy_with_logits(const Tensor& logits, const Tensor& targets, Reduction reduction) {
  check_same_shape("binary_cross_entropy_with_logits", logits, targets);
  const Tensor losses = weighted(targets, softplus(-logits)) + weighted(1 - targets, softplus(logits));
  return reduced("binary_cross_entropy_with_logits", losses, reduction);
}

Tensor kl_divergence(const Tensor& log_p, const Tensor& log_q, Reduction reduction) {
  check_rows("kl_divergence", log_p, log_q);
  const Tensor ratio = where(equal(log_p, -kInfinite), 0, log_p - log_q);
  return reduced("kl_divergence", sum(exp(log_p) * ratio, -1), reduction);
}

Tensor huber_loss(const Tensor& x, const Tensor& y, double delta, Reduction reduction) {
  check_same_shape("huber_loss", x, y);
  check(delta > 0, "[huber_loss] expected a delta above 0, got {}.", delta);
  const Tensor difference = x - y, distance = abs(difference);
  const BoolArray is_near = less_equal(distance, delta);
  const Tensor near = where(is_near, difference, 0);  // whose square is finite, and smooth at 0
  const Tensor losses = where(is_near, 0.5 * square(near), delta * (distance - 0.5 * delta));
  return reduced("huber_loss", losses, reduction);
}

}  // namespace headlight

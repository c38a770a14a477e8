#include "headlight/ops/compare.h"

#include <algorithm>

#include "headlight/core/check.h"

namespace headlight {
namespace {

// `compared` makes an expression of xtensor, which is stored at once.
template <class F>
BoolArray mask_of(const char* op, const Tensor& x, const Tensor& y, F compared) {
  broadcast_shapes(x.shape(), y.shape(), op);  // throws for shapes that do not broadcast
  return BoolArray::Values(compared(x.array(), y.array()));
}

}  // namespace

BoolArray greater(const Tensor& x, const Tensor& y) {
  return mask_of("greater", x, y, [](const Array& a, const Array& b) { return a > b; });
}
BoolArray greater_equal(const Tensor& x, const Tensor& y) {
  return mask_of("greater_equal", x, y, [](const Array& a, const Array& b) { return a >= b; });
}
BoolArray less(const Tensor& x, const Tensor& y) {
  return mask_of("less", x, y, [](const Array& a, const Array& b) { return a < b; });
}
BoolArray less_equal(const Tensor& x, const Tensor& y) {
  return mask_of("less_equal", x, y, [](const Array& a, const Array& b) { return a <= b; });
}
BoolArray equal(const Tensor& x, const Tensor& y) {
  return mask_of("equal", x, y, [](const Array& a, const Array& b) { return xt::equal(a, b); });
}
BoolArray not_equal(const Tensor& x, const Tensor& y) {
  return mask_of("not_equal", x, y, [](const Array& a, const Array& b) { return xt::not_equal(a, b); });
}

BoolArray operator&&(const BoolArray& a, const BoolArray& b) {
  broadcast_shapes(a.shape(), b.shape(), "&&");
  return BoolArray::Values(a.values() && b.values());
}
BoolArray operator||(const BoolArray& a, const BoolArray& b) {
  broadcast_shapes(a.shape(), b.shape(), "||");
  return BoolArray::Values(a.values() || b.values());
}

bool any(const BoolArray& mask) {
  return std::any_of(mask.data(), mask.data() + mask.size(), [](bool is) { return is; });
}
bool all(const BoolArray& mask) {
  return std::all_of(mask.data(), mask.data() + mask.size(), [](bool is) { return is; });
}

BoolArray isnan(const Tensor& x) { return BoolArray::Values(xt::isnan(x.array())); }

bool allclose(const Tensor& x, const Tensor& y, double relative, double absolute) {
  check(relative >= 0 && absolute >= 0, "[allclose] expected tolerances of at least 0, got {} and {}.",
        relative, absolute);
  // xt::isclose finds every number close to an infinity.
  return all(mask_of("allclose", x, y, [&](const Array& a, const Array& b) {
    return xt::equal(a, b) || (xt::isfinite(b) && xt::abs(a - b) <= absolute + relative * xt::abs(b));
  }));
}

}  // namespace headlight

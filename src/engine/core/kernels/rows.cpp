#include <limits>

#include "kernels.h"
#include "vector_math.h"
#include "vectors.h"

namespace headlight::kernels::this_level {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// The number to subtract before exp. It is 0 for a row of -∞, where e^-∞ is 0 without it and a NaN is kept.
Real shift_of(Real max) { return max == -kInfinity ? 0 : max; }

}  // namespace

Real max_row(const Real* x, std::size_t width) {
  const auto larger = [](auto a, auto b) { return a > b ? a : b; };
  Lanes<Real> lanes;
  for (auto& part : lanes.part) part = broadcast<kLanes>(-kInfinity);
  std::size_t i = 0;
  for (; i + Lanes<Real>::kCount <= width; i += Lanes<Real>::kCount)
    lanes = each_lane<Real>(larger, lanes, load_lanes(x + i));
  Real max = across(lanes, larger);
  for (; i < width; ++i) max = larger(max, x[i]);
  return max;
}

std::size_t argmax_row(const Real* x, std::size_t width) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < width; ++i)
    if (x[best] < x[i]) best = i;
  return best;
}

// Here and below y may be x. `omp simd` says that the elements are independent; without it clang computes
// overlapping arrays one element at a time.
void softmax_row(const Real* x, Real* y, std::size_t width) {
  const Real shift = shift_of(max_row(x, width));
  vector_math::map(
      width, y, [shift](auto a) { return vector_math::exp_of_negative(a - shift); }, x);
  const Real sum = sum_row(y, width);
  const Real scale = sum == 0 ? 0 : 1 / sum;
  for (std::size_t i = 0; i < width; ++i) y[i] *= scale;
}

void softmax_row_vjp(const Real* y, const Real* dy, Real* dx, std::size_t width) {
  const Real dot = dot_row(y, dy, width);
#pragma omp simd
  for (std::size_t i = 0; i < width; ++i) dx[i] = y[i] * (dy[i] - dot);
}

SoftmaxSum softmax_sum_row(const Real* x, std::size_t width) {
  const Real shift = shift_of(max_row(x, width));
  constexpr std::size_t kPart = 256;
  Real part[kPart];
  Real ones = 0, others = 0;  // e^(x - shift) is 1 for the largest
  for (std::size_t at = 0; at < width; at += kPart) {
    const std::size_t count = min_of(width - at, kPart);
    exp_row(x + at, shift, 1, part, count);
    ones += sum_of(
        count, [](auto sum, auto y) { return sum + (y == 1 ? y : y - y); }, part);
    others += sum_of(
        count, [](auto sum, auto y) { return sum + (y == 1 ? y - y : y); }, part);
  }
  return {shift, others + (ones - 1)};
}

Real minus_log_softmax(const SoftmaxSum& sum, Real x) {
  return (sum.max - x) + vector_math::log1p(sum.others);
}

void exp_row(const Real* x, Real shift, Real weight, Real* y, std::size_t width) {
  vector_math::map(
      width, y, [=](auto a) { return weight * vector_math::exp_of_negative(a - shift); }, x);
}

void mix_row(const Real* x, const Real* z, Real a, Real* y, std::size_t width) {
#pragma omp simd
  for (std::size_t i = 0; i < width; ++i) y[i] = multiply_add(a, x[i] - z[i], z[i]);
}

void rotate_heads(const Real* x, const Real* cos, const Real* sin, Real sign, Real* y, std::size_t heads,
                  std::size_t d_head) {
  const std::size_t half = d_head / 2;
  for (std::size_t head = 0; head < heads; ++head, x += d_head, y += d_head)
#pragma omp simd simdlen(8)  // half of a narrow head: with sixteen lanes all of it would be the remainder
    for (std::size_t i = 0; i < half; ++i) {
      const Real a = x[i], b = x[i + half], c = cos[i], s = sign * sin[i];
      y[i] = multiply_add(a, c, -b * s);
      y[i + half] = multiply_add(a, s, b * c);
    }
}

}  // namespace headlight::kernels::this_level

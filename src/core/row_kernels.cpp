#include "headlight/core/row_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "vector_math.h"
#include "vectors.h"

namespace headlight::inline HEADLIGHT_PRECISION::kernels {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// What to subtract before exp. A row of -∞ has no maximum to speak of; e^-∞ is 0 as it is, and a NaN among
// them is not lost.
Real shift_of(Real max) { return max == -kInfinity ? 0 : max; }

// join(…) over the lanes of a vector: the upper half with the lower, and so on, so that a row of sixteen
// lanes ends in four steps and not in fifteen.
template <class Join, std::size_t... I>
Real across(const Vector<2 * sizeof...(I)>& x, Join join, std::index_sequence<I...>) {
  constexpr std::size_t kHalf = sizeof...(I);
  if constexpr (kHalf == 1) {
    return join(x[0], x[1]);
  } else {
    const Vector<kHalf> low = __builtin_shufflevector(x, x, I...),
                        high = __builtin_shufflevector(x, x, (kHalf + I)...);
    return across(join(low, high), join, std::make_index_sequence<kHalf / 2>());
  }
}

template <class Join>
Real across(const Vector<kLanes>& x, Join join) {
  return across(x, join, std::make_index_sequence<kLanes / 2>());
}

// Σ term(x_i, y_i, …) over rows x, y, …; term takes numbers, and vectors of them.
template <class Term, class... Row>
Real sum_of(std::size_t width, Term term, const Row*... row) {
  Vector<kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= width; i += kLanes) lanes += term(load<kLanes>(row + i)...);
  Real sum = across(lanes, [](auto a, auto b) { return a + b; });
  for (; i < width; ++i) sum += term(row[i]...);
  return sum;
}

}  // namespace

Real max_row(const Real* x, std::size_t width) {
  Vector<kLanes> lanes = Vector<kLanes>{} - kInfinity;
  std::size_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    const Vector<kLanes> next = load<kLanes>(x + i);
    lanes = lanes > next ? lanes : next;
  }
  Real max = across(lanes, [](auto a, auto b) { return a > b ? a : b; });
  for (; i < width; ++i) max = max > x[i] ? max : x[i];
  return max;
}

Real sum_row(const Real* x, std::size_t width) {
  constexpr std::size_t kChunk = 1024;  // few enough that rounding in a lane does not build up
  double total = 0;
  for (std::size_t at = 0; at < width; at += kChunk) {
    const std::size_t end = std::min(width, at + kChunk);
    total += static_cast<double>(sum_of(
        end - at, [](auto a) { return a; }, x + at));
  }
  return static_cast<Real>(total);
}

Real dot_row(const Real* x, const Real* y, std::size_t width) {
  return sum_of(
      width, [](auto a, auto b) { return a * b; }, x, y);
}

std::size_t argmax_row(const Real* x, std::size_t width) {
  return static_cast<std::size_t>(std::max_element(x, x + width) - x);
}

// Here and below y may be x. `omp simd` says that no number waits for another; without it clang takes one at
// a time when they overlap.
void softmax_row(const Real* x, Real* y, std::size_t width) {
  const Real shift = shift_of(max_row(x, width));
#pragma omp simd
  for (std::size_t i = 0; i < width; ++i) y[i] = vector_math::exp(x[i] - shift);
  const Real sum = sum_row(y, width);
  const Real scale = sum == 0 ? 0 : 1 / sum;
  for (std::size_t i = 0; i < width; ++i) y[i] *= scale;
}

void softmax_row_vjp(const Real* y, const Real* dy, Real* dx, std::size_t width) {
  const Real dot = dot_row(y, dy, width);
#pragma omp simd
  for (std::size_t i = 0; i < width; ++i) dx[i] = y[i] * (dy[i] - dot);
}

Real exp_sum_row(const Real* x, Real shift, Real* y, std::size_t width) {
#pragma omp simd
  for (std::size_t i = 0; i < width; ++i) y[i] = vector_math::exp(x[i] - shift);
  return sum_row(y, width);
}

Real log_sum_exp_row(const Real* x, std::size_t width) {
  const Real shift = shift_of(max_row(x, width));
  std::array<Real, 256> part;
  Real sum = 0;
  for (std::size_t at = 0; at < width; at += part.size())
    sum += exp_sum_row(x + at, shift, part.data(), std::min(width - at, part.size()));
  return shift + std::log(sum);
}

void exp_row(const Real* x, Real shift, Real weight, Real* y, std::size_t width) {
#pragma omp simd
  for (std::size_t i = 0; i < width; ++i) y[i] = weight * vector_math::exp(x[i] - shift);
}

void layer_norm_rows(const Real* x, const Real* w, const Real* b, Real eps, Real* y, Real* mean, Real* rstd,
                     std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, y += width) {
    const Real mu = sum_row(x, width) / static_cast<Real>(width);
    const Real squares = sum_of(
        width, [mu](auto a) { return (a - mu) * (a - mu); }, x);
    const Real r = 1 / std::sqrt(squares / static_cast<Real>(width) + eps);
    mean[i] = mu;
    rstd[i] = r;
    for (std::size_t j = 0; j < width; ++j) y[j] = (x[j] - mu) * r;
    if (w != nullptr)
      for (std::size_t j = 0; j < width; ++j) y[j] *= w[j];
    if (b != nullptr)
      for (std::size_t j = 0; j < width; ++j) y[j] += b[j];
  }
}

void layer_norm_rows_vjp(const Real* x, const Real* w, const Real* mean, const Real* rstd, const Real* dy,
                         Real* dx, Real* dw, Real* db, std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, dy += width) {
    const Real mu = mean[i], r = rstd[i];
    if (dw != nullptr)
      for (std::size_t j = 0; j < width; ++j) dw[j] += dy[j] * (x[j] - mu) * r;
    if (db != nullptr)
      for (std::size_t j = 0; j < width; ++j) db[j] += dy[j];
    if (dx == nullptr) continue;
    Real sum_t, sum_tx;
    if (w != nullptr) {
      sum_t = dot_row(dy, w, width);
      sum_tx = sum_of(
          width, [mu](auto a, auto b, auto c) { return a * b * (c - mu); }, dy, w, x);
    } else {
      sum_t = sum_row(dy, width);
      sum_tx = sum_of(
          width, [mu](auto a, auto c) { return a * (c - mu); }, dy, x);
    }
    const Real mean_t = sum_t / static_cast<Real>(width);
    const Real slope = sum_tx * r * r / static_cast<Real>(width);  // mean(t ⊙ x̂)·rstd
    for (std::size_t j = 0; j < width; ++j)
      dx[j] = r * ((w != nullptr ? dy[j] * w[j] : dy[j]) - mean_t - (x[j] - mu) * slope);
    dx += width;
  }
}

void rotate_row(const Real* x, const Real* cos, const Real* sin, Real sign, Real* y, std::size_t width) {
  const std::size_t half = width / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const Real a = x[i], b = x[i + half], c = cos[i], s = sign * sin[i];
    y[i] = a * c - b * s;
    y[i + half] = b * c + a * s;
  }
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::kernels

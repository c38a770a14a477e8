#include "headlight/core/row_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vector_math.h"

namespace headlight::kernels {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// What to subtract before exp. A row of -∞ has no maximum to speak of; e^-∞ is 0 as it is, and a NaN among
// them is not lost.
Real shift_of(Real max) { return max == -kInfinity ? 0 : max; }

}  // namespace

Real max_row(const Real* x, std::size_t width) {
  // Lanes by hand: an OpenMP max reduction may start from the lowest finite number instead of -∞.
  constexpr std::size_t kLanes = 16;
  Real lanes[kLanes];
  std::fill_n(lanes, kLanes, -kInfinity);
  std::size_t i = 0;
  for (; i + kLanes <= width; i += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = lanes[k] > x[i + k] ? lanes[k] : x[i + k];
  for (std::size_t k = 0; i < width; ++i, ++k) lanes[k] = lanes[k] > x[i] ? lanes[k] : x[i];
  return *std::max_element(lanes, lanes + kLanes);
}

Real sum_row(const Real* x, std::size_t width) {
  constexpr std::size_t kChunk = 1024;  // few enough that rounding in a lane does not build up
  double total = 0;
  for (std::size_t at = 0; at < width; at += kChunk) {
    const std::size_t end = std::min(width, at + kChunk);
    Real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = at; i < end; ++i) sum += x[i];
    total += static_cast<double>(sum);
  }
  return static_cast<Real>(total);
}

std::size_t argmax_row(const Real* x, std::size_t width) {
  return static_cast<std::size_t>(std::max_element(x, x + width) - x);
}

void softmax_row(const Real* x, Real* y, std::size_t width) {
  const Real shift = shift_of(max_row(x, width));
  for (std::size_t i = 0; i < width; ++i) y[i] = vector_math::exp(x[i] - shift);
  const Real sum = sum_row(y, width);
  const Real scale = sum == 0 ? 0 : 1 / sum;
  for (std::size_t i = 0; i < width; ++i) y[i] *= scale;
}

void softmax_row_vjp(const Real* y, const Real* dy, Real* dx, std::size_t width) {
  Real dot = 0;
#pragma omp simd reduction(+ : dot)
  for (std::size_t i = 0; i < width; ++i) dot += y[i] * dy[i];
  for (std::size_t i = 0; i < width; ++i) dx[i] = y[i] * (dy[i] - dot);
}

Real log_sum_exp_row(const Real* x, std::size_t width) {
  const Real shift = shift_of(max_row(x, width));
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < width; ++i) sum += vector_math::exp(x[i] - shift);
  return shift + std::log(sum);
}

Real exp_sum_row(const Real* x, Real shift, Real* y, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) y[i] = vector_math::exp(x[i] - shift);
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < width; ++i) sum += y[i];
  return sum;
}

void exp_row(const Real* x, Real shift, Real weight, Real* y, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) y[i] = weight * vector_math::exp(x[i] - shift);
}

void layer_norm_rows(const Real* x, const Real* w, const Real* b, Real eps, Real* y, Real* mean, Real* rstd,
                     std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, y += width) {
    const Real mu = sum_row(x, width) / static_cast<Real>(width);
    Real squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::size_t j = 0; j < width; ++j) squares += (x[j] - mu) * (x[j] - mu);
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
    Real sum_t = 0, sum_tx = 0;
    if (w != nullptr) {
#pragma omp simd reduction(+ : sum_t, sum_tx)
      for (std::size_t j = 0; j < width; ++j) {
        const Real t = dy[j] * w[j];
        sum_t += t;
        sum_tx += t * (x[j] - mu);
      }
    } else {
#pragma omp simd reduction(+ : sum_t, sum_tx)
      for (std::size_t j = 0; j < width; ++j) {
        sum_t += dy[j];
        sum_tx += dy[j] * (x[j] - mu);
      }
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

}  // namespace headlight::kernels

#include "kernels.h"
#include "vectors.h"

namespace headlight::kernels::this_level {

void layer_norm_rows(const Real* x, const Real* w, const Real* b, Real eps, Real* y, Real* mean, Real* rstd,
                     std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, y += width) {
    const Real first = x[0];
    const Real mu = sum_of(
                        width, [first](auto sum, auto a) { return sum + (a - first); }, x) /
                    static_cast<Real>(width);
    const Real squares = sum_of(
        width, [=](auto sum, auto a) { return multiply_add((a - first) - mu, (a - first) - mu, sum); }, x);
    const Real r = 1 / sqrt(squares / static_cast<Real>(width) + eps);
    mean[i] = mu;
    rstd[i] = r;
    for (std::size_t j = 0; j < width; ++j) y[j] = ((x[j] - first) - mu) * r;
    if (w != nullptr)
      for (std::size_t j = 0; j < width; ++j) y[j] *= w[j];
    if (b != nullptr)
      for (std::size_t j = 0; j < width; ++j) y[j] += b[j];
  }
}

void layer_norm_rows_vjp(const Real* x, const Real* w, const Real* mean, const Real* rstd, const Real* dy,
                         Real* dx, Real* dw, Real* db, std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, dy += width) {
    const Real first = x[0], mu = mean[i], r = rstd[i];
    if (dw != nullptr)
      for (std::size_t j = 0; j < width; ++j) dw[j] = multiply_add(dy[j], ((x[j] - first) - mu) * r, dw[j]);
    if (db != nullptr)
      for (std::size_t j = 0; j < width; ++j) db[j] += dy[j];
    if (dx == nullptr) continue;
    Real sum_t, sum_tx;
    if (w != nullptr) {
      sum_t = dot_row(dy, w, width);
      sum_tx = sum_of(
          width, [=](auto sum, auto a, auto b, auto c) { return multiply_add(a * b, (c - first) - mu, sum); },
          dy, w, x);
    } else {
      sum_t = sum_row(dy, width);
      sum_tx = sum_of(
          width, [=](auto sum, auto a, auto c) { return multiply_add(a, (c - first) - mu, sum); }, dy, x);
    }
    const Real mean_t = sum_t / static_cast<Real>(width);
    const Real slope = sum_tx * r * r / static_cast<Real>(width);  // mean(t ⊙ x̂)·rstd
    for (std::size_t j = 0; j < width; ++j) {
      const Real t = w != nullptr ? dy[j] * w[j] : dy[j];
      dx[j] = r * (t - multiply_add((x[j] - first) - mu, slope, mean_t));
    }
    dx += width;
  }
}

void rms_norm_rows(const Real* x, const Real* w, Real eps, Real* y, Real* r, std::size_t rows,
                   std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, y += width) {
    const Real factor = 1 / sqrt(dot_row(x, x, width) / static_cast<Real>(width) + eps);
    r[i] = factor;
    for (std::size_t j = 0; j < width; ++j) y[j] = x[j] * factor;
    if (w != nullptr)
      for (std::size_t j = 0; j < width; ++j) y[j] *= w[j];
  }
}

void rms_norm_rows_vjp(const Real* x, const Real* w, const Real* r, const Real* dy, Real* dx, Real* dw,
                       std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, dy += width) {
    const Real factor = r[i];
    if (dw != nullptr)
      for (std::size_t j = 0; j < width; ++j) dw[j] = multiply_add(dy[j], x[j] * factor, dw[j]);
    if (dx == nullptr) continue;
    const Real sum_tx =
        w == nullptr
            ? dot_row(dy, x, width)
            : sum_of(
                  width, [](auto sum, auto a, auto b, auto c) { return multiply_add(a * b, c, sum); }, dy, w,
                  x);
    const Real slope = sum_tx * factor * factor / static_cast<Real>(width);  // mean(t ⊙ x̂)·r
    for (std::size_t j = 0; j < width; ++j) {
      const Real t = w != nullptr ? dy[j] * w[j] : dy[j];
      dx[j] = factor * multiply_add(-x[j], slope, t);
    }
    dx += width;
  }
}

}  // namespace headlight::kernels::this_level

#include "kernels.h"
#include "vector_math.h"
#include "vectors.h"

// Rows are short, so a loop along one must not begin with a test whether its arrays overlap, as the
// compiler's own vectors do: vector_math::map has none.
namespace headlight::kernels::this_level {
namespace {

using vector_math::map;

// y ⊙ w + b, in place.
void scale_and_shift(const Real* w, const Real* b, Real* y, std::size_t width) {
  if (w != nullptr)
    map(
        width, y, [](auto a, auto of) { return a * of; }, y, w);
  if (b != nullptr)
    map(
        width, y, [](auto a, auto of) { return a + of; }, y, b);
}

}  // namespace

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
    const auto normal = [=](auto a) { return ((a - first) - mu) * r; };
    if (w != nullptr && b != nullptr) {
      map(
          width, y, [=](auto a, auto scale, auto shift) { return normal(a) * scale + shift; }, x, w, b);
    } else {
      map(width, y, normal, x);
      scale_and_shift(w, b, y, width);
    }
  }
}

void layer_norm_rows_vjp(const Real* x, const Real* w, const Real* mean, const Real* rstd, const Real* dy,
                         Real* dx, Real* dw, Real* db, std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, dy += width) {
    const Real first = x[0], mu = mean[i], r = rstd[i];
    if (dw != nullptr)
      map(
          width, dw, [=](auto sum, auto g, auto a) { return multiply_add(g, ((a - first) - mu) * r, sum); },
          dw, dy, x);
    if (db != nullptr)
      map(
          width, db, [](auto sum, auto g) { return sum + g; }, db, dy);
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
    const auto vjp = [=](auto t, auto a) {
      return r * (t - multiply_add((a - first) - mu, broadcast<kLanes>(slope), broadcast<kLanes>(mean_t)));
    };
    if (w != nullptr)
      map(
          width, dx, [=](auto g, auto a, auto scale) { return vjp(g * scale, a); }, dy, x, w);
    else
      map(width, dx, vjp, dy, x);
    dx += width;
  }
}

void rms_norm_rows(const Real* x, const Real* w, Real eps, Real* y, Real* r, std::size_t rows,
                   std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, y += width) {
    const Real factor = 1 / sqrt(dot_row(x, x, width) / static_cast<Real>(width) + eps);
    r[i] = factor;
    map(
        width, y, [=](auto a) { return a * factor; }, x);
    scale_and_shift(w, nullptr, y, width);
  }
}

void rms_norm_rows_vjp(const Real* x, const Real* w, const Real* r, const Real* dy, Real* dx, Real* dw,
                       std::size_t rows, std::size_t width) {
  for (std::size_t i = 0; i < rows; ++i, x += width, dy += width) {
    const Real factor = r[i];
    if (dw != nullptr)
      map(
          width, dw, [=](auto sum, auto g, auto a) { return multiply_add(g, a * factor, sum); }, dw, dy, x);
    if (dx == nullptr) continue;
    const Real sum_tx =
        w == nullptr
            ? dot_row(dy, x, width)
            : sum_of(
                  width, [](auto sum, auto a, auto b, auto c) { return multiply_add(a * b, c, sum); }, dy, w,
                  x);
    const Real slope = sum_tx * factor * factor / static_cast<Real>(width);  // mean(t ⊙ x̂)·r
    const auto vjp = [=](auto t, auto a) { return factor * multiply_add(-a, broadcast<kLanes>(slope), t); };
    if (w != nullptr)
      map(
          width, dx, [=](auto g, auto a, auto scale) { return vjp(g * scale, a); }, dy, x, w);
    else
      map(width, dx, vjp, dy, x);
    dx += width;
  }
}

}  // namespace headlight::kernels::this_level

// What learners write instead of measured_vjp and gradient_check.
#pragma once

#include <algorithm>
#include <cmath>

#include "functions.h"
#include "headlight/ops/ops.h"

namespace mistakes {

inline constexpr double h = 1e-5;

// measured_vjp with another quotient: slope(loss, x_i), where loss(number) puts a number in the place of x_i.
template <class Slope>
Tensor each_slope(const Forward& f, const Tensor& x, const Tensor& u, Slope slope) {
  Array moved = x.array(), slopes = moved;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const auto loss = [&](double number) {
      moved.data()[i] = number;
      return sum(u * f(Tensor(moved))).item();
    };
    slopes.data()[i] = slope(loss, x.array().data()[i]);
    moved.data()[i] = x.array().data()[i];
  }
  return Tensor(slopes);
}

inline Tensor measured_forward(const Forward& f, const Tensor& x, const Tensor& u) {
  return each_slope(f, x, u, [](auto loss, double here) { return (loss(here + h) - loss(here)) / h; });
}
inline Tensor measured_over_h(const Forward& f, const Tensor& x, const Tensor& u) {
  return each_slope(f, x, u, [](auto loss, double here) { return (loss(here + h) - loss(here - h)) / h; });
}
inline Tensor measured_turned(const Forward& f, const Tensor& x, const Tensor& u) {
  return each_slope(f, x, u,
                    [](auto loss, double here) { return (loss(here - h) - loss(here + h)) / (2 * h); });
}
inline Tensor measured_without_u(const Forward& f, const Tensor& x, const Tensor& u) {
  return solution::measured_vjp(f, x, ones(u.shape()));
}
inline Tensor measured_mean(const Forward& f, const Tensor& x, const Tensor& u) {
  return solution::measured_vjp(f, x, u) / static_cast<double>(u.size());
}
inline Tensor measured_not_put_back(const Forward& f, const Tensor& x, const Tensor& u) {
  Array moved = x.array(), slopes = moved;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved.data()[i] += h;
    const double above = sum(u * f(Tensor(moved))).item();
    moved.data()[i] -= 2 * h;
    const double below = sum(u * f(Tensor(moved))).item();
    slopes.data()[i] = (above - below) / (2 * h);
  }
  return Tensor(slopes);
}
inline Tensor measured_all_at_once(const Forward& f, const Tensor& x, const Tensor& u) {
  const double above = sum(u * f(x + h)).item(), below = sum(u * f(x - h)).item();
  return full(x.shape(), (above - below) / (2 * h));
}

// gradient_check with another judge of the numbers claimed and measured, which are given as two arrays.
template <class Judge>
bool judged(const Forward& f, const Backward& vjp, const Tensor& x, Judge judge) {
  Rng rng(1);
  const Tensor u = randn(f(x).shape(), rng);
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, u).array();
  return claimed.shape() == measured.shape() && judge(claimed, measured);
}

inline double largest(const Array& a) {
  double found = 0;
  for (double number : a) found = std::max(found, std::abs(number));
  return found;
}

// Whether wrong(claimed, measured, tolerance) is true of no number.
template <class Wrong>
bool none(const Array& claimed, const Array& measured, Wrong wrong) {
  const double tolerance = 1e-9 + 1e-6 * largest(measured);
  for (std::size_t i = 0; i < claimed.size(); ++i)
    if (wrong(claimed.data()[i], measured.data()[i], tolerance)) return false;
  return true;
}

inline bool check_with_ones(const Forward& f, const Backward& vjp, const Tensor& x) {
  const Tensor u = ones(f(x).shape());
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, u).array();
  return claimed.shape() == measured.shape() &&
         none(claimed, measured, [](double c, double m, double t) { return !(std::abs(c - m) <= t); });
}
inline bool check_two_cotangents(const Forward& f, const Backward& vjp, const Tensor& x) {
  Rng rng(1);
  const Tensor u = randn(f(x).shape(), rng), v = randn(f(x).shape(), rng);
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, v).array();
  return claimed.shape() == measured.shape() &&
         none(claimed, measured, [](double c, double m, double t) { return !(std::abs(c - m) <= t); });
}
inline bool check_fixed_tolerance(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured, [](double c, double m, double) { return !(std::abs(c - m) <= 1e-6); });
  });
}
inline bool check_each_by_itself(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured,
                [](double c, double m, double) { return !(std::abs(c - m) <= 1e-6 * std::abs(m)); });
  });
}
inline bool check_signed(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured, [](double c, double m, double t) { return !(c - m <= t); });
  });
}
inline bool check_sizes(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured,
                [](double c, double m, double t) { return !(std::abs(std::abs(c) - std::abs(m)) <= t); });
  });
}
inline bool check_nan_passes(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    return none(claimed, measured, [](double c, double m, double t) { return std::abs(c - m) > t; });
  });
}
inline bool check_first_number(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    const double tolerance = 1e-9 + 1e-6 * largest(measured);
    return std::abs(claimed.data()[0] - measured.data()[0]) <= tolerance;
  });
}
inline bool check_sums(const Forward& f, const Backward& vjp, const Tensor& x) {
  return judged(f, vjp, x, [](const Array& claimed, const Array& measured) {
    const double c = sum(Tensor(claimed)).item(), m = sum(Tensor(measured)).item();
    return std::abs(c - m) <= 1e-9 + 1e-6 * largest(measured);
  });
}
inline bool check_any_shape(const Forward& f, const Backward& vjp, const Tensor& x) {
  Rng rng(1);
  const Tensor u = randn(f(x).shape(), rng);
  const Tensor measured = solution::measured_vjp(f, x, u), error = abs(vjp(u, x) - measured);
  return max(error).item() <= 1e-9 + 1e-6 * largest(measured.array());
}

}  // namespace mistakes

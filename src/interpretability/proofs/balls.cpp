#include "headlight/interpret/balls.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/core/check.h"
#include "headlight/core/math.h"

namespace headlight::interpret {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kUnderflow = 1e-300;  // far above what an underflow loses, far below what matters
constexpr double kLargest = 1e300;     // sums of a few such numbers do not overflow

double gamma(std::size_t products) {
  const double part = static_cast<double>(products) * kUnit;
  return part / (1 - part);
}

// Covers the rounding of the radius itself, and what underflows. After an overflow, as in ∞·0, it is ∞.
double enlarged(double radius) {
  return radius <= kLargest ? radius * 1.001 + kUnderflow : std::numeric_limits<double>::infinity();
}

// Mean and variance of a row, which becomes the deviations from the mean where the norm takes it off.
Ball mean_of(const double* center, const double* radius, std::size_t d) {
  double sum = 0, spread = 0, sizes = 0;
  for (std::size_t i = 0; i < d; ++i) sum += center[i], spread += radius[i], sizes += std::abs(center[i]);
  const auto n = static_cast<double>(d);
  return {sum / n, enlarged((spread + gamma(d + 2) * sizes) / n)};
}

Ball mean_square_of(const double* center, const double* radius, std::size_t d) {
  double sum = 0, spread = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const double c = std::abs(center[i]);
    sum += c * c;
    spread += (2 * c + radius[i]) * radius[i] + gamma(d + 3) * c * c;
  }
  const auto n = static_cast<double>(d);
  return {sum / n, enlarged(spread / n)};
}

// 1/√(v + eps) over the ball v of numbers that are not negative.
Ball inverse_root(const Ball& v, double eps) {
  const auto of = [&](double number) { return 1 / std::sqrt(number + eps); };
  const double center = of(v.center), lowest = of(v.center + v.radius);
  const double highest = of(std::max(v.center - v.radius, 0.0));
  // Where the lower end is cut off at 0, the other side can be the longer one.
  return {center, enlarged(std::max(highest - center, center - lowest) + 8 * kUnit * highest)};
}

void norm_row(double* center, double* radius, std::size_t d, const nn::Norm& norm) {
  if (norm.kind == nn::NormKind::layer) {
    const Ball mean = mean_of(center, radius, d);
    for (std::size_t i = 0; i < d; ++i) {
      center[i] -= mean.center;
      radius[i] = enlarged(radius[i] + mean.radius + kUnit * std::abs(center[i]));
    }
  }
  const Ball inverse = inverse_root(mean_square_of(center, radius, d), norm.eps);
  const Array& w = norm.w.array();
  for (std::size_t i = 0; i < d; ++i) {
    const auto gain = static_cast<double>(w(i));
    const double shift = norm.b.defined() ? static_cast<double>(norm.b.array()(i)) : 0;
    const double size = std::abs(center[i]);
    const double y = center[i] * inverse.center * gain;
    const double spread = size * inverse.radius + radius[i] * (inverse.center + inverse.radius);
    radius[i] = std::abs(gain) * (spread + kUnderflow);
    center[i] = y + shift;
    radius[i] = enlarged(radius[i] + kUnit * (3 * std::abs(y) + std::abs(center[i])));
  }
}

}  // namespace

ExactMatrix::ExactMatrix(const Tensor& matrix) {
  if (!matrix.defined()) return;
  const Array& numbers = matrix.array();
  cols = numbers.shape().back(), rows = numbers.size() / cols;
  values.assign(numbers.begin(), numbers.end());
  for (const double x : values) sizes.push_back(std::abs(x));
}

Balls add(Balls x, const Balls& y) {
  for (std::size_t i = 0; i < x.center.size(); ++i) {
    x.center[i] += y.center[i];
    x.radius[i] = enlarged(x.radius[i] + y.radius[i] + kUnit * std::abs(x.center[i]));
  }
  return x;
}

Balls linear(const Balls& x, const ExactMatrix& W, const ExactMatrix& b) {
  Balls y(x.rows, W.cols);
  const double g = gamma(W.rows + 1);
  for (std::size_t r = 0; r < x.rows; ++r) {
    double *center = &y.center[r * W.cols], *radius = &y.radius[r * W.cols];
    for (std::size_t k = 0; k < W.rows; ++k) {
      const double c = x.center[r * W.rows + k];
      const double spread = x.radius[r * W.rows + k] + g * std::abs(c) + kUnderflow;
      const double *w = &W.values[k * W.cols], *size = &W.sizes[k * W.cols];
      for (std::size_t j = 0; j < W.cols; ++j) {
        center[j] += c * w[j];
        radius[j] += spread * size[j];
      }
    }
    for (std::size_t j = 0; j < W.cols; ++j) {
      if (b.cols > 0) center[j] += b.values[j], radius[j] += kUnit * std::abs(center[j]);
      radius[j] = enlarged(radius[j]);
    }
  }
  return y;
}

Balls norm(Balls x, const nn::Norm& norm) {
  if (norm.kind == nn::NormKind::none) return x;
  for (std::size_t r = 0; r < x.rows; ++r)
    norm_row(&x.center[r * x.cols], &x.radius[r * x.cols], x.cols, norm);
  return x;
}

BallSpan span(const Balls& x, std::size_t row, std::size_t first, std::size_t size) {
  const std::size_t at = row * x.cols + first;
  return {&x.center[at], &x.radius[at], size};
}

Ball scaled_dot(const BallSpan& x, const BallSpan& y, double factor) {
  double sum = 0, spread = 0, sizes = 0;
  for (std::size_t i = 0; i < x.size; ++i) {
    const double a = std::abs(x.center[i]), b = std::abs(y.center[i]);
    sum += x.center[i] * y.center[i];
    sizes += a * b;
    spread += a * y.radius[i] + x.radius[i] * (b + y.radius[i]);
  }
  const double size = spread + (gamma(x.size) + 3 * kUnit) * sizes;
  return {sum * factor, enlarged(size * std::abs(factor))};
}

// Scores that move by up to r change a weight by a factor of at most e^(r + the largest r). The rounding of
// s - max counts as such a move, as do those of exp, of the sum and of the division.
void softmax(std::vector<Ball>& scores) {
  double highest = scores[0].center, lowest = highest, most = 0, sum = 0;
  for (const Ball& s : scores) {
    highest = std::max(highest, s.center), lowest = std::min(lowest, s.center);
    most = std::max(most, s.radius);
  }
  const double rounded = kUnit * (2 * (highest - lowest) + static_cast<double>(scores.size()) + 8);
  for (Ball& s : scores) {
    s.center = math::exp(s.center - highest);
    s.radius += most + rounded;
    sum += s.center;
  }
  for (Ball& s : scores) {
    s.center /= sum;
    const double size = s.center + 1e-307;  // of a weight that underflowed as well
    s.radius = s.radius <= 700 ? std::min(1.0, enlarged(size * math::expm1(s.radius))) : 1;
  }
}

// With w ± r and x ± s a product is off by at most (γ|w| + r)|x| + (|w| + r)s.
void add_multiple(const Ball& weight, const BallSpan& x, std::size_t terms, double* sum, double* radius) {
  const double by = std::abs(weight.center), of_radius = enlarged(by + weight.radius);
  const double of_size = enlarged(by * gamma(terms + 1) + weight.radius);
  for (std::size_t i = 0; i < x.size; ++i) {
    sum[i] += weight.center * x.center[i];
    radius[i] += of_size * std::abs(x.center[i]) + of_radius * (x.radius[i] + kUnderflow) + kUnderflow;
  }
}

Lead lead_of(const BallSpan& x, std::size_t first) {
  double high = -std::numeric_limits<double>::infinity(), low = high;
  for (std::size_t i = 0; i < x.size; ++i) {
    if (i == first) continue;
    high = std::max(high, x.center[i] + x.radius[i]);
    low = std::max(low, x.center[i] - x.radius[i]);
  }
  const double c = x.center[first], r = x.radius[first];
  const double rounding = 8 * kUnit * (std::abs(c) + r + std::abs(high) + std::abs(low));
  return {c - r - high - rounding, c + r - low + rounding};
}

void check_no_overflow(const Balls& x) {
  for (std::size_t i = 0; i < x.center.size(); ++i)
    check(
        std::abs(x.center[i]) + x.radius[i] <= kLargest,
        "[certify] expected numbers below 1e+300, got one that is too large for double precision. Hint: the "
        "weights of the model are too large for a bound on rounding.");
}

}  // namespace headlight::interpret

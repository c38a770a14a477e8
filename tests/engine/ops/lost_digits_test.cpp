// Ops whose formulas subtract numbers that are nearly equal, over the whole range where the result is a
// float: compared with the same formulas in double.
#include <cmath>
#include <numeric>
#include <vector>

#include "catch.h"
#include "headlight/autograd/autograd.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

using Doubles = std::vector<double>;

// Numbers that a float holds, around `centre`, as far from each other as `gap`.
Doubles row_around(double centre, double gap, std::size_t width) {
  Doubles row(width);
  for (std::size_t i = 0; i < width; ++i)
    row[i] = static_cast<double>(static_cast<Real>(centre + gap * std::sin(static_cast<double>(7 * i + 1))));
  return row;
}

Tensor tensor_of(const Doubles& row) {
  Array x = empty_array({1, row.size()});
  std::copy(row.begin(), row.end(), x.begin());
  return parameter(x);
}

// p = e^x_i / Σ e^x, -log p and 1 - p, with sums over the others.
struct Softmax {
  Doubles share, minus_log, missing;
};
Softmax softmax_in_double(const Doubles& row) {
  Softmax s;
  for (std::size_t i = 0; i < row.size(); ++i) {
    double others = 0;
    for (std::size_t j = 0; j < row.size(); ++j) others += i == j ? 0 : std::exp(row[j] - row[i]);
    s.share.push_back(1 / (1 + others));
    s.minus_log.push_back(std::log1p(others));
    s.missing.push_back(std::isinf(others) ? 1 : others / (1 + others));
  }
  return s;
}

constexpr double kNear = std::is_same_v<Real, float> ? 1e-5 : 1e-13;

// Equal up to `kNear` of the number, since a difference of 80 between two logits is exact to that; numbers
// that a float hardly holds are 0.
void check_equal(double got, double right) {
  INFO("got " << got << ", right " << right);
  CHECK(std::abs(got - right) <= kNear * std::abs(right) + 1e-37);
}

}  // namespace

TEST_CASE("losses of any logits are exact to a few digits of a float", "[ops][softmax]") {
  for (const double centre : {0., 1e4, -1e4, 1e8, -1e10, 1e30})
    for (const double gap : {0., 1e-6, 0.3, 10., 40., 1e4})
      for (const std::size_t width : {2, 3, 17, 300}) {
        const Doubles row = row_around(centre, gap, width);
        const Softmax right = softmax_in_double(row);
        const Tensor x = tensor_of(row), log_p = log_softmax(x);
        INFO("around " << centre << ", gap " << gap << ", width " << width);
        for (std::size_t i = 0; i < width; i += 1 + width / 5) {
          if (right.minus_log[i] > 1e37) continue;
          check_equal(log_p.array()(0, i), -right.minus_log[i]);
          const Tensor loss = cross_entropy(x, IntArray{static_cast<std::int32_t>(i)});
          check_equal(loss.item(), right.minus_log[i]);
          const Array g = grad(loss, {x})[0].array();
          check_equal(g(0, i), -right.missing[i]);
          const std::size_t other = (i + 1) % width;
          check_equal(g(0, other), right.share[other]);
        }
      }
}

TEST_CASE("a row of 10000 and a little is normalised to a few digits of a float", "[ops]") {
  for (const double centre : {0., 1e4, -1e6})
    for (const std::size_t width : {2, 16, 100}) {
      Doubles row(width);
      for (std::size_t i = 0; i < width; ++i) row[i] = centre + static_cast<double>((5 * i) % width) / 8;
      const auto n = static_cast<double>(width);
      const double mean = std::accumulate(row.begin(), row.end(), 0.) / n;
      double variance = 0;
      for (const double a : row) variance += (a - mean) * (a - mean) / n;
      const Tensor x = tensor_of(row);
      const double eps = 1e-5;
      INFO("around " << centre << ", width " << width);
      check_equal(var(x).item(), variance);
      for (const Tensor& y : {layer_norm(x, {}, {}, eps), reference::layer_norm(x, {}, {}, eps)})
        for (std::size_t i = 0; i < width; ++i) {
          const double right = (row[i] - mean) / std::sqrt(variance + eps);
          CHECK(std::abs(y.array()(0, i) - right) < 10 * kNear);
        }
    }
}

TEST_CASE("with all weight spread over the tokens a target does not count", "[ops][softmax]") {
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::int32_t target : {0, 1}) {
    const Tensor logits = tensor({{-inf, 0., 0.}});
    const CrossEntropyOptions options{.label_smoothing = 1};
    CHECK(cross_entropy(logits, IntArray{target}, options).item() == inf);
    CHECK(reference::cross_entropy(logits, IntArray{target}, options).item() == inf);
  }
}

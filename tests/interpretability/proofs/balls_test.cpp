// Balls against exact arithmetic, where numbers cancel, underflow and swallow each other. A radius may
// neither be too small nor larger than it must be.
#include "headlight/interpret/balls.h"

#include <functional>

#include "catch.h"
#include "dyadic.h"
#include "property.h"

using namespace headlight;
using namespace headlight::interpret;

namespace {

constexpr double kUnit = 0x1p-53, kTiny = 1e-299;

double picked(Rng& rng, const std::vector<double>& from) { return from[rng.below(from.size())]; }

// Between a power of two and the next.
double drawn(Rng& rng, const std::vector<double>& powers) {
  const double size = std::ldexp(1 + rng.uniform(), static_cast<int>(picked(rng, powers)));
  return rng.below(2) == 0 ? size : -size;
}

const std::vector<double> kPowers = {-1074, -1000, -540, -60, -10, -8, -1, 0, 0, 1, 5, 47, 52, 53, 54, 300};
const std::vector<double> kFloatPowers = {-149, -126, -30, -1, 0, 0, 0, 1, 24, 47, 126};

// Centres that may cancel others exactly, or all but their last bit; radii from none to far above the centre.
Balls drawn_balls(Rng& rng, std::size_t rows, std::size_t cols) {
  Balls x(rows, cols);
  for (std::size_t i = 0; i < x.center.size(); ++i) {
    double& c = x.center[i] = drawn(rng, kPowers);
    if (i > 0 && rng.below(3) == 0) c = -x.center[rng.below(i)];
    if (rng.below(4) == 0) c = std::nextafter(c, picked(rng, {-1e300, 1e300}));
    if (rng.below(8) == 0) c = 0;
    x.radius[i] = std::abs(c) * picked(rng, {0, 0, 0x1p-53, 0x1p-20, 1, 2, 0x1p40});
    if (rng.below(6) == 0) x.radius[i] = std::abs(drawn(rng, kPowers));
  }
  return x;
}

Tensor drawn_weights(Rng& rng, const Shape& shape) {
  Array w(shape);
  for (Real& x : w) x = rng.below(8) == 0 ? 0 : static_cast<Real>(drawn(rng, kFloatPowers));
  return Tensor(std::move(w));
}

using Numbers = std::vector<Dyadic>;

// Calls f with numbers of the balls: each at its centre and its two ends, in all combinations.
void each_choice(const std::vector<double>& center, const std::vector<double>& radius,
                 const std::function<void(const Numbers&)>& f) {
  std::size_t choices = 1;
  for (std::size_t i = 0; i < center.size(); ++i) choices *= radius[i] > 0 ? 3 : 1;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    Numbers x;
    std::size_t rest = choice;
    for (std::size_t i = 0; i < center.size(); ++i) {
      const double end = radius[i] > 0 ? static_cast<double>(rest % 3) - 1 : 0;
      if (radius[i] > 0) rest /= 3;
      x.push_back(Dyadic(center[i]) + Dyadic(end) * Dyadic(radius[i]));
    }
    f(x);
  }
}

Numbers exact(const Tensor& t) {
  Numbers all;
  if (t.defined())
    for (const Real x : t.array()) all.emplace_back(static_cast<double>(x));
  return all;
}

// What exact arithmetic gives for a ball, which has to hold it.
struct Reached {
  Ball ball;
  Dyadic farthest = 0;

  void take(const Dyadic& number) {
    const Dyadic distance = (number - ball.center).size();
    REQUIRE(distance <= ball.radius);
    if (farthest < distance) farthest = distance;
  }
  // The radius is that of the farthest number and, if anything is rounded, of so many roundings of `work`.
  void check_close(bool exact_input, double roundings, const Dyadic& work, const Dyadic& underflow) const {
    const Dyadic rounding = Dyadic(roundings * kUnit) * work;
    const Dyadic most = exact_input ? rounding : farthest + Dyadic(2) * rounding;
    REQUIRE(ball.radius <= Dyadic(1.01) * most + Dyadic(kTiny) * underflow);
  }
};

bool all_exact(const Balls& x) {
  return std::all_of(x.radius.begin(), x.radius.end(), [](double r) { return r == 0; });
}

Dyadic signed_square(const Dyadic& x) { return x * x.size(); }

// Whether number·√(factor/under) is at most `bound`, all but number and bound being positive.
bool root_at_most(const Dyadic& number, const Dyadic& factor, const Dyadic& under, const Dyadic& bound) {
  return signed_square(number) * factor <= signed_square(bound) * under;
}

// Each element of the norm of x in its ball.
void check_norm(const nn::Norm& norm, const Numbers& x, const Balls& y) {
  const Dyadic n = static_cast<double>(x.size());
  Dyadic mean_of_n = 0, squares = 0;
  const bool layer = norm.kind == nn::NormKind::layer;
  for (const Dyadic& number : x) mean_of_n = mean_of_n + number;
  Numbers deviations;  // of a layer norm times n
  for (const Dyadic& number : x) deviations.push_back(layer ? n * number - mean_of_n : number);
  for (const Dyadic& d : deviations) squares = squares + d * d;
  const Dyadic under = squares + (layer ? n * n * n : n) * Dyadic(norm.eps);
  const Numbers w = exact(norm.w), b = exact(norm.b);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Dyadic center = Dyadic(y.center[i]) - (b.empty() ? 0 : b[i]);
    REQUIRE(root_at_most(deviations[i] * w[i], n, under, center + y.radius[i]));
    REQUIRE(root_at_most(-(deviations[i] * w[i]), n, under, Dyadic(y.radius[i]) - center));
  }
}

}  // namespace

TEST_CASE("sums and products of balls hold the exact ones, and little more", "[interpret][balls]") {
  for_all(1500, [](Rng& rng, std::size_t n) {
    const Balls x = drawn_balls(rng, 1, n), other = drawn_balls(rng, 1, n);
    const Balls sum = add(x, other);
    for (std::size_t i = 0; i < n; ++i) {
      Reached reached{{sum.center[i], sum.radius[i]}};
      each_choice({x.center[i], other.center[i]}, {x.radius[i], other.radius[i]},
                  [&](const Numbers& z) { reached.take(z[0] + z[1]); });
      reached.check_close(x.radius[i] + other.radius[i] == 0, 1, Dyadic(sum.center[i]).size(), 1);
    }
    const bool biased = rng.below(2) == 0;
    const Tensor W = drawn_weights(rng, {n, 2}), b = biased ? drawn_weights(rng, {2}) : Tensor();
    const Numbers w = exact(W), shifts = exact(b);
    const Balls y = linear(x, ExactMatrix(W), ExactMatrix(b));
    for (std::size_t j = 0; j < 2; ++j) {
      Reached reached{{y.center[j], y.radius[j]}};
      Dyadic work = biased ? Dyadic(y.center[j]).size() : 0, weights = 1;
      for (std::size_t k = 0; k < n; ++k)
        work = work + (Dyadic(x.center[k]) * w[2 * k + j]).size(), weights = weights + w[2 * k + j].size();
      each_choice(x.center, x.radius, [&](const Numbers& z) {
        Dyadic number = biased ? shifts[j] : 0;
        for (std::size_t k = 0; k < n; ++k) number = number + z[k] * w[2 * k + j];
        reached.take(number);
      });
      reached.check_close(all_exact(x), static_cast<double>(n) + 1, work, weights);
    }
  });
}

TEST_CASE("products of two balls hold the exact ones, and little more", "[interpret][balls]") {
  for_all(
      1500,
      [](Rng& rng, std::size_t n) {
        const Balls x = drawn_balls(rng, 1, n), other = drawn_balls(rng, 1, n);
        const double factor = picked(rng, {1, 0.5, -1, 0x1p-60});
        Reached dot{scaled_dot(span(x, 0, 0, n), span(other, 0, 0, n), factor)};
        std::vector<double> center = x.center, radius = x.radius;
        center.insert(center.end(), other.center.begin(), other.center.end());
        radius.insert(radius.end(), other.radius.begin(), other.radius.end());
        each_choice(center, radius, [&](const Numbers& z) {
          Dyadic number = 0;
          for (std::size_t i = 0; i < n; ++i) number = number + z[i] * z[n + i];
          dot.take(number * Dyadic(factor));
        });
        Dyadic work = 0;
        for (std::size_t i = 0; i < n; ++i)
          work = work + (Dyadic(x.center[i]) * Dyadic(other.center[i]) * Dyadic(factor)).size();
        dot.check_close(all_exact(x) && all_exact(other), static_cast<double>(n) + 3, work, 1);

        // Σ weight·x over the rows of `values`
        const Balls weights = drawn_balls(rng, 1, n), values = drawn_balls(rng, n, 1);
        Ball sum{0, 0};
        Dyadic products = 0, sizes = static_cast<double>(n);
        for (std::size_t i = 0; i < n; ++i) {
          add_multiple({weights.center[i], weights.radius[i]}, span(values, i, 0, 1), n, &sum.center,
                       &sum.radius);
          products = products + (Dyadic(weights.center[i]) * Dyadic(values.center[i])).size();
          for (const Balls* balls : {&weights, &values})
            sizes = sizes + Dyadic(balls->center[i]).size() + balls->radius[i];
        }
        Reached mixed{sum};
        center = weights.center, radius = weights.radius;
        center.insert(center.end(), values.center.begin(), values.center.end());
        radius.insert(radius.end(), values.radius.begin(), values.radius.end());
        each_choice(center, radius, [&](const Numbers& z) {
          Dyadic number = 0;
          for (std::size_t i = 0; i < n; ++i) number = number + z[i] * z[n + i];
          mixed.take(number);
        });
        mixed.check_close(all_exact(weights) && all_exact(values), static_cast<double>(n) + 1, products,
                          sizes);
      },
      2);
}

TEST_CASE("a norm of balls holds the exact norms", "[interpret][balls]") {
  for_all(
      3000,
      [](Rng& rng, std::size_t n) {
        const Balls x = drawn_balls(rng, 1, n);
        nn::Norm norm(n, rng.below(2) == 0 ? nn::NormKind::layer : nn::NormKind::rms, rng.below(2) == 0);
        norm.w = drawn_weights(rng, {n});
        if (norm.b.defined()) norm.b = drawn_weights(rng, {n});
        const Balls y = interpret::norm(x, norm);
        each_choice(x.center, x.radius, [&](const Numbers& z) { check_norm(norm, z, y); });
      },
      4);
}

TEST_CASE("a norm's radius is not larger than it must be", "[interpret][balls]") {
  // With 1 ± 0.001 beside it, 2 becomes 2/√(a² + 4 …): at most 0.0002 away of 1/√(…).
  nn::Norm rms(4, nn::NormKind::rms);
  Balls x(1, 4);
  x.center = {1, 2, 0, 0}, x.radius = {1e-3, 0, 0, 0};
  const auto second = [&](double first) { return 2 / std::sqrt((first * first + 4) / 4 + rms.eps); };
  Balls y = norm(x, rms);
  CHECK(y.radius[1] < 1.01 * std::max(second(0.999) - second(1), second(1) - second(1.001)));
  // A number that is small beside the others: its own spread over the scale, which hardly moves.
  x.center = {1e-3, 2, 0, 0}, x.radius = {1e-4, 0, 0, 0};
  CHECK(norm(x, rms).radius[0] < 1.01e-4);
  // Without spread: roundings of the mean square, half of which reach the root, and of the root and products.
  for (const nn::NormKind kind : {nn::NormKind::rms, nn::NormKind::layer}) {
    x.center = {1, -1, 1, -1}, x.radius = {0, 0, 0, 0};
    y = norm(x, nn::Norm(4, kind));
    CHECK(y.radius[0] < (kind == nn::NormKind::rms ? 18 : 37) * kUnit);
  }
  // The layer norm's mean takes a quarter of each spread.
  x.center = {1e-3, 1000, -1000, 0}, x.radius = {0, 0, 0, 1e-4};
  y = norm(x, nn::Norm(4, nn::NormKind::layer));
  CHECK(y.radius[0] < 1.01 * 1e-4 / 4 / std::sqrt(500000.0));
}

TEST_CASE("weights of balls of scores hold the exact weights", "[interpret][balls]") {
  for_all(1200, [](Rng& rng, std::size_t n) {
    std::vector<Ball> scores;
    for (std::size_t i = 0; i < n; ++i)
      scores.push_back({picked(rng, {0, 1e-3, 1, 30, 300, 700, 740, 760, 1000}) * (2 * rng.uniform() - 1),
                        picked(rng, {0, 0, 1e-12, 0.1, 5, 60, 200, 340, 400})});
    std::vector<Ball> weights = scores;
    softmax(weights);
    std::vector<Numbers> powers;  // of e, at the two ends
    for (const Ball& s : scores)
      powers.push_back({exp_of(Dyadic(s.center) - s.radius), exp_of(Dyadic(s.center) + s.radius)});
    for (std::size_t choice = 0; choice < std::size_t{1} << n; ++choice) {
      Dyadic all = 0;
      for (std::size_t i = 0; i < n; ++i) all = all + powers[i][choice >> i & 1];
      for (std::size_t i = 0; i < n; ++i)
        REQUIRE((Dyadic(weights[i].center) * all - powers[i][choice >> i & 1]).size() <=
                Dyadic(weights[i].radius) * all);
    }
  });
}

TEST_CASE("the radius of a weight is not larger than it must be", "[interpret][balls]") {
  // e^-20 to 1: both scores move it.
  std::vector<Ball> weights = {{-20, 1e-3}, {0, 1e-3}};
  softmax(weights);
  CHECK(weights[0].radius < 1.01 * (std::exp(-20 + 2e-3) - std::exp(-20)));
  // Only its own, which counts twice because the scores' largest radius does, or only the other's.
  for (const std::size_t spread : {0, 1}) {
    weights = {{-20, 0}, {0, 0}}, weights[spread].radius = 1e-3;
    softmax(weights);
    CHECK(weights[0].radius < (spread == 0 ? 2.02 : 1.01) * (std::exp(-20 + 1e-3) - std::exp(-20)));
  }
  // Rounding alone: twice the distance of the scores, two of exp and as many of its sum's, three of the sum.
  for (const double distance : {1.0, 30.0}) {
    weights = {{0, 0}, {-distance, 0}, {-distance, 0}};
    softmax(weights);
    const double roundings = 2 * distance + 11;
    for (const Ball& w : weights) CHECK(std::abs(w.radius / (roundings * kUnit * w.center) - 1) < 0.01);
  }
  // At its widest a weight is between 0 and 1.
  weights = {{0, 300}, {5, 300}};
  softmax(weights);
  CHECK(weights[0].radius == 1);
}

TEST_CASE("a lead lies between its bounds, and a tie is none", "[interpret][balls]") {
  for_all(1000, [](Rng& rng, std::size_t size) {
    const Balls x = drawn_balls(rng, 1, size + 1);
    const Lead lead = lead_of(span(x, 0, 0, x.cols), 1);
    Dyadic least = 1e300, most = -1e300, sizes = 0;
    for (std::size_t i = 0; i < x.cols; ++i) sizes = sizes + Dyadic(x.center[i]).size() + Dyadic(x.radius[i]);
    each_choice(x.center, x.radius, [&](const Numbers& z) {
      Dyadic highest = -1e300;
      for (std::size_t i = 0; i < z.size(); ++i)
        if (i != 1 && highest < z[i]) highest = z[i];
      const Dyadic exact_lead = z[1] - highest;
      REQUIRE(Dyadic(lead.least) <= exact_lead);
      REQUIRE(exact_lead <= Dyadic(lead.most));
      if (exact_lead < least) least = exact_lead;
      if (most < exact_lead) most = exact_lead;
    });
    REQUIRE(least - Dyadic(20 * kUnit) * sizes <= Dyadic(lead.least));
    REQUIRE(Dyadic(lead.most) <= most + Dyadic(20 * kUnit) * sizes);
  });
  Balls tie(1, 2);
  tie.center = {3, 3};
  CHECK(lead_of(span(tie, 0, 0, 2), 0).least <= 0);
  CHECK(lead_of(span(tie, 0, 0, 2), 0).most >= 0);
}

TEST_CASE("an overflow is named, wherever it happens", "[interpret][balls]") {
  const std::string expected =
      "[certify] expected numbers below 1e+300, got one that is too large for double precision. Hint: the "
      "weights of the model are too large for a bound on rounding.";
  Balls x(1, 3);
  x.center = {1e299, -1e299, 1};
  CHECK_NOTHROW(check_no_overflow(x));
  const Tensor large(full_array({3, 1}, Real(1e38)));
  CHECK(error_of([&] { check_no_overflow(linear(x, ExactMatrix(large))); }) == expected);
  CHECK(error_of([&] { check_no_overflow(norm(x, nn::Norm(3))); }) == expected);
  x.radius[2] = 1e301;
  CHECK(error_of([&] { check_no_overflow(x); }) == expected);
  // A score that overflowed leaves no weight certain.
  x.center = {1e200, 1, 0}, x.radius = {0, 0, 0};
  std::vector<Ball> weights = {scaled_dot(span(x, 0, 0, 1), span(x, 0, 0, 1), -1), {0, 0}};
  softmax(weights);
  for (const Ball& weight : weights) CHECK((weight.center >= 0 && weight.radius == 1));
}

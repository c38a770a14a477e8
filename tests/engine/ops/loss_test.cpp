// The losses, against their definitions.
#include <cmath>
#include <limits>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

using Limits = std::numeric_limits<Real>;

bool near(const Tensor& x, double right) {
  return std::abs(double(x.item()) - right) <= 10 * kRounding * std::max(1.0, std::abs(right));
}

}  // namespace

TEST_CASE("cross-entropy with probabilities equals that of class numbers, smoothed too", "[ops][loss]") {
  Rng rng(1);
  const Tensor logits = randn({4, 5}, rng);
  const IntArray targets = randint(0, 5, {4}, rng);
  const Tensor p = one_hot(targets, 5), smoothed = 0.8 * p + 0.2 / 5;
  for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
    CHECK(difference(cross_entropy(logits, p, reduction).array(),
                     cross_entropy(logits, targets, {.reduction = reduction}).array()) < kRounding);
    CHECK(
        difference(cross_entropy(logits, smoothed, reduction).array(),
                   cross_entropy(logits, targets, {.reduction = reduction, .label_smoothing = 0.2}).array()) <
        kRounding);
  }
  const Tensor hidden = parameter({{0, 0, -Limits::infinity()}});
  const Tensor loss = cross_entropy(hidden, tensor({{0.5, 0.5, 0}}));
  CHECK(near(loss, std::log(2)));
  CHECK(to_string(grad(loss, {hidden})[0]) == "[[0.0000, 0.0000, 0.0000]]");
  CHECK(error_of([&] { cross_entropy(logits, zeros({4})); }) ==
        "[cross_entropy] expected equal shapes, got (4,5) and (4).");
}

TEST_CASE("binary cross-entropy is right for logits of any size", "[ops][loss]") {
  const auto loss = [](double x, double t) {
    return binary_cross_entropy_with_logits(tensor({x}), tensor({t}));
  };
  CHECK(near(loss(0, 1), std::log(2)));
  CHECK(near(loss(2, 1), std::log1p(std::exp(-2))));
  CHECK(near(loss(2, 0.25), 0.25 * std::log1p(std::exp(-2)) + 0.75 * std::log1p(std::exp(2))));
  CHECK(near(loss(1000, 0), 1000));
  CHECK(loss(1000, 1).item() == 0);
  CHECK(std::abs(double(loss(30, 1).item()) / std::exp(-30) - 1) < 1e-6);
  CHECK(to_string(binary_cross_entropy_with_logits(zeros({2}), tensor({0, 1}), Reduction::none)) ==
        "[0.6931, 0.6931]");
  CHECK(error_of([] {
          binary_cross_entropy_with_logits(zeros({2, 1}), zeros({2}));
        }) == "[binary_cross_entropy_with_logits] expected equal shapes, got (2,1) and (2).");
}

TEST_CASE("KL divergence is the expected difference of the logarithms", "[ops][loss]") {
  const Tensor log_p = log(tensor({{0.5, 0.5, 0}, {0.25, 0.25, 0.5}})),
               log_q = log(tensor({{0.25, 0.5, 0.25}, {0.25, 0.25, 0.5}}));
  CHECK(difference(kl_divergence(log_p, log_q, Reduction::none).array(),
                   tensor({0.5 * std::log(2), 0}).array()) < kRounding);
  CHECK(near(kl_divergence(log_p, log_q), 0.25 * std::log(2)));
  CHECK(near(kl_divergence(log_p, log_q, Reduction::sum), 0.5 * std::log(2)));
  CHECK(kl_divergence(log_q, log_p).item() == Limits::infinity());  // q has weight where p has none
  const Tensor q = parameter(log_q.array());
  CHECK(all_finite(grad(kl_divergence(log_p, q), {q})[0].array()));
}

TEST_CASE("the Huber loss is a parabola between two lines", "[ops][loss]") {
  const Tensor x = parameter({0, 1, 2, -3}), target = zeros({4});
  CHECK(to_string(huber_loss(x, target, 1, Reduction::none)) == "[0.0000, 0.5000, 1.5000, 2.5000]");
  CHECK(huber_loss(x, target, 2).item() == Real(6.5 / 4));
  CHECK(to_string(grad(huber_loss(x, target, 1, Reduction::sum), {x})[0], 0) == "[0, 1, 1, -1]");
  CHECK(error_of([&] { huber_loss(x, target, 0); }) == "[huber_loss] expected a delta above 0, got 0.");
  CHECK(error_of([] { huber_loss(zeros({0}), zeros({0})); }) ==
        "[huber_loss] the mean over no losses is undefined.");
}

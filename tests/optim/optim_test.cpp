#include "catch.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optimizer.h"
#include "headlight/optim/schedule.h"

using namespace headlight;
using namespace headlight::optim;

namespace {

// One number, one gradient a step; what the formulas give by hand.
double walk(auto&& make, const std::vector<double>& gradients, double start = 1) {
  Tensor x = parameter(Tensor(start));
  auto optimizer = make(std::vector<Tensor>{x});
  for (double g : gradients) {
    x.set_grad(Tensor(g));
    optimizer->step();
  }
  return static_cast<double>(x.item());
}

constexpr double kClose = kDouble ? 1e-14 : 1e-6;

}  // namespace

TEST_CASE("SGD with momentum and decay by hand", "[optim]") {
  const auto sgd = [](auto p) {
    return std::make_unique<SGD>(p, SGDConfig{.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.5});
  };
  // v1 = 2 + .5·1 = 2.5, x1 = .75;  v2 = .9·2.5 + (1 + .5·.75) = 3.625, x2 = .3875
  CHECK(walk(sgd, {2, 1}) == Approx(0.3875).margin(kClose));
}

TEST_CASE("Adam's first step is the learning rate, its second by hand", "[optim]") {
  const auto adam = [](auto p) {
    return std::make_unique<Adam>(p, AdamConfig{.learning_rate = 0.1, .beta1 = 0.9, .beta2 = 0.99, .eps = 0});
  };
  CHECK(walk(adam, {1e-3}) == Approx(0.9).margin(kClose));
  CHECK(walk(adam, {-50}) == Approx(1.1).margin(kClose));
  const double m = (0.9 * 0.1 * 2 + 0.1 * 1) / (1 - 0.81), v = (0.99 * 0.01 * 4 + 0.01 * 1) / (1 - 0.9801);
  CHECK(walk(adam, {2, 1}) == Approx(0.9 - 0.1 * m / std::sqrt(v)).margin(kClose));
}

TEST_CASE("AdamW decays the weight, Adam the gradient", "[optim]") {
  const AdamConfig config{.learning_rate = 0.1, .eps = 0, .weight_decay = 0.5};
  const auto decoupled = [&](auto p) { return std::make_unique<AdamW>(p, config); };
  const auto coupled = [&](auto p) { return std::make_unique<Adam>(p, config); };
  CHECK(walk(decoupled, {3}) == Approx(1 - 0.1 * 0.5 - 0.1).margin(kClose));
  CHECK(walk(coupled, {3}) == Approx(0.9).margin(kClose));
  const auto with_eps = [&](auto p) {
    return std::make_unique<Adam>(p, AdamConfig{.learning_rate = 0.1, .weight_decay = 0.5});
  };
  CHECK(walk(with_eps, {-0.5}) == Approx(1).margin(kClose));  // gradient and decay cancel
}

TEST_CASE("optimizers minimise a quadratic", "[optim]") {
  for (int kind : {0, 1, 2}) {
    Tensor x = parameter(tensor({5, -3}));
    std::unique_ptr<Optimizer> optimizer;
    if (kind == 0)
      optimizer = std::make_unique<SGD>(std::vector{x}, SGDConfig{.learning_rate = 0.05, .momentum = 0.9});
    if (kind == 1) optimizer = std::make_unique<Adam>(std::vector{x}, AdamConfig{.learning_rate = 0.1});
    if (kind == 2) optimizer = std::make_unique<AdamW>(std::vector{x}, AdamConfig{.learning_rate = 0.1});
    for (int i = 0; i < 500; ++i) {
      optimizer->zero_grad();
      sum((x - tensor({1, 2})) * (x - tensor({1, 2}))).backward();
      optimizer->step();
    }
    CHECK(difference(x.array(), tensor({1, 2}).array()) < 1e-2);
  }
}

TEST_CASE("the schedule warms up and comes down", "[optim]") {
  const Schedule cosine{.peak = 2, .warmup = 10, .total = 110, .final_fraction = 0.1};
  CHECK(cosine(1) == Approx(0.2));
  CHECK(cosine(10) == Approx(2));
  CHECK(cosine(60) == Approx(1.1));
  CHECK(cosine(110) == Approx(0.2));
  CHECK(cosine(1000) == Approx(0.2));
  const Schedule constant{.peak = 2, .warmup = 0};
  CHECK(constant(1) == 2);
}

TEST_CASE("clipping scales all gradients together", "[optim]") {
  Tensor a = parameter(tensor({0, 0})), b = parameter(tensor({0}));
  a.set_grad(tensor({3, 0}));
  b.set_grad(tensor({4}));
  CHECK(clip_by_global_norm({a, b}, 1) == Approx(5));
  CHECK(a.grad().array()(0) == Approx(0.6));
  CHECK(b.grad().array()(0) == Approx(0.8));
  CHECK(clip_by_global_norm({a, b}, 10) == Approx(1));
  CHECK(b.grad().array()(0) == Approx(0.8));
  Array flat = tensor({3, 4}).array();
  CHECK(clip_by_global_norm(flat.data(), 2, 2.5) == Approx(5));
  CHECK(flat(1) == Approx(2));
}

TEST_CASE("optimizers explain what is missing", "[optim]") {
  Tensor x = parameter(tensor({1, 2}));
  SGD sgd({x});
  CHECK(contains(error_of([&] { sgd.step(); }), "has no gradient. Hint: call loss.backward() first"));
  CHECK(contains(error_of([&] { SGD bad({x * 2}); }), "got the result of 'mul'"));
  CHECK(contains(error_of([] { SGD none({}); }), "at least one parameter"));
  CHECK(contains(error_of([&] { x.set_grad(tensor({1})); }), "a gradient of shape (1) for a tensor of (2)"));
}

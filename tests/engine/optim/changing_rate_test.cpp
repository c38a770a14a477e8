// Optimizers whose learning rate moves from step to step, by hand.
#include <functional>

#include "catch.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/adam.h"
#include "headlight/optim/sgd.h"

using namespace headlight;
using namespace headlight::optim;

namespace {

constexpr double kClose = kDouble ? 1e-13 : 1e-5;
const std::vector<double> kRates{0.1, 0.4, 0, 0.05};
const std::vector<double> kGradients{2, -1, 3, 0.5};
constexpr double kStart = 1.5, kDecay = 0.3, kBeta1 = 0.8, kBeta2 = 0.9, kEps = 0.1;

using Make = std::function<std::unique_ptr<Optimizer>(std::vector<Tensor>)>;

// A number after each step, with the rates and gradients above.
std::vector<double> walk(const Make& make) {
  Tensor x = parameter(Tensor(kStart));
  const auto optimizer = make({x});
  std::vector<double> way;
  for (std::size_t i = 0; i < kRates.size(); ++i) {
    optimizer->set_learning_rate(kRates[i]);
    CHECK(optimizer->learning_rate() == kRates[i]);
    x.set_grad(Tensor(kGradients[i]));
    optimizer->step();
    way.push_back(static_cast<double>(x.item()));
  }
  return way;
}

// The formula of the headers in double; `decoupled`: AdamW.
std::vector<double> adam_by_hand(bool decoupled) {
  double x = kStart, m = 0, v = 0;
  std::vector<double> way;
  for (std::size_t i = 0; i < kRates.size(); ++i) {
    const auto t = static_cast<double>(i + 1);
    const double g = kGradients[i] + (decoupled ? 0 : kDecay * x);
    if (decoupled) x -= kRates[i] * kDecay * x;
    m = kBeta1 * m + (1 - kBeta1) * g;
    v = kBeta2 * v + (1 - kBeta2) * g * g;
    x -= kRates[i] * (m / (1 - std::pow(kBeta1, t))) / (std::sqrt(v / (1 - std::pow(kBeta2, t))) + kEps);
    way.push_back(x);
  }
  return way;
}

std::vector<double> sgd_by_hand() {
  double x = kStart, v = 0;
  std::vector<double> way;
  for (std::size_t i = 0; i < kRates.size(); ++i) {
    v = kBeta1 * v + (kGradients[i] + kDecay * x);
    x -= kRates[i] * v;
    way.push_back(x);
  }
  return way;
}

void require_close(const std::vector<double>& computed, const std::vector<double>& by_hand) {
  REQUIRE(computed.size() == by_hand.size());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    INFO("step " << i + 1);
    CHECK_THAT(computed[i], Catch::Matchers::WithinAbs(by_hand[i], kClose));
  }
}

const AdamConfig kAdam{
    .learning_rate = 77, .beta1 = kBeta1, .beta2 = kBeta2, .eps = kEps, .weight_decay = kDecay};

}  // namespace

TEST_CASE("AdamW's decay follows the rate of each step", "[optim]") {
  require_close(walk([](auto p) { return std::make_unique<AdamW>(p, kAdam); }), adam_by_hand(true));
}

TEST_CASE("Adam with decay follows the rate of each step", "[optim]") {
  require_close(walk([](auto p) { return std::make_unique<Adam>(p, kAdam); }), adam_by_hand(false));
}

TEST_CASE("SGD's momentum is of gradients, not of steps, when the rate moves", "[optim]") {
  const auto sgd = [](auto p) {
    return std::make_unique<SGD>(p,
                                 SGDConfig{.learning_rate = 77, .momentum = kBeta1, .weight_decay = kDecay});
  };
  require_close(walk(sgd), sgd_by_hand());
}

TEST_CASE("a rate of 0 moves nothing, and time goes on", "[optim]") {
  const auto way = walk([](auto p) { return std::make_unique<AdamW>(p, kAdam); });
  CHECK(way[2] == way[1]);
  CHECK(way[3] != way[2]);
}

TEST_CASE("an optimizer starts with its config's rate", "[optim]") {
  const std::vector<Tensor> p{parameter(tensor({1}))};
  CHECK(AdamW(p, {.learning_rate = 0.25}).learning_rate() == 0.25);
  CHECK(Adam(p, {.learning_rate = 0.5}).learning_rate() == 0.5);
  CHECK(SGD(p, {.learning_rate = 0.75}).learning_rate() == 0.75);
}

// One after the other they would share neither momentum nor second moments.
TEST_CASE("each number has a state of its own", "[optim]") {
  for (const bool adam : {false, true}) {
    const auto make = [adam](const std::vector<Tensor>& p) -> std::unique_ptr<Optimizer> {
      if (adam) return std::make_unique<Adam>(p, kAdam);
      return std::make_unique<SGD>(p, SGDConfig{.momentum = kBeta1, .weight_decay = kDecay});
    };
    Tensor a = parameter(tensor({1, 2})), b = parameter(tensor({{3, 4, 5}}));
    const auto together = make({a, b});
    std::vector<Tensor> apart;
    std::vector<std::unique_ptr<Optimizer>> optimizers;
    for (int i = 1; i <= 5; ++i) {
      apart.push_back(parameter(Tensor(static_cast<double>(i))));
      optimizers.push_back(make({apart.back()}));
    }
    for (int step = 1; step <= 3; ++step) {
      const double s = step;
      a.set_grad(tensor({s, -1}));
      b.set_grad(tensor({{0.5, -2 * s, 4}}));
      together->step();
      const std::vector<double> gradients{s, -1, 0.5, -2 * s, 4};
      for (std::size_t i = 0; i < 5; ++i) {
        if (!adam) optimizers[i]->set_learning_rate(together->learning_rate());
        apart[i].set_grad(Tensor(gradients[i]));
        optimizers[i]->step();
      }
    }
    for (std::size_t i = 0; i < 5; ++i) {
      const Real computed = i < 2 ? a.array()(i) : b.array()(0, i - 2);
      CHECK(static_cast<double>(computed) == Approx(static_cast<double>(apart[i].item())).epsilon(1e-5));
    }
  }
}

TEST_CASE("gradients are given for every parameter or for none", "[optim]") {
  Tensor a = parameter(tensor({1, 2})), b = parameter(tensor({3}));
  SGD sgd({a, b}, {.learning_rate = 1});
  const Array gradient = tensor({1, 1}).array();
  CHECK(contains(error_of([&] { sgd.step({gradient.data()}); }), "[step] 1 gradients for 2 parameters"));
  a.set_grad(tensor({1, 1}));
  CHECK(contains(error_of([&] { sgd.step(); }), "a parameter of shape (1) has no gradient"));
  Tensor named = parameter(tensor({1}));
  named.set_name("hidden.b");
  CHECK(error_of([&] { optim::SGD({named}).step(); }) ==
        "[step] 'hidden.b' of shape (1) has no gradient. Hint: call loss.backward() first.");
  CHECK(a.array()(0) == 1);  // nothing was moved
  b.set_grad(tensor({1}));
  sgd.step();
  CHECK(a.array()(0) == 0);
  sgd.zero_grad();
  CHECK_FALSE((a.grad().defined() || b.grad().defined()));
}

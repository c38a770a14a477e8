#include "catch.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/adam.h"
#include "headlight/optim/clip.h"
#include "headlight/optim/lion.h"
#include "headlight/optim/schedule.h"
#include "headlight/optim/sgd.h"

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

constexpr double kAgrees = kDouble ? 1e-14 : 1e-6;

}  // namespace

TEST_CASE("SGD with momentum and decay by hand", "[optim]") {
  const auto sgd = [](auto p) {
    return std::make_unique<SGD>(p, SGDConfig{.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.5});
  };
  // v1 = 2 + .5·1 = 2.5, x1 = .75;  v2 = .9·2.5 + (1 + .5·.75) = 3.625, x2 = .3875
  CHECK(walk(sgd, {2, 1}) == Approx(0.3875).margin(kAgrees));
}

TEST_CASE("Nesterov's momentum looks a step ahead, by hand", "[optim]") {
  const auto nesterov = [](auto p) {
    return std::make_unique<SGD>(
        p, SGDConfig{.learning_rate = 0.1, .momentum = 0.5, .weight_decay = 0.5, .nesterov = true});
  };
  // g1 = 2 + .5·1 = 2.5 = v1, x1 = 1 - .1·(2.5 + .5·2.5) = .625
  // g2 = 1 + .5·.625 = 1.3125, v2 = .5·2.5 + g2 = 2.5625, x2 = .625 - .1·(g2 + .5·v2) = .365625
  CHECK(walk(nesterov, {2, 1}) == Approx(0.365625).margin(kAgrees));
}

TEST_CASE("Lion moves by the rate, whatever the gradient, by hand", "[optim]") {
  const auto lion = [](auto p) {
    return std::make_unique<Lion>(
        p, LionConfig{.learning_rate = 0.1, .beta1 = 0.5, .beta2 = 0.75, .weight_decay = 0.5});
  };
  CHECK(walk(lion, {1e-3}) == Approx(1 - 0.05 - 0.1).margin(kAgrees));
  CHECK(walk(lion, {-50}) == Approx(1 - 0.05 + 0.1).margin(kAgrees));
  CHECK(walk(lion, {0}) == Approx(0.95).margin(kAgrees));
  // m1 = .25·8 = 2; c2 = .5·2 - .5·1 > 0, so the second step follows the momentum against its gradient
  CHECK(walk(lion, {8, -1}) == Approx((1 - 0.15) * 0.95 - 0.1).margin(kAgrees));
}

TEST_CASE("Adam's first step is the learning rate, its second by hand", "[optim]") {
  const auto adam = [](auto p) {
    return std::make_unique<Adam>(p, AdamConfig{.learning_rate = 0.1, .beta1 = 0.9, .beta2 = 0.99, .eps = 0});
  };
  CHECK(walk(adam, {1e-3}) == Approx(0.9).margin(kAgrees));
  CHECK(walk(adam, {-50}) == Approx(1.1).margin(kAgrees));
  const double m = (0.9 * 0.1 * 2 + 0.1 * 1) / (1 - 0.81), v = (0.99 * 0.01 * 4 + 0.01 * 1) / (1 - 0.9801);
  CHECK(walk(adam, {2, 1}) == Approx(0.9 - 0.1 * m / std::sqrt(v)).margin(kAgrees));
}

TEST_CASE("AdamW decays the weight, Adam the gradient", "[optim]") {
  const AdamConfig config{.learning_rate = 0.1, .eps = 0, .weight_decay = 0.5};
  const auto decoupled = [&](auto p) { return std::make_unique<AdamW>(p, config); };
  const auto coupled = [&](auto p) { return std::make_unique<Adam>(p, config); };
  CHECK(walk(decoupled, {3}) == Approx(1 - 0.1 * 0.5 - 0.1).margin(kAgrees));
  CHECK(walk(coupled, {3}) == Approx(0.9).margin(kAgrees));
  const auto with_eps = [&](auto p) {
    return std::make_unique<Adam>(p, AdamConfig{.learning_rate = 0.1, .weight_decay = 0.5});
  };
  CHECK(walk(with_eps, {-0.5}) == Approx(1).margin(kAgrees));  // gradient and decay cancel
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
  const ScheduleConfig config{.peak = 2, .warmup = 10, .total = 110, .final_fraction = 0.1};
  const auto cosine = [&](std::int64_t step) { return schedules().find("cosine")(config, step); };
  CHECK(cosine(1) == Approx(0.2));
  CHECK(cosine(10) == Approx(2));
  CHECK(cosine(60) == Approx(1.1));
  CHECK(cosine(110) == Approx(0.2));
  CHECK(cosine(1000) == Approx(0.2));
  CHECK(constant_schedule(config, 5) == Approx(1));
  CHECK(constant_schedule(config, 1000) == 2);
  CHECK(constant_schedule({.peak = 2}, 1) == 2);
  CHECK(cosine_schedule({.peak = 2, .warmup = 10, .total = 10}, 10) == 2);
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

TEST_CASE("a group holds parameters of its optimizer only", "[optim]") {
  AdamW adamw({parameter(tensor({1}))});
  CHECK(contains(error_of([&] { adamw.set_group({parameter(tensor({1}))}, {}); }),
                 "is none of the optimizer's parameters"));
}

TEST_CASE("a group has a rate and a weight decay of its own", "[optim]") {
  for (const auto& entry : optimizers().entries()) {
    INFO(entry.name);
    const auto make = [&](std::vector<Tensor> p, double rate, double decay) {
      return entry.thing(std::move(p), {.learning_rate = rate, .weight_decay = decay});
    };
    const Array start{{1, -2}, {3, 4}};
    Tensor of_group = parameter(start), other = parameter(start), as_group = parameter(start),
           as_other = parameter(start);
    const auto both = make({of_group, other}, 0.1, 0.2), slow = make({as_group}, 0.05, 0),
               plain = make({as_other}, 0.1, 0.2);
    both->set_group({of_group}, {.rate = 0.5, .weight_decay = 0});
    for (int i = 0; i < 3; ++i) {
      for (Tensor* p : {&of_group, &other, &as_group, &as_other}) p->set_grad(tensor({{1, 2}, {i, -1}}));
      both->step(), slow->step(), plain->step();
    }
    CHECK((of_group.array() == as_group.array()));
    CHECK((other.array() == as_other.array()));
    CHECK_FALSE((of_group.array() == other.array()));
    CHECK(contains(error_of([&] { both->set_group({other}, {.rate = -1}); }), "expected a rate of a group"));
  }
}

TEST_CASE("an optimizer goes on from another's state", "[optim]") {
  for (const auto& entry : optimizers().entries()) {
    INFO(entry.name);
    const OptimizerConfig config{.learning_rate = 0.1, .weight_decay = 0.1};
    Tensor x = parameter(tensor({1, -2})), y = parameter(tensor({1, -2}));
    const auto whole = entry.thing({x}, config), first = entry.thing({y}, config);
    const auto walk = [](Tensor& at, Optimizer& optimizer, int from, int to) {
      for (int i = from; i < to; ++i) {
        at.set_grad(tensor({1.0 + i, 0.5 - i}));
        optimizer.step();
      }
    };
    walk(x, *whole, 0, 6);
    walk(y, *first, 0, 3);
    const auto second =
        entry.thing({y}, {.learning_rate = 3, .weight_decay = 0.1});  // the state has the rate
    second->set_state(first->state());
    walk(y, *second, 3, 6);
    CHECK(difference(x.array(), y.array()) == 0);
    CHECK(second->state().steps == 6);
  }
}

TEST_CASE("no optimizer takes the state of another kind", "[optim]") {
  const Tensor x = parameter(tensor({1, 2}));
  std::vector<std::unique_ptr<Optimizer>> all;
  for (const auto& entry : optimizers().entries()) all.push_back(entry.thing({x}, {}));
  all.push_back(std::make_unique<SGD>(std::vector{x}, 0.1));  // without momentum
  for (const auto& from : all)
    for (const auto& to : all) {
      INFO(from->kind() << " to " << to->kind());
      if (from == to) {
        to->set_state(from->state());
        continue;
      }
      CHECK(error_of([&] { to->set_state(from->state()); }) ==
            fmt::format("[set_state] expected a state of {}, got one of {}.", to->kind(), from->kind()));
    }
}

TEST_CASE("each optimizer keeps its number of arrays", "[optim]") {
  for (const char* name : {"adamw", "adam", "muon"}) CHECK(arrays_kept(name) == 2);
  for (const char* name : {"sgd", "nesterov", "lion"}) CHECK(arrays_kept(name) == 1);
  CHECK(contains(error_of([] { arrays_kept("adamm"); }), "unknown optimizer 'adamm': expected "));
}

TEST_CASE("a state of another optimizer is refused", "[optim]") {
  const Tensor x = parameter(tensor({1, 2})), y = parameter(tensor({1}));
  Adam adam({x});
  SGD sgd({x});
  Adam shorter({y});
  CHECK(error_of([&] { adam.set_state(sgd.state()); }) ==
        "[set_state] expected a state of Adam, got one of SGD without momentum.");
  OptimizerState of_nobody = sgd.state();
  of_nobody.kind = "";  // as in a file of an older version
  CHECK(contains(error_of([&] { adam.set_state(of_nobody); }),
                 "1 kinds of arrays, but this optimizer remembers 2"));
  CHECK(contains(error_of([&] { adam.set_state(shorter.state()); }), "has shape (1), expected (2)"));
  OptimizerState other = sgd.state();
  other.arrays = {{"speed", other.arrays["velocity"]}};
  CHECK(contains(error_of([&] { sgd.set_state(other); }), "the state lacks 'velocity'"));
}

TEST_CASE("an optimizer chosen by name gets every setting", "[optim]") {
  const OptimizerConfig c{
      .learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .eps = 0.01, .weight_decay = 0.3};
  const auto named = [&](const char* name) {
    return walk([&](auto p) { return optimizers().find(name)(p, c); }, {2, 1, -3});
  };
  const auto sgd = [](auto p) {
    return std::make_unique<SGD>(p, SGDConfig{.learning_rate = 0.1, .momentum = 0.8, .weight_decay = 0.3});
  };
  CHECK(named("sgd") == walk(sgd, {2, 1, -3}));
  CHECK(named("adam") == walk([&](auto p) { return std::make_unique<Adam>(p, c); }, {2, 1, -3}));
  const auto nesterov = [](auto p) {
    return std::make_unique<SGD>(
        p, SGDConfig{.learning_rate = 0.1, .momentum = 0.8, .weight_decay = 0.3, .nesterov = true});
  };
  CHECK(named("nesterov") == walk(nesterov, {2, 1, -3}));
  const auto lion = [](auto p) {
    return std::make_unique<Lion>(
        p, LionConfig{.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .weight_decay = 0.3});
  };
  CHECK(named("lion") == walk(lion, {2, 1, -3}));
  CHECK(named("muon") == named("adamw"));  // a number is no matrix
  CHECK(named("adamw") == walk([&](auto p) { return std::make_unique<AdamW>(p, c); }, {2, 1, -3}));
}

TEST_CASE("a lone number is the learning rate", "[optim]") {
  const std::vector<Tensor> x{parameter({1, 2})};
  CHECK(Adam(x, 0.05).learning_rate() == 0.05);
  CHECK(AdamW(x, 0.05).learning_rate() == 0.05);
  CHECK(SGD(x, 0.05).learning_rate() == 0.05);
  CHECK(SGD(x, 1).learning_rate() == 1);
  CHECK(Adam(x, {}).learning_rate() == AdamConfig().learning_rate);  // not 0
  CHECK(SGD(x, {}).learning_rate() == SGDConfig().learning_rate);
  Tensor w = parameter(1);
  w.set_grad(Tensor(1));
  AdamW(std::vector<Tensor>{w}, 0.5).step();
  CHECK(w.item() == Approx(0.5));  // no weight decay
}

TEST_CASE("what an optimizer cannot move is explained", "[optim]") {
  const Tensor x = parameter({1, 2}), constant = tensor({1, 2});
  CHECK(error_of([&] { Adam({constant}, 0.1); }) ==
        "[optimizer] expected parameters, got a tensor of shape (2), which is a constant. Hint: make it with "
        "parameter().");
  CHECK(contains(error_of([&] { Adam({x * 2}, 0.1); }),
                 "expected parameters, got the result of 'mul' of shape (2)"));
  CHECK(contains(error_of([&] { Adam({Tensor()}, 0.1); }), "expected parameters, got an undefined Tensor"));
  CHECK(contains(error_of([&] {
                   Adam({x, x}, 0.1);
                 }),
                 "expected each parameter once, got a tensor of shape (2) twice"));
}

TEST_CASE("a learning rate that is no rate is refused", "[optim]") {
  const std::vector<Tensor> x{parameter({1, 2})};
  for (const double rate : {-0.1, HUGE_VAL, std::nan("")}) {
    CHECK(contains(error_of([&] { SGD(x, rate); }), "expected a learning rate of at least 0, got "));
    SGD sgd(x, 0);
    CHECK(contains(error_of([&] { sgd.set_learning_rate(rate); }), "expected a learning rate of at least 0"));
  }
}

TEST_CASE("a parameter that has grown since is not stepped", "[optim]") {
  Tensor x = parameter({1, 2});
  Adam adam({x}, 0.1);
  x.mutable_array() = tensor({{1, 2}, {3, 4}}).array();
  sum(x).backward();
  CHECK(contains(
      error_of([&] { adam.step(); }),
      "a tensor of shape (2,2) had 2 numbers when the optimizer was made. Hint: was an array of another"));
}

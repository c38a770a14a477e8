// Numbers at the edges of what an op takes: exact limits, and no NaN where none is owed.
#include <algorithm>
#include <limits>

#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

constexpr Real kInf = std::numeric_limits<Real>::infinity();
constexpr Real kTiny = std::numeric_limits<Real>::min();
constexpr Real kHuge = std::numeric_limits<Real>::max();

// What rounding leaves of numbers near 10⁴.
constexpr double kNearTenThousand = kDouble ? 1e-11 : 1e-3;

bool relatively_close(Real found, double expected) {
  return std::abs(double(found) - expected) <= 10 * kRounding * std::abs(expected);
}

// Value and slope of f at x, exact limits or up to rounding, and a finite second derivative.
struct Edge {
  const char* what;
  Tensor (*f)(const Tensor&);
  double x, value, slope;
};

void require_edge(const Edge& e) {
  INFO(e.what << " at " << e.x);
  const Tensor x = parameter(Tensor(e.x)), y = e.f(x);
  CHECK(relatively_close(y.item(), e.value));
  CHECK(relatively_close(grad(y, {x}, {.retain_graph = true})[0].item(), e.slope));
  const Tensor slope = grad(y, {x}, {.create_graph = true})[0];
  CHECK(relatively_close(slope.item(), e.slope));
  if (slope.requires_grad()) CHECK(std::isfinite(grad(slope, {x}, {.allow_unused = true})[0].item()));
}

// The gradient by both backward passes, the fused one and the recorded one, and a finite second derivative.
Array slope_of(const OpFunction& f, const std::vector<Tensor>& inputs, std::size_t which, const Tensor& u) {
  const Tensor y = f(inputs);
  const Array plain = grad(y, inputs, {.cotangent = u, .retain_graph = true})[which].array();
  const auto recorded = grad(y, inputs, {.cotangent = u, .create_graph = true});
  CHECK(difference(recorded[which].array(), plain) < kNearTenThousand);
  Tensor total = 0;
  for (const Tensor& g : recorded) total = total + sum(g * g);
  for (const Tensor& h : grad(total, inputs, {.allow_unused = true})) CHECK(all_finite(h.array()));
  return plain;
}

}  // namespace

TEST_CASE("log and sqrt are exact near zero", "[ops][edges]") {
  for (const double x : {1e-6, 1e-12, 1e-18}) {
    require_edge({"log", log, x, std::log(x), 1 / x});
    if (kDouble || x > 1e-15) require_edge({"sqrt", sqrt, x, std::sqrt(x), 0.5 / std::sqrt(x)});
  }
  const Tensor x = parameter(Tensor(kTiny));
  CHECK(relatively_close(log(x).item(), std::log(double(kTiny))));
  CHECK(relatively_close(grad(log(x), {x})[0].item(), 1 / double(kTiny)));
  CHECK(relatively_close(grad(sqrt(x), {x})[0].item(), 0.5 / std::sqrt(double(kTiny))));
  CHECK(log(Tensor(0)).item() == -kInf);
  CHECK(sqrt(Tensor(0)).item() == 0);
  const Tensor zero = parameter(Tensor(0));
  CHECK(grad(sqrt(zero), {zero})[0].item() == kInf);
}

TEST_CASE("saturating functions reach their limits with a slope of zero", "[ops][edges]") {
  const auto exact_gelu = [](const Tensor& x) { return gelu(x, Gelu::erf); };
  const auto tanh_gelu = [](const Tensor& x) { return gelu(x, Gelu::tanh); };
  for (const double x : {200.0, 1e3, 1e4}) {
    require_edge({"sigmoid", sigmoid, x, 1, 0});
    require_edge({"tanh", tanh, x, 1, 0});
    require_edge({"tanh", tanh, -x, -1, 0});
    require_edge({"erf", erf, x, 1, 0});
    require_edge({"erf", erf, -x, -1, 0});
    require_edge({"gelu", exact_gelu, x, x, 1});
    require_edge({"gelu", exact_gelu, -x, 0, 0});
    require_edge({"gelu's tanh form", tanh_gelu, x, x, 1});
    require_edge({"gelu's tanh form", tanh_gelu, -x, 0, 0});
    require_edge({"relu", relu, x, x, 1});
    require_edge({"relu", relu, -x, 0, 0});
    require_edge({"abs", abs, -x, x, -1});
  }
  for (const double x : {-1e3, -1e4}) require_edge({"sigmoid", sigmoid, x, 0, 0});
  require_edge({"sigmoid", sigmoid, -30, 1 / (1 + std::exp(30.0)), std::exp(-30.0)});
  for (const auto f : {relu, abs}) require_edge({"the kink", f, 0, 0, 0});
}

TEST_CASE("exp is right up to where it overflows, and infinite beyond, never NaN", "[ops][edges]") {
  const double last = std::floor(std::log(double(kHuge)));
  // A result near the largest number takes over the rounding of x, amplified by x.
  const Tensor x = parameter(Tensor(last)), y = exp(x);
  CHECK(std::abs(double(y.item()) / std::exp(last) - 1) < kRounding);
  CHECK(grad(y, {x})[0].item() == y.item());
  const Tensor beyond = parameter(Tensor(last + 2));
  CHECK(exp(beyond).item() == kInf);
  CHECK(grad(exp(beyond), {beyond})[0].item() == kInf);
  require_edge({"exp", exp, -1e4, 0, 0});
  CHECK(exp(Tensor(-kInf)).item() == 0);
}

TEST_CASE("division by tiny numbers is exact until it overflows", "[ops][edges]") {
  for (const double tiny : {1e-6, 1e-12, -1e-15}) {
    const Tensor x = parameter(Tensor(3)), y = parameter(Tensor(tiny));
    const auto gradients = grad(x / y, {x, y});
    CHECK(relatively_close((x / y).item(), 3 / tiny));
    CHECK(relatively_close(gradients[0].item(), 1 / tiny));
    CHECK(relatively_close(gradients[1].item(), -3 / (tiny * tiny)));
  }
  CHECK((Tensor(1) / Tensor(0)).item() == kInf);
  CHECK((Tensor(0) / Tensor(kTiny)).item() == 0);
}

TEST_CASE("the derivative of a power by its exponent is 0 wherever the base is not positive",
          "[ops][edges]") {
  const Tensor x = parameter(tensor({0, 0, -2, -2, 0})), y = parameter(tensor({-1, 0.5, -1, 3, 0}));
  const Tensor z = pow(x, y);
  CHECK(difference(z.array(), tensor({kInf, 0, -0.5, -8, 1}).array()) < kRounding);
  CHECK(difference(grad(z, {y}, {.cotangent = ones({5})})[0].array(), zeros({5}).array()) == 0);
  const Tensor slope = grad(pow(x, y), {y}, {.cotangent = ones({5}), .create_graph = true})[0];
  CHECK(difference(grad(slope, {y}, {.cotangent = ones({5}), .allow_unused = true})[0].array(),
                   zeros({5}).array()) == 0);
}

TEST_CASE("scores of ten thousand leave softmax and its kin finite", "[ops][edges]") {
  const Tensor x = parameter(tensor({{1e4, -1e4, 0}, {1e4, 1e4, -1e4}, {-1e4, -1e4, -1e4}}));
  const Array expected = tensor({{1, 0, 0}, {0.5, 0.5, 0}, {1. / 3, 1. / 3, 1. / 3}}).array();
  const Tensor u = tensor({{1, 2, 4}, {1, 2, 4}, {1, 2, 6}});
  const auto f = [](const auto& in) { return softmax(in[0]); };
  CHECK(difference(softmax(x).array(), expected) < kRounding);
  CHECK(difference(slope_of(f, {x}, 0, u),
                   tensor({{0, 0, 0}, {-0.25, 0.25, 0}, {-2. / 3, -1. / 3, 1}}).array()) < kRounding);
  const Tensor across = transpose(softmax(transpose(x), 0));
  CHECK(difference(across.array(), expected) < kRounding);

  const Array y = log_softmax(x).array();
  CHECK(y(0, 0) == 0);
  CHECK(y(0, 1) == -20000);
  CHECK(std::abs(double(y(1, 0)) + std::log(2.0)) < kNearTenThousand);
  const Array of_log = slope_of([](const auto& in) { return log_softmax(in[0]); }, {x}, 0, u);
  CHECK(difference(of_log, tensor({{-6, 2, 4}, {-2.5, -1.5, 4}, {-2, -1, 3}}).array()) < kNearTenThousand);

  const IntArray targets{1, 0, 2};
  const CrossEntropyOptions each{.reduction = Reduction::none};
  const auto loss = [&](const auto& in) { return cross_entropy(in[0], targets, each); };
  const Array losses = loss(std::vector<Tensor>{x}).array();
  CHECK(losses(0) == 20000);
  CHECK(difference(slope_of(loss, {x}, 0, ones({3})),
                   tensor({{1, -1, 0}, {-0.5, 0.5, 0}, {1. / 3, 1. / 3, -2. / 3}}).array()) <
        kNearTenThousand);
}

TEST_CASE("attention scores of ten thousand pick one value and have no slope but the value's",
          "[ops][edges]") {
  const Tensor q = parameter(tensor({{100}, {-100}})), k = parameter(tensor({{100}, {-100}, {0}})),
               v = parameter(tensor({{1, 2}, {3, 4}, {5, 6}})), u = tensor({{1, 10}, {100, 1000}});
  const auto f = [](const auto& in) {
    return scaled_dot_product_attention(in[0], in[1], in[2], {.scale = 1});
  };
  CHECK(difference(f(std::vector<Tensor>{q, k, v}).array(), tensor({{1, 2}, {3, 4}}).array()) == 0);
  CHECK(difference(slope_of(f, {q, k, v}, 0, u), zeros({2, 1}).array()) == 0);
  CHECK(difference(slope_of(f, {q, k, v}, 1, u), zeros({3, 1}).array()) == 0);
  CHECK(difference(slope_of(f, {q, k, v}, 2, u), tensor({{1, 10}, {100, 1000}, {0, 0}}).array()) == 0);
}

TEST_CASE("scores of -∞ count nothing in any softmax, first and second derivatives too", "[ops][edges]") {
  const Tensor x = parameter(tensor({{-kInf, 0, 0}, {-kInf, -kInf, -kInf}, {2, -kInf, -kInf}}));
  const Tensor u = tensor({{1, 2, 4}, {1, 2, 4}, {1, 2, 4}});
  const Array expected = tensor({{0, 0.5, 0.5}, {0, 0, 0}, {1, 0, 0}}).array(),
              slope = tensor({{0, -0.5, 0.5}, {0, 0, 0}, {0, 0, 0}}).array();
  const auto along_rows = [](const auto& in) { return softmax(in[0]); };
  const auto along_columns = [](const auto& in) { return transpose(softmax(transpose(in[0]), 0)); };
  for (const OpFunction& f : {OpFunction(along_rows), OpFunction(along_columns)}) {
    CHECK(difference(f({x}).array(), expected) < kRounding);
    CHECK(difference(slope_of(f, {x}, 0, u), slope) < kRounding);
  }
  const Tensor partly = parameter(tensor({{-kInf, 0, 0}}));
  const Tensor y = log_softmax(partly);
  CHECK(y.array()(0, 0) == -kInf);
  CHECK(difference(
            slope_of([](const auto& in) { return log_softmax(in[0]); }, {partly}, 0, tensor({{0, 1, 2}})),
            tensor({{0, -0.5, 0.5}}).array()) < kRounding);
  CHECK(difference(slope_of([](const auto& in) { return cross_entropy(in[0], IntArray{2}); }, {partly}, 0, 1),
                   tensor({{0, 0.5, -0.5}}).array()) < kRounding);
}

TEST_CASE("a query whose biases are all -∞ gives zeros to both derivatives", "[ops][edges]") {
  Rng rng(1);
  const Tensor q = parameter(rng.normal_array({2, 2})), k = parameter(rng.normal_array({3, 2})),
               v = parameter(rng.normal_array({3, 2})),
               bias = parameter(tensor({{-kInf, -kInf, -kInf}, {0, -kInf, 1}})), u = ones({2, 2});
  const auto f = [](const auto& in) {
    return scaled_dot_product_attention(in[0], in[1], in[2], {.bias = in[3]});
  };
  const std::vector<Tensor> inputs{q, k, v, bias};
  const Array y = f(inputs).array();
  for (std::size_t c = 0; c < 2; ++c) {
    CHECK(y(0, c) == 0);
    CHECK(slope_of(f, inputs, 0, u)(0, c) == 0);
    CHECK(slope_of(f, inputs, 2, u)(1, c) == 0);  // nobody sees the middle key
  }
  const Array of_bias = slope_of(f, inputs, 3, u);
  for (std::size_t j = 0; j < 3; ++j) CHECK(of_bias(0, j) == 0);
  CHECK(of_bias(1, 1) == 0);
  CHECK(std::abs(of_bias(1, 0) + of_bias(1, 2)) < kRounding);
}

TEST_CASE("layer norm of a constant row is its bias, and far from zero it stays exact", "[ops][edges]") {
  const Tensor x = parameter(full({2, 4}, 7)), w = parameter(ones({4})), b = parameter(tensor({1, 2, 3, 4}));
  const auto f = [](const auto& in) { return layer_norm(in[0], in[1], in[2]); };
  CHECK(difference(slice(f(std::vector<Tensor>{x, w, b}), 0, 0, 1).array(), tensor({{1, 2, 3, 4}}).array()) ==
        0);
  CHECK(difference(slope_of(f, {x, w, b}, 1, ones({2, 4})), zeros({4}).array()) == 0);
  const Tensor near = tensor({0, 1, 2, 5}), far = near + 4096;
  CHECK(difference(layer_norm(far).array(), layer_norm(near).array()) < kRounding);
}

TEST_CASE("maxima with -∞ among them pass the gradient to the larger", "[ops][edges]") {
  const Tensor x = parameter(tensor({-kInf, 1, -kInf})), y = parameter(tensor({2, -kInf, 3}));
  const auto gradients = grad(maximum(x, y), {x, y}, {.cotangent = ones({3})});
  CHECK(difference(gradients[0].array(), tensor({0, 1, 0}).array()) == 0);
  CHECK(difference(gradients[1].array(), tensor({1, 0, 1}).array()) == 0);
  CHECK(difference(grad(max(x), {x})[0].array(), tensor({0, 1, 0}).array()) == 0);
}

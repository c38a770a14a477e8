// Infinities, NaN, and numbers whose squares are out of range: what an op gives is right, or NaN because
// there is no right number, and a NaN is not lost on the way back.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/backward.h"
#include "headlight/autograd/tensor_text.h"
#include "headlight/core/math.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

using TensorFunction = std::function<Tensor(const Tensor&)>;
using NamedFunctions = std::vector<std::pair<std::string, TensorFunction>>;
using OverloadedOp = Tensor (*)(const Tensor&);  // one of overloaded functions
using NamedOps = std::vector<std::pair<std::string, OverloadedOp>>;

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
constexpr Real kNoNumber = std::numeric_limits<Real>::quiet_NaN();

Array slope_at(const TensorFunction& f, const Tensor& x) { return grad(sum(f(x)), {x})[0].array(); }

// By the recorded backward pass, which takes a fused op's reference.
Array recorded_slope_at(const TensorFunction& f, const Tensor& x) {
  return grad(sum(f(x)), {x}, {.create_graph = true})[0].array();
}

std::string printed(const Array& x) { return to_string(Tensor(x)); }

// NamedOps of each number.
const NamedOps& ops_of_numbers() {
  static const NamedOps all{
      {"exp", exp},
      {"expm1", expm1},
      {"log", log},
      {"log1p", log1p},
      {"sqrt", sqrt},
      {"square", square},
      {"tanh", tanh},
      {"sigmoid", sigmoid},
      {"relu", relu},
      {"abs", abs},
      {"erf", erf},
      {"sin", sin},
      {"cos", cos},
      {"sign", sign},
      {"floor", floor},
      {"softplus", softplus},
      {"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
      {"clamp", [](const Tensor& x) { return clamp(x, -1, 1); }},
      {"gelu", [](const Tensor& x) { return gelu(x); }},
      {"exact gelu", [](const Tensor& x) { return gelu(x, Gelu::erf); }},
      {"silu", silu},
      {"maximum", [](const Tensor& x) { return maximum(x, 0); }},
      {"maximum, second", [](const Tensor& x) { return maximum(0, x); }},
      {"minimum", [](const Tensor& x) { return minimum(x, 0); }},
      {"pow", [](const Tensor& x) { return pow(x, 3); }},
      {"huber_loss", [](const Tensor& x) { return huber_loss(x, zeros(x.shape()), 1, Reduction::sum); }}};
  return all;
}

// NamedOps of all numbers together.
const NamedOps& ops_of_rows() {
  static const NamedOps all{{"max", [](const Tensor& x) { return max(x); }},
                            {"min", [](const Tensor& x) { return min(x); }},
                            {"norm", [](const Tensor& x) { return norm(x); }},
                            {"stddev", [](const Tensor& x) { return stddev(x); }},
                            {"logsumexp", [](const Tensor& x) { return logsumexp(x); }},
                            {"softmax", [](const Tensor& x) { return square(softmax(x)); }},
                            {"layer_norm", [](const Tensor& x) { return square(layer_norm(x)); }},
                            {"rms_norm", [](const Tensor& x) { return square(rms_norm(x)); }}};
  return all;
}

void require_relatively_near(double found, double expected) {
  INFO("found " << found << ", expected " << expected);
  CHECK(std::abs(found - expected) <= 20 * kRounding * std::abs(expected));
}

}  // namespace

TEST_CASE("value and gradient at a NaN are NaN", "[ops][edges]") {
  const Tensor x = parameter({kNoNumber}), row = parameter({1, kNoNumber});
  for (const auto& [name, f] : ops_of_numbers()) {
    INFO(name);
    CHECK(std::isnan(f(x).item()));
    for (const auto& by : {slope_at, recorded_slope_at}) CHECK(std::isnan(by(f, x)(0)));
  }
  for (const auto& [name, f] : ops_of_rows()) {
    INFO(name);
    for (const auto& by : {slope_at, recorded_slope_at}) CHECK(std::isnan(by(f, row)(1)));
  }
}

TEST_CASE("an infinite number has the limit's value and slope", "[ops][edges]") {
  const Tensor x = parameter({-kInfinity, kInfinity});
  const std::vector<std::tuple<std::string, std::string, std::string>> right{
      {"exp", "[0.0000, inf]", "[0.0000, inf]"},
      {"expm1", "[-1.0000, inf]", "[0.0000, inf]"},
      {"tanh", "[-1.0000, 1.0000]", "[0.0000, 0.0000]"},
      {"sigmoid", "[0.0000, 1.0000]", "[0.0000, 0.0000]"},
      {"relu", "[0.0000, inf]", "[0.0000, 1.0000]"},
      {"abs", "[inf, inf]", "[-1.0000, 1.0000]"},
      {"erf", "[-1.0000, 1.0000]", "[0.0000, 0.0000]"},
      {"softplus", "[0.0000, inf]", "[0.0000, 1.0000]"},
      {"clamp", "[-1.0000, 1.0000]", "[0.0000, 0.0000]"},
      {"gelu", "[-0.0000, inf]", "[0.0000, 1.0000]"},
      {"exact gelu", "[-0.0000, inf]", "[0.0000, 1.0000]"},
      {"silu", "[-0.0000, inf]", "[0.0000, 1.0000]"},
      {"maximum", "[0.0000, inf]", "[0.0000, 1.0000]"},
      {"minimum", "[-inf, 0.0000]", "[1.0000, 0.0000]"}};
  for (const auto& [name, value, derivative] : right) {
    const auto at = std::find_if(ops_of_numbers().begin(), ops_of_numbers().end(),
                                 [&, wanted = name](const auto& named) { return named.first == wanted; });
    const auto plain = [](std::string t) {
      for (std::size_t i; (i = t.find("-0.0000")) != std::string::npos;) t.erase(i, 1);
      return t;
    };
    INFO(name);
    CHECK(plain(printed(at->second(x).array())) == plain(value));
    CHECK(plain(printed(slope_at(at->second, x))) == plain(derivative));
    CHECK(plain(printed(recorded_slope_at(at->second, x))) == plain(derivative));
  }
  const Tensor power = parameter({kInfinity}), exponent = parameter({-1});
  CHECK(grad(pow(power, exponent), {exponent})[0].item() == 0);
}

TEST_CASE("a slope of 0 stops an infinite cotangent", "[ops][edges]") {
  const NamedOps zero_at_minus_1{{"relu", relu},
                                 {"leaky_relu", [](const Tensor& x) { return leaky_relu(x, 0); }},
                                 {"clamp", [](const Tensor& x) { return clamp(x, 0, 1); }},
                                 {"maximum", [](const Tensor& x) { return maximum(x, 0); }},
                                 {"max", [](const Tensor& x) { return max(x); }}};
  const Tensor x = parameter({-1, 0});
  for (const auto& [name, f] : zero_at_minus_1)
    for (const auto& by : {slope_at, recorded_slope_at}) {
      INFO(name);
      CHECK(by([f = f](const Tensor& y) { return sqrt(f(y)); }, x)(0) == 0);
    }
}

TEST_CASE("gates are closed where the square of a number overflows", "[ops][edges]") {
  const double huge = kDouble ? 1e200 : 1e30;
  const Tensor x = parameter(tensor({-huge, huge}));
  for (const auto& [name, f] : ops_of_numbers()) {
    if (name != "gelu" && name != "exact gelu" && name != "silu") continue;
    INFO(name);
    for (const auto& by : {slope_at, recorded_slope_at}) {
      const Array g = by(f, x);
      CHECK(g(0) == 0);
      CHECK(g(1) == 1);
    }
  }
}

TEST_CASE("expm1 is -1 far below 0", "[ops][edges]") {
  for (const double x : {-40., -100., -700., -717.5, -720., -740., -745., -746., -1e4}) {
    CHECK(math::expm1(x) == -1);
    CHECK(expm1(Tensor(x)).item() == -1);
  }
  require_relatively_near(math::expm1(-30.), std::expm1(-30.));
}

TEST_CASE("a certain and right answer costs nothing, and a certain and wrong one all", "[ops][edges][loss]") {
  const Tensor x = parameter({kInfinity, kInfinity, -kInfinity, -kInfinity}), t = tensor({1, 0, 1, 0});
  const TensorFunction f = [&](const Tensor& y) {
    return binary_cross_entropy_with_logits(y, t, Reduction::none);
  };
  CHECK(printed(f(x).array()) == "[0.0000, inf, inf, 0.0000]");
  CHECK((slope_at(f, x) == Array{0, 1, -1, 0}));
  CHECK((recorded_slope_at(f, x) == Array{0, 1, -1, 0}));
}

TEST_CASE("the Huber loss has a second derivative of 1 near the target, and a bounded slope",
          "[ops][edges][loss]") {
  for (const double d : {-0.9, -1e-9, 0., 1e-9, 0.9, 1.1, 5.}) {
    const Tensor x = parameter(d), g = grad(huber_loss(x, zeros({})), {x}, {.create_graph = true})[0];
    INFO(d);
    require_relatively_near(g.item(), std::clamp(d, -1., 1.));
    CHECK(grad(g, {x}, {.allow_unused = true})[0].item() == (std::abs(d) < 1 ? 1 : 0));
  }
  const Tensor far = parameter({kInfinity, -kInfinity, Real(1e30)});
  const auto f = [](const Tensor& x) { return huber_loss(x, zeros({3}), 2, Reduction::none); };
  CHECK((slope_at(f, far) == Array{2, -2, 2}));
  CHECK((recorded_slope_at(f, far) == Array{2, -2, 2}));
}

TEST_CASE("norms of numbers whose squares are out of range are those of a multiple", "[ops][edges]") {
  const Tensor near = parameter({{1, 2, 4}, {-3, 1, 5}}), u = tensor({{1, -2, 3}, {0.5, 4, -1}});
  const NamedFunctions functions{
      {"norm", [](const Tensor& x) { return norm(x, 1); }},
      {"stddev", [](const Tensor& x) { return stddev(x, 1); }},
      {"layer_norm", [&](const Tensor& x) { return layer_norm(x, {}, {}, 0) * u; }},
      {"rms_norm", [&](const Tensor& x) { return rms_norm(x, {}, 0) * u; }}};
  for (const auto& [name, f] : functions)
    for (const int exponent :
         kDouble ? std::vector<int>{-900, -530, 500, 520, 1000} : std::vector<int>{-120, -76, 60, 66, 120}) {
      const bool is_multiple = name == "norm" || name == "stddev";
      if (!is_multiple && exponent < 0) continue;  // with an eps of 0 only
      const Real scale = std::ldexp(Real(1), exponent);
      INFO(name << " at 2^" << exponent);
      const Tensor x = parameter(Array(near.array() * scale));
      const Array y = f(x).array(), expected = f(near).array();
      for (std::size_t i = 0; i < y.size(); ++i)
        require_relatively_near(y.data()[i] / (is_multiple ? scale : 1), expected.data()[i]);
      // The slope of f(s x) is that of f(x), over s for a function that s does not change.
      const Array g = slope_at(f, x), of_near = slope_at(f, near);
      const Real by = is_multiple ? 1 : scale;
      for (std::size_t i = 0; i < g.size(); ++i)
        if (std::abs(of_near.data()[i] / by) > std::numeric_limits<Real>::min())
          CHECK(std::abs(double(g.data()[i]) * by - of_near.data()[i]) < 100 * kRounding);
    }
}

TEST_CASE("the second derivative of a tiny norm is the inverse of the norm", "[ops][edges]") {
  for (const double size :
       kDouble ? std::vector<double>{1e-160, 1e-100, 1, 1e100} : std::vector<double>{1e-30, 1e-15, 1, 1e15}) {
    const Tensor x = parameter(tensor({size, 0})), g = grad(norm(x), {x}, {.create_graph = true})[0];
    const Array second = grad(g[1], {x})[0].array();  // ∂²/∂x₁∂x of |x|
    INFO(size);
    CHECK(second(0) == 0);
    require_relatively_near(second(1) * size, 1);
  }
}

TEST_CASE("ordinary rows in a batch with a large one keep their bits", "[ops][edges]") {
  Rng rng(3);
  const Tensor ordinary = randn({3, 5}, rng),
               large = tensor({{1, 2, 3, 4, 6}}) * Tensor(kDouble ? 1e160 : 1e25);
  const Tensor both = concat({ordinary, large}, 0);
  CHECK((slice(layer_norm(both), 0, 0, 3).array() == layer_norm(ordinary).array()));
  CHECK((slice(rms_norm(both), 0, 0, 3).array() == rms_norm(ordinary).array()));
}

TEST_CASE("logits far apart are weighed without an overflow", "[ops][edges][softmax]") {
  // UndefinedBehaviorSanitizer saw a signed sum overflow in e^x of them.
  for (const double x : {-100., -200., -800., -1500., -1e4})
    CHECK(to_string(softmax(tensor({{0, x}}))) == "[[1.0000, 0.0000]]");
}

#include "headlight/autograd/gradcheck.h"

#include <limits>

#include "catch.h"
#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

// A softmax whose derivative forgets the row sum.
Tensor wrong_softmax(const Tensor& x) {
  return record("wrong_softmax", {x}, Array(softmax(x).array()),
                [](const Tensor& g, const Tensor& y) { return g * y; });
}

// The identity, with NaN in the first place of its derivative.
Tensor nan_in_front(const Tensor& x) {
  return record("odd", {x}, Array(x.array()), [](const Tensor& g, const Tensor&) {
    Array wrong = g.array();
    wrong.data()[0] = std::numeric_limits<Real>::quiet_NaN();
    return Tensor(std::move(wrong));
  });
}

}  // namespace

TEST_CASE("gradcheck passes a right derivative", "[gradcheck]") {
  const auto report =
      gradcheck("tanh", [](const auto& x) { return tanh(x[0]); }, {parameter(tensor({0.5, -1}))});
  INFO(report.message);
  CHECK(report.ok);
  CHECK(report.error < (kDouble ? 1e-9 : 1e-2));
}

TEST_CASE("gradcheck names op, input, element and both values", "[gradcheck]") {
  const auto report = gradcheck("mul",
                                [](const auto& x) {
                                  return record(
                                      "mul", {x[0], x[1]}, kernels::mul(x[0].array(), x[1].array()),
                                      [y = x[1]](const Tensor& g, const Tensor&) { return g * y; },
                                      [](const Tensor& g, const Tensor&) { return g; });  // should be g * x
                                },
                                {parameter(tensor({{1, 2}, {3, 4}})), parameter(tensor({{5, 6}, {7, 8}}))});
  CHECK_FALSE(report.ok);
  CHECK(report.op == "mul");
  CHECK(report.input == 1);
  CHECK(contains(report.message, "[mul] input 1, element ("));
  CHECK(contains(report.message, "analytic"));
  CHECK(contains(report.message, "numeric"));
}

TEST_CASE("the random cotangent catches a softmax without its row sum", "[gradcheck]") {
  const std::vector<Tensor> x{parameter(tensor({{1, 2, 3}, {0, -1, 2}}))};
  CHECK_FALSE(gradcheck(
                  "wrong", [](const auto& in) { return wrong_softmax(in[0]); }, x)
                  .ok);
  CHECK(gradcheck(
            "right", [](const auto& in) { return softmax(in[0]); }, x)
            .ok);
}

TEST_CASE("a gradient of zeros proves nothing and fails", "[gradcheck]") {
  const auto report = gradcheck("zero", [](const auto& x) { return x[0] * 0; }, {parameter(tensor({1, 2}))});
  CHECK_FALSE(report.ok);
  CHECK(contains(report.message, "proves nothing"));
}

TEST_CASE("the second derivative of a linear op is nothing to check", "[gradcheck]") {
  const std::vector<Tensor> x{parameter(tensor({1, 2}))};
  const auto linear = gradgradcheck(
      "triple", [](const auto& in) { return in[0] * 3; }, x);
  CHECK(linear.ok);
  CHECK(linear.message ==
        "[triple, second derivative] the gradient does not change with the inputs: the op is "
        "linear here, and there is nothing to check");
  // A vjp that leaves the graph looks linear to the engine, but not to differences.
  const auto square = [](const auto& in) {
    return record("square", {in[0]}, Array(in[0].array() * in[0].array()),
                  [x = in[0]](const Tensor& g, const Tensor&) { return g * 2 * x.detach(); });
  };
  CHECK(gradcheck("square", square, x).ok);
  CHECK_FALSE(gradgradcheck("square", square, x).ok);
}

TEST_CASE("a derivative that is NaN in one place fails the check", "[gradcheck]") {
  const auto report =
      gradcheck("odd", [](const auto& x) { return nan_in_front(x[0]); }, {parameter(tensor({1, 2, 3}))});
  CHECK_FALSE(report.ok);
  CHECK(report.element == "(0)");
}

TEST_CASE("gradcheck needs something to differentiate", "[gradcheck]") {
  CHECK(contains(error_of([] { gradcheck("exp", [](const auto& x) { return exp(x[0]); }, {tensor({1})}); }),
                 "no input of 'exp' requires a gradient"));
}

#include "headlight/autograd/gradcheck.h"

#include <algorithm>
#include <cmath>

#include "headlight/autograd/backward.h"
#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/record.h"
#include "headlight/core/kernels.h"
#include "headlight/core/rng.h"

namespace headlight {
namespace {

// Gradients smaller than this are compared absolutely.
constexpr double kSmall = kDouble ? 1e-3 : 1e-2;

using Function = std::function<Tensor(const std::vector<Tensor>&)>;

void check_function(const std::string& op, const Function& f) {
  check(static_cast<bool>(f), "[gradcheck] the function of '{}' is empty.", op);
}

double dot(const Array& x, const Array& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += static_cast<double>(x.data()[i]) * static_cast<double>(y.data()[i]);
  return sum;
}

// New leaves with the same numbers, so that changing them does not affect the caller's.
std::vector<Tensor> copies(const std::vector<Tensor>& inputs) {
  std::vector<Tensor> result;
  for (const Tensor& x : inputs)
    result.push_back(x.requires_grad() ? parameter(x.array()) : Tensor(x.array()));
  return result;
}

// (Σ u ⊙ f(x + h e) - Σ u ⊙ f(x - h e)) / 2h for every element of one input.
std::vector<double> central_differences(const Function& f, std::vector<Tensor>& inputs, std::size_t which,
                                        const Array& u, double h) {
  Array& x = inputs[which].mutable_array();
  std::vector<double> slopes(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real before = x.data()[i];
    const auto at = [&](double shift) {
      x.data()[i] = static_cast<Real>(static_cast<double>(before) + shift);
      const Tensor y = f(inputs);
      check(y.shape() == Shape(u.shape()),
            "[gradcheck] expected a function whose result keeps its shape, got {} and then {}.",
            Shape(u.shape()), y.shape());
      return dot(y.array(), u);
    };
    const double above = at(h);
    const double reached_above = static_cast<double>(x.data()[i]);
    const double below = at(-h);
    const double reached_below = static_cast<double>(x.data()[i]);
    slopes[i] = (above - below) / (reached_above - reached_below);
    x.data()[i] = before;
  }
  return slopes;
}

// x ⊙ w for constant weights w.
Tensor weigh(const Tensor& x, const Array& w) {
  return record("weigh", {x}, kernels::mul(x.array(), w),
                [w](const Tensor& g, const Tensor&) { return weigh(g, w); });
}

// 0, computed from x, with a gradient of zeros.
Tensor zero_from(const Tensor& x) {
  return record("zero_from", {x}, full_array(Shape{}, 0),
                [shape = x.shape()](const Tensor&, const Tensor&) { return zeros(shape); });
}

double largest(const std::vector<double>& values) {
  double m = 0;
  for (double value : values) m = std::max(m, std::abs(value));
  return m;
}

void judge(GradcheckReport& report, double tolerance) {
  report.ok = report.error <= tolerance;
  report.message =
      fmt::format("[{}] input {}, element {}: analytic {:.9g}, numeric {:.9g}, relative error {:.2g}{}",
                  report.op, report.input, report.element, report.analytic, report.numeric, report.error,
                  report.ok ? "" : fmt::format(" > {:.2g}", tolerance));
}

struct Compared {
  GradcheckReport report;
  bool all_zero = true;  // every derivative, on both sides
};

Compared compare(const std::string& op, const Function& f, const std::vector<Tensor>& inputs,
                 const GradcheckOptions& options) {
  check_function(op, f);
  std::vector<Tensor> x = copies(inputs);
  const Tensor y = f(x);
  Rng rng = Rng(options.seed).stream("gradcheck");
  const Array u = rng.normal_array(y.shape());

  std::vector<Tensor> wanted;
  for (const Tensor& input : x)
    if (input.requires_grad()) wanted.push_back(input);
  check(!wanted.empty(), "[gradcheck] no input of '{}' requires a gradient. Hint: make one with parameter().",
        op);
  const std::vector<Tensor> grads = grad(y, wanted, {.cotangent = Tensor(u), .allow_unused = true});

  Compared result;
  GradcheckReport& report = result.report;
  report.op = op;
  report.error = -1;
  const NoGrad no_grad;
  auto analytic = grads.begin();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!x[i].requires_grad()) continue;
    const Array& a = (analytic++)->array();
    const std::vector<double> n = central_differences(f, x, i, u, options.step);
    const double scale = std::max({largest(n), largest(std::vector<double>(a.begin(), a.end())), kSmall});
    for (std::size_t j = 0; j < n.size(); ++j) {
      const auto value = static_cast<double>(a.data()[j]);
      result.all_zero &= value == 0 && n[j] == 0;
      const double difference = std::abs(value - n[j]) / scale;
      const double error = std::isnan(difference) ? HUGE_VAL : difference;
      if (error <= report.error) continue;
      report.input = i;
      report.element = to_string(unravel_index(j, a.shape()));
      report.analytic = value;
      report.numeric = n[j];
      report.error = error;
    }
  }
  judge(report, options.tolerance);
  return result;
}

}  // namespace

GradcheckReport gradcheck(const std::string& op, const Function& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options) {
  auto [report, all_zero] = compare(op, f, inputs, options);
  if (!all_zero) return report;
  report.ok = false;
  report.message = fmt::format("[{}] the gradient is zero everywhere, so the check proves nothing", op);
  return report;
}

GradcheckReport gradgradcheck(const std::string& op, const Function& f, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options) {
  check_function(op, f);
  Rng rng = Rng(options.seed).stream("gradgradcheck");
  const Array u = [&] {
    const NoGrad no_grad;
    return rng.normal_array(f(inputs).shape());
  }();
  // The first gradients, stacked as one differentiable function of the inputs.
  const Function gradient = [&, u](const std::vector<Tensor>& x) {
    const RecordingScope scope(true);
    std::vector<Tensor> wanted;
    for (const Tensor& input : x)
      if (input.requires_grad()) wanted.push_back(input);
    Tensor total = 0;
    for (const Tensor& input : wanted)  // so that the constant gradient of a linear op has a derivative too
      total = add(total, zero_from(input));
    Rng weights = Rng(options.seed).stream("weights");
    for (const Tensor& g :
         grad(f(x), wanted, {.cotangent = Tensor(u), .create_graph = true, .allow_unused = true}))
      total = add(total, sum_to(weigh(g, weights.normal_array(g.shape())), Shape{}));
    return total;
  };
  auto [report, all_zero] = compare(op + ", second derivative", gradient, inputs, options);
  if (!all_zero) return report;
  report.ok = true;
  report.message = fmt::format(
      "[{}] the gradient does not change with the inputs: the op is linear here, and there is nothing to "
      "check",
      report.op);
  return report;
}

}  // namespace headlight

#include "checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/autograd/backward.h"
#include "headlight/autograd/recording.h"
#include "headlight/core/rng.h"

namespace headlight::hunt {
namespace {

double inner(const Array& x, const Array& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x.data()[i] * y.data()[i];
  return sum;
}

}  // namespace

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all{
      {"training", "small models on toy tasks, by several optimizers", training_checks},
      {"optimizer", "a few steps of each optimizer by given gradients, rates, clipping", optimizer_checks},
      {"audit", "parameters of a model that get no gradient", audit_checks},
      {"model", "loss and gradients of models, a part of them changed in each", model_checks},
      {"ledger", "gradients of attention, a block and a model in four ways", ledger_checks},
      {"nan", "ops on extreme numbers, inside an AnomalyScope", nan_checks},
      {"large", "attention and products with many rows, compared with simple ops", large_checks},
      {"gradient", "each op's gradient, compared with central differences", gradient_checks}};
  return all;
}

std::string number(double x) {
  if (std::isnan(x)) return "NaN";
  return std::abs(x) < 1e-9 ? "0" : fmt::format("{:.5g}", x);
}

std::string numbers(const std::vector<double>& x) {
  std::string text;
  for (double each : x) text += (text.empty() ? "" : ", ") + number(each);
  return text;
}

double digest(const Array& x) {
  Rng rng = Rng(3).stream("digest");
  return inner(x, rng.normal_array(x.shape()));
}

bool close(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-2});
}

std::string compared_gradients(const std::function<Tensor()>& loss, const NamedTensors& of) {
  constexpr double h = 1e-3;
  std::vector<Tensor> inputs;
  for (const auto& [name, x] : of) inputs.push_back(x);
  const std::vector<Tensor> gradients = grad(loss(), inputs, {.allow_unused = true});
  const NoGrad no_grad;
  Rng rng = Rng(5).stream("directions");
  std::string first;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Array before = inputs[i].array(), drawn = rng.normal_array(before.shape()),
                direction = drawn / std::sqrt(inner(drawn, drawn));
    const auto at = [&](double shift) {
      inputs[i].mutable_array() = before + shift * direction;
      return static_cast<double>(loss().item());
    };
    // Of fourth order, as in src/course/gradients/ledger.cpp.
    const double measured = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    inputs[i].mutable_array() = before;
    const double computed = inner(gradients[i].array(), direction);
    if (close(computed, measured)) continue;
    if (wrong++ == 0)
      first = fmt::format("gradient of {}: computed {}, measured {} along a random direction", of[i].first,
                          number(computed), number(measured));
  }
  if (wrong == 0) return "gradients as measured";
  return first + (wrong > 1 ? fmt::format("; {} of {} gradients differ", wrong, inputs.size()) : "");
}

}  // namespace headlight::hunt

// Checks lesson 5: the calls that are compared with the solution.
#include <string>
#include <utility>
#include <vector>

#include "entropy_mistakes.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "layer_norm_gradients.h"
#include "mistakes.h"
#include "norm_mistakes.h"

Tensor stable_log_softmax(const Tensor& x);
Tensor log_softmax_vjp(const Tensor& g, const Tensor& y);
double mean_cross_entropy(const Tensor& logits, const IntArray& targets);
Tensor cross_entropy_gradient(const Tensor& logits, const Tensor& q);
Tensor layer_norm_forward(const Tensor& x, const Tensor& w, const Tensor& b, double eps);
LayerNormGradients layer_norm_backward(const Tensor& g, const Tensor& x, const Tensor& w, double eps);
std::vector<Trial> step_sizes();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "step_mistakes.h"

namespace {

using grader::Case;
using grader::drawn;
using grader::named;
using grader::Part;
using grader::part;
using grader::Result;
using grader::shown;

Part log_softmax_part() {
  Rng rng(51);
  std::vector<Case<mistakes::LogSoftmax>> cases;
  const auto on = [&cases](const Tensor& x) {
    cases.push_back(grader::calling<mistakes::LogSoftmax>("stable_log_softmax(x)", named("x", x)));
  };
  on(tensor({{0, 0}, {1, 3}}));
  for (const Shape& shape : {Shape{3, 4}, Shape{5}, Shape{2, 1, 3}, Shape{3, 1}}) on(drawn(rng, shape));
  on(tensor({{1000, 1001, 998}}));                        // e^x overflows
  on(tensor({{0, 1000}}));                                // a probability is stored as 0
  on(tensor({{1000, 999, 1000}, {-1000, -1002, -999}}));  // rows far apart
  return part<mistakes::LogSoftmax>("stable_log_softmax", 1, ::stable_log_softmax,
                                    solution::stable_log_softmax, std::move(cases),
                                    mistakes::of_stable_log_softmax());
}

Part log_softmax_vjp_part() {
  Rng rng(52);
  std::vector<Case<mistakes::LogSoftmaxVjp>> cases;
  const auto on = [&cases](const Tensor& g, const Tensor& scores) {
    cases.push_back(grader::calling<mistakes::LogSoftmaxVjp>("log_softmax_vjp(g, y)", named("g", g),
                                                             named("y", log_softmax(scores))));
  };
  on(tensor({1, 5}), log(tensor({1, 3})));
  for (const Shape& shape : {Shape{3, 4}, Shape{5}, Shape{2, 1, 3}, Shape{3, 1}}) {
    const Tensor g = drawn(rng, shape);
    on(g, drawn(rng, shape));
  }
  on(tensor({{1, 2}}), tensor({{0, 1000}}));
  return part<mistakes::LogSoftmaxVjp>("log_softmax_vjp", 2, ::log_softmax_vjp, solution::log_softmax_vjp,
                                       std::move(cases), mistakes::of_log_softmax_vjp());
}

grader::Shown shown_targets(const IntArray& targets) {
  return {"targets", targets.shape(), std::vector<double>(targets.begin(), targets.end())};
}

Part mean_cross_entropy_part() {
  Rng rng(53);
  std::vector<Case<mistakes::CrossEntropy>> cases;
  const auto on = [&cases](const Tensor& logits, const IntArray& targets) {
    cases.push_back({"mean_cross_entropy(logits, targets)",
                     {shown("logits", logits), shown_targets(targets)},
                     [=](mistakes::CrossEntropy function) {
                       return Result{shown("result", function(logits, targets))};
                     }});
  };
  on(log(tensor({{1, 1}, {1, 3}})), {0, 0});
  on(drawn(rng, {4, 3}), {2, 0, 1, 1});
  on(drawn(rng, {3, 5}), {4, 2, 0});
  on(drawn(rng, {1, 4}), {3});
  on(tensor({{1000, 0, -5}, {0, 3, 1}}), {1, 0});
  return part<mistakes::CrossEntropy>("mean_cross_entropy", 2, ::mean_cross_entropy,
                                      solution::mean_cross_entropy, std::move(cases),
                                      mistakes::of_mean_cross_entropy());
}

Part cross_entropy_gradient_part() {
  Rng rng(56);
  std::vector<Case<mistakes::CrossEntropyGradient>> cases;
  const auto on = [&cases](const Tensor& logits, const Tensor& q) {
    cases.push_back(grader::calling<mistakes::CrossEntropyGradient>("cross_entropy_gradient(logits, q)",
                                                                    named("logits", logits), named("q", q)));
  };
  on(log(tensor({{1, 1}, {1, 3}})), tensor({{1, 0}, {2, 0}}));
  on(drawn(rng, {4, 3}), tensor({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}}));  // one target in each row
  on(drawn(rng, {2, 3}), tensor({{0.5, 0.25, 0.25}, {0.125, 0.75, 0.125}}));     // rows with the sum 1
  on(drawn(rng, {3, 4}), tensor({{1, 2, 0, 0.5}, {0, 0, 0, 0}, {0, 3, 0, 1}}));
  on(drawn(rng, {1, 3}), tensor({{0, 0.5, 0}}));
  on(tensor({{1000, 0, -5}, {0, 3, 1}}), tensor({{0, 2, 0}, {1, 0, 1}}));
  return part<mistakes::CrossEntropyGradient>("cross_entropy_gradient", 3, ::cross_entropy_gradient,
                                              solution::cross_entropy_gradient, std::move(cases),
                                              mistakes::of_cross_entropy_gradient());
}

// What stands in the examples of both parts about layer norm.
Tensor example_x() { return tensor({{0, 0, 8, 8}}); }
Tensor example_w() { return tensor({1, 1, 1, 2}); }

Part layer_norm_forward_part() {
  Rng rng(54);
  std::vector<Case<mistakes::LayerNorm>> cases;
  const auto on = [&cases](const Tensor& x, const Tensor& w, const Tensor& b, double eps) {
    cases.push_back(grader::calling<mistakes::LayerNorm>("layer_norm_forward(x, w, b, eps)", named("x", x),
                                                         named("w", w), named("b", b), named("eps", eps)));
  };
  on(example_x(), example_w(), tensor({0, 0, 0, 1}), 9);
  for (const Shape& shape : {Shape{3, 4}, Shape{5}, Shape{2, 2, 3}, Shape{3, 2}}) {
    const Tensor x = drawn(rng, shape), w = drawn(rng, {shape.back()});
    on(x, w, drawn(rng, {shape.back()}), 0.5);
  }
  on(drawn(rng, {2, 3}), 1, 0, 1e-5);
  on(tensor({{7, 7, 7}, {1, 2, 6}}), tensor({1, 2, 3}), tensor({0, 1, 0}), 1e-5);  // a row of equal numbers
  return part<mistakes::LayerNorm>("layer_norm_forward", 2, ::layer_norm_forward,
                                   solution::layer_norm_forward, std::move(cases),
                                   mistakes::of_layer_norm_forward());
}

Part layer_norm_backward_part() {
  Rng rng(55);
  std::vector<Case<mistakes::LayerNormBack>> cases;
  const auto on = [&cases](const Tensor& g, const Tensor& x, const Tensor& w, double eps) {
    cases.push_back({"layer_norm_backward(g, x, w, eps)",
                     {shown("g", g), shown("x", x), shown("w", w), shown("eps", eps)},
                     [=](mistakes::LayerNormBack function) {
                       const LayerNormGradients d = function(g, x, w, eps);
                       return Result{shown("dx", d.x), shown("dw", d.w), shown("db", d.b)};
                     }});
  };
  on(tensor({{1, 2, 3, 3}}), example_x(), example_w(), 9);
  for (const Shape& shape : {Shape{3, 4}, Shape{5}, Shape{2, 2, 3}, Shape{3, 2}}) {
    const Tensor g = drawn(rng, shape), x = drawn(rng, shape);
    on(g, x, drawn(rng, {shape.back()}), 0.5);
  }
  return part<mistakes::LayerNormBack>("layer_norm_backward", 3, ::layer_norm_backward,
                                       solution::layer_norm_backward, std::move(cases),
                                       mistakes::of_layer_norm_backward());
}

Part step_sizes_part() {
  return grader::experiment_part("step_sizes", 2, ::step_sizes, solution::step_sizes, solution::loss_after,
                                 {.setting = "s",
                                  .measured = "loss",
                                  .least = 0.001,
                                  .most = 1e6,
                                  .whole = false,
                                  .trials = 4,
                                  .tolerance = 1e-6,
                                  .wrong = mistakes::of_step_sizes()});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "05_softmax_and_norms",
        {grader::without(log_softmax_part(), {"log_softmax", "softmax", "logsumexp", "cross_entropy"}),
         grader::without(log_softmax_vjp_part(), {"backward"}),
         grader::without(mean_cross_entropy_part(), {"cross_entropy"}),
         grader::without(cross_entropy_gradient_part(), {"cross_entropy", "backward"}),
         grader::without(layer_norm_forward_part(), {"layer_norm"}),
         grader::without(layer_norm_backward_part(), {"backward"}), step_sizes_part()}};
  });
}

// The checker of exercise 4.
#include <algorithm>
#include <cmath>

#include "exercise.h"
#include "grader/experiment.h"
#include "grader/slips.h"
#include "headlight/core/check.h"
#include "headlight/core/rng.h"
#include "headlight/optim/adam.h"
#include "headlight/optim/sgd.h"
#include "same_work.h"
#include "spiral.h"

// The learner's.
std::vector<double> train_until(double enough, std::size_t most, const std::function<Tensor()>& loss,
                                optim::Optimizer& optimizer);
double best_rate(const std::vector<double>& curvatures);
void adamw_step(Array& w, Array& m, Array& v, const Array& g, std::size_t t, const optim::AdamConfig& c);
Tensor mlp(const Tensor& x, const std::vector<Tensor>& p);
std::vector<Tensor> separate(const Data& points, Rng& rng);
std::vector<Trial> same_work();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_adamw.h"
#include "mistakes_network.h"
#include "mistakes_work.h"

namespace {

using namespace grader;
using mistakes::TrainUntil, mistakes::BestRate, mistakes::AdamWStep, mistakes::Mlp, mistakes::Separate;

Array numbers(const NestedList& nested) { return tensor(nested).array(); }

// loss() = Σ w·w by SGD. `left` stands in the gradient beforehand; 0 leaves it empty.
Case<TrainUntil> square_case(double enough, std::size_t most, const optim::SGDConfig& config,
                             const Array& start, double left = 0) {
  return {fmt::format("train_until({}, {}, loss, optimizer)   with loss() = sum(w·w){}", enough, most,
                      left == 0 ? "" : ", and a gradient that was left in w"),
          {shown("w", start), shown("rate", config.learning_rate)},
          [=](const TrainUntil& function) {
            Tensor w = parameter(start);
            if (left != 0) w.set_grad(full(start.shape(), left));
            optim::SGD optimizer({w}, config);
            const std::vector<double> losses = function(
                enough, most, [&] { return sum(w * w); }, optimizer);
            return Result{shown("losses", losses), shown("w", w.array())};
          }};
}

Part train_part() {
  return part<TrainUntil>(
      "train_until", 1, ::train_until, solution::train_until,
      {square_case(0.1, 10, {.learning_rate = 0.25}, numbers({1})),
       square_case(0, 3, {.learning_rate = 0.1}, numbers({2, -1})),
       square_case(0.5, 10, {.learning_rate = 0.2}, numbers({{1, 3, -2}}), 4),
       square_case(1e-3, 8, {.learning_rate = 0.05, .momentum = 0.5}, numbers({0.5, -0.25, 1}), -1),
       square_case(5, 4, {.learning_rate = 0.1}, numbers({1, 1})),
       square_case(0.25, 9, {.learning_rate = 0.25}, numbers({1}))},
      slips_of<TrainUntil>(mistakes::train, mistakes::kSlipsInTraining));
}

Part rate_part() {
  std::vector<Case<BestRate>> cases;
  for (const std::vector<double>& curvatures : std::vector<std::vector<double>>{
           {8, 0.5}, {0.25, 2, 1}, {3, 0.125, 7, 0.5, 3}, {2, 9, 1, 4}, {4}, {5, 5}})
    cases.push_back(calling<BestRate>("best_rate(curvatures)", named("curvatures", curvatures)));
  return part<BestRate>("best_rate", 2, ::best_rate, solution::best_rate, cases,
                        slips_of<BestRate>(mistakes::rate, mistakes::kSlipsInRates));
}

// Steps `first` to `last`, each with a gradient of its own.
Case<AdamWStep> adamw_case(const Array& w, const std::vector<Array>& gradients, std::size_t first,
                           const optim::AdamConfig& c) {
  std::vector<Shown> inputs{shown("w", w), shown("g", gradients[0])};
  for (std::size_t i = 1; i < gradients.size(); ++i)
    inputs.push_back(shown(fmt::format("g of step {}", first + i), gradients[i]));
  return {
      fmt::format("adamw_step(w, m, v, g, {}, c)   with betas {} and {}, eps {}, rate {}, decay {}{}", first,
                  c.beta1, c.beta2, c.eps, c.learning_rate, c.weight_decay,
                  gradients.size() > 1 ? fmt::format(", up to step {}", first + gradients.size() - 1) : ""),
      inputs, [=](const AdamWStep& function) {
        Array next = w, m = full_array(w.shape(), 0), v = m;
        for (std::size_t i = 0; i < gradients.size(); ++i) function(next, m, v, gradients[i], first + i, c);
        return Result{shown("m", m), shown("v", v), shown("w", next)};
      }};
}

Part adamw_part() {
  Rng rng(2);
  const auto some = [&](const Shape& shape) { return rng.normal_array(shape); };
  const auto config = [](double rate, double beta1, double beta2, double eps, double decay) {
    return optim::AdamConfig{
        .learning_rate = rate, .beta1 = beta1, .beta2 = beta2, .eps = eps, .weight_decay = decay};
  };
  const Array start = some({2, 3}), row = some({4});
  return part<AdamWStep>(
      "adamw_step", 2, ::adamw_step, solution::adamw_step,
      {adamw_case(numbers({1}), {numbers({0.5})}, 1, config(0.1, 0.9, 0.99, 0, 0.5)),
       adamw_case(start, {some({2, 3}), some({2, 3})}, 1, config(0.2, 0.8, 0.95, 0.1, 0.25)),
       adamw_case(row, {some({4}), some({4}), some({4})}, 1, config(0.05, 0.9, 0.999, 1e-8, 0)),
       adamw_case(numbers({{2}, {-1}}), {numbers({{0.25}, {3}})}, 7, config(0.5, 0.5, 0.75, 0.5, 0.125))},
      slips_of<AdamWStep>(mistakes::adamw_with_slips, mistakes::kSlipsInAdamW));
}

Case<Mlp> mlp_case(const std::string& what, const Tensor& x, const std::vector<Tensor>& p) {
  std::vector<Shown> inputs{shown("x", x)};
  for (std::size_t i = 0; i < p.size(); ++i) inputs.push_back(shown(fmt::format("p[{}]", i), p[i]));
  return {"mlp(x, p)   " + what, inputs,
          [=](const Mlp& function) { return Result{shown("result", function(x, p))}; }};
}

Part mlp_part() {
  Rng rng(3);
  const auto some = [&](const Shape& shape) { return randn(shape, rng); };
  const auto layers = [&](const std::vector<std::size_t>& widths) {
    std::vector<Tensor> p;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      p.push_back(some({widths[i], widths[i + 1]}));
      p.push_back(some({widths[i + 1]}));
    }
    return p;
  };
  const auto random = [&](const std::string& what, std::size_t points,
                          const std::vector<std::size_t>& widths) {
    const Tensor x = some({points, widths[0]});
    return mlp_case(what, x, layers(widths));
  };
  return part<Mlp>("mlp", 2, ::mlp, solution::mlp,
                   {mlp_case("two layers", tensor({{1, 2}}),
                             {tensor({{1, -1}, {1, -1}}), tensor({0, 1}), tensor({{2}, {3}}), tensor({-7})}),
                    random("three layers", 5, {2, 4, 3, 2}), random("one layer", 3, {4, 1}),
                    random("four layers", 1, {3, 6, 1, 5, 2})},
                   slips_of<Mlp>(mistakes::mlp_with_slips, mistakes::kSlipsInMlp));
}

// The share of units of the first layer that are above 0 for at least one point. 1 without hidden layers.
double share_alive(const std::vector<Tensor>& p, const Data& points) {
  const Tensor units = max(relu(linear(points.x, p[0], p[1])), {0});
  return p.size() < 4 ? 1 : mean(where(greater(units, 0), 1, 0)).item();
}

// Are there two different columns in the weights of the first layer?
bool units_differ(const Tensor& W) {
  return W.length(1) == 1 || max(abs(W - slice(W, 1, 0, 1))).item() > 1e-9;
}

bool biases_move(const Tensor& b) { return max(abs(b)).item() > 1e-9; }

// Whether the outputs for the points are about as large as y, which is 1 or -1.
bool outputs_in_range(const std::vector<Tensor>& p, const Data& points) {
  return max(abs(solution::mlp(points.x, p))).item() < 20;
}

// Whether the outputs for the points differ by more than a mean of all y would.
bool outputs_differ(const std::vector<Tensor>& p, const Data& points) {
  return var(solution::mlp(points.x, p)).item() > 1e-2;
}

bool finite(const std::vector<Tensor>& p) {
  for (const Tensor& t : p)
    for (const double number : t.array())
      if (!std::isfinite(number)) return false;
  return true;
}

Data first_points(const Data& points) { return {slice(points.x, 0, 0, 20), slice(points.y, 0, 0, 20)}; }

// How far the training came, as answers of yes (1) and no (0): the numbers themselves depend on the learner's
// choices.
Case<Separate> spiral_case(std::uint64_t seed) {
  return {fmt::format("separate(points, rng)   with the seed {}; 1 is yes, 0 is no", seed),
          {},
          [=](Separate function) {
            Rng rng(seed), drawn(seed + 100);
            const Data points = spiral(200, drawn), fresh = spiral(1000, drawn);
            const std::vector<Tensor> p = function(points, rng);
            check(p.size() >= 2 && p.size() % 2 == 0,
                  "[separate] expected W and b of each layer, got {} tensors.", p.size());
            const auto right = [&](const Data& data) {
              return share_right(solution::mlp(data.x, p), data.y) >= 0.98;
            };
            const bool all_finite = finite(p), solved = all_finite && right(fresh);
            const auto yes = [&](const char* question, bool answer) {
              return shown(question, solved || (all_finite && answer));
            };
            return Result{
                yes("are all numbers finite?", all_finite),
                yes("is there a hidden layer?", p.size() >= 4),
                yes("do the hidden units differ?", units_differ(p[0])),
                yes("is most of them above 0 somewhere?", share_alive(p, points) > 0.5),
                yes("are the first biases other than 0?", biases_move(p[1])),
                yes("are the outputs less than 20 times as large as y?", outputs_in_range(p, points)),
                yes("do the outputs differ from point to point?", outputs_differ(p, points)),
                yes("are the first 20 points right?", right(first_points(points))),
                yes("are 98 % of the 200 points right?", right(points)),
                yes("are 98 % of 1000 fresh points right?", solved)};
          }};
}

Part separate_part() {
  return part("separate", 3, ::separate, solution::separate, {spiral_case(1), spiral_case(2)},
              mistakes::of_separate());
}

Part experiment() {
  return experiment_part("same_work", 1, ::same_work, solution::same_work, mistakes::percent_of,
                         {.setting = "batch",
                          .measured = "percent right",
                          .least = 1,
                          .most = 200,
                          .trials = 4,
                          .wrong = mistakes::of_same_work()});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"04_training",
                            {train_part(), rate_part(), grader::without(adamw_part(), {"AdamW", "Adam"}),
                             mlp_part(), separate_part(), experiment()}};
  });
}

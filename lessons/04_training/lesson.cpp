// Lesson 4: training, from a line through seven points to a network that separates two spirals.
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "headlight/nn/layers.h"
#include "headlight/optim/adam.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "spiral.h"

using namespace headlight;
using namespace headlight::lesson;

Tensor squared_error(const Tensor& predicted, const Tensor& wanted) {
  const Tensor difference = predicted - wanted;
  return mean(difference * difference);
}

// The loss of the line y = w[0]·x + w[1] on seven measured points.
Tensor line_loss(const Tensor& w) {
  const Tensor x = tensor({0, 0.5, 1, 1.5, 2, 2.5, 3}), y = tensor({-0.8, -0.3, 0.9, 2.1, 2.8, 4.3, 4.9});
  const Tensor slope = slice(w, 0, 0, 1), intercept = slice(w, 0, 1, 2);
  return squared_error(slope * x + intercept, y);
}

// One step: from w, its gradient g and the number t of the step, which counts from 1, to the next w.
using Rule = std::function<Tensor(const Tensor& w, const Tensor& g, std::size_t t)>;

Rule gradient_descent(double rate) {
  return [=](const Tensor& w, const Tensor& g, std::size_t) { return w - rate * g; };
}

Path walk(const std::string& name, Rule rule, std::size_t steps) {
  Path path{name, {}, {}, {}};
  Tensor w = parameter(tensor({0, 0}));
  for (std::size_t t = 1;; ++t) {
    const Tensor loss = line_loss(w);
    path.slope.push_back(w.array()(0));
    path.intercept.push_back(w.array()(1));
    path.loss.push_back(loss.item());
    if (t > steps) return path;
    loss.backward();
    w = parameter(rule(w.detach(), w.grad(), t));
  }
}

void a_line() {
  section("1. A line, a loss, a step");
  const Tensor w = parameter(tensor({0, 0})), loss = line_loss(w);
  loss.backward();
  say("At slope 0 and intercept 0 the loss is {:.4f} and its gradient {}.", loss.item(), to_string(w.grad()));
  print_steps(walk("", gradient_descent(0.1), 60));
}

void learning_rate(const Pictures& pictures) {
  section("2. The learning rate");
  std::vector<Path> paths;
  for (double rate : {0.005, 0.1, 0.22, 0.26})
    paths.push_back(walk(fmt::format("{}", rate), gradient_descent(rate), 40));
  print_rates(paths);
  draw_rates(pictures, line_loss, paths);
}

// v ← momentum·v + g,   w ← w - rate·v
Rule momentum_by_hand(double rate, double momentum) {
  return [=, v = Tensor(0)](const Tensor& w, const Tensor& g, std::size_t) mutable {
    v = momentum * v + g;
    return w - rate * v;
  };
}

// m and v are running means of g and g². Each starts at 0 and is too small at first: hence the divisions.
Rule adamw_by_hand(const optim::AdamConfig& c) {
  return [=, m = Tensor(0), v = Tensor(0)](const Tensor& w, const Tensor& g, std::size_t t) mutable {
    m = c.beta1 * m + (1 - c.beta1) * g;
    v = c.beta2 * v + (1 - c.beta2) * g * g;
    const Tensor m_hat = m / (1 - math::power(c.beta1, t));
    const Tensor v_hat = v / (1 - math::power(c.beta2, t));
    const Tensor decayed = w - c.learning_rate * c.weight_decay * w;
    return decayed - c.learning_rate * m_hat / (sqrt(v_hat) + c.eps);
  };
}

// The same by an optimizer of the library. It moves a parameter of its own.
Rule by_headlight(const std::string& name, const optim::OptimizerConfig& config) {
  const Tensor own = parameter(tensor({0, 0}));
  std::shared_ptr<optim::Optimizer> optimizer = optim::optimizers().find(name)({own}, config);
  return [=](const Tensor&, const Tensor& g, std::size_t) {
    Tensor(own).set_grad(g);
    optimizer->step();
    return own.detach();
  };
}

void four_rules(const Pictures& pictures) {
  section("3. Momentum, Adam, AdamW");
  const optim::AdamConfig adam{.learning_rate = 0.3}, adamw{.learning_rate = 0.3, .weight_decay = 0.1};
  std::vector<Path> paths;
  say("              loss after 10, 20 and 60 steps      by hand and by Headlight");
  for (const auto& [name, rule, same_rule] :
       {std::tuple{"SGD", gradient_descent(0.1), by_headlight("sgd", {.learning_rate = 0.1, .beta1 = 0})},
        std::tuple{"momentum", momentum_by_hand(0.03, 0.9),
                   by_headlight("sgd", {.learning_rate = 0.03, .beta1 = 0.9})},
        std::tuple{"Adam", adamw_by_hand(adam), by_headlight("adam", adam)},
        std::tuple{"AdamW", adamw_by_hand(adamw), by_headlight("adamw", adamw)}}) {
    paths.push_back(walk(name, rule, 60));
    print_rule(paths.back(), walk(name, same_rule, 60));
  }
  draw_rules(pictures, line_loss, paths);
}

// Two inputs, two hidden layers that bend, one output: positive for one arm, negative for the other.
struct Network {
  nn::Linear first, second, last;

  explicit Network(Rng rng) : first(2, 32, rng), second(32, 32, rng), last(32, 1, rng) {}
  Tensor operator()(const Tensor& x) const { return last(relu(second(relu(first(x))))); }
  void visit(auto&& v) { v("first", first), v("second", second), v("last", last); }
};

double percent_right(const Model& model, const Data& data) {
  return 100 * share_right(model(data.x), data.y);
}

using Batch = std::function<Data(std::size_t step)>;

// `look` is called before each step and at the end.
void train(const Model& model, const Batch& batch, optim::Optimizer& optimizer, std::size_t steps,
           const std::function<void(std::size_t step)>& look = {}) {
  for (std::size_t step = 0;; ++step) {
    if (look) look(step);
    if (step == steps) return;
    const Data data = batch(step);
    const Tensor loss = squared_error(model(data.x), data.y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

const optim::AdamConfig kAdamW{.learning_rate = 0.01, .weight_decay = 0.01};

// 50 of the points, others in each step.
Batch batches(const Data& points, std::uint64_t seed) {
  return [=](std::size_t step) {
    Rng rng = Rng(seed).stream("batch", step);
    return some(points, 50, rng);
  };
}

void two_spirals(const Data& points) {
  section("4. Two spirals");
  Rng rng(1);
  const nn::Linear line(2, 1, rng);
  optim::AdamW optimizer(nn::parameters(line), kAdamW);
  train(line, batches(points, 1), optimizer, 400);
  say("A line through the plane gets {:.1f} % of the {} points right.", percent_right(line, points),
      points.y.size());
  say("The network has {} parameters.", nn::parameter_count(nn::named_parameters(Network(Rng(1)))));
}

// The loss on one batch after 0, 50 and 200 steps, when each output is passed through `bug`.
void overfit(const std::string& name, const Network& network, const Data& batch,
             const Model& bug = identity) {
  const Model model = [&](const Tensor& x) { return bug(network(x)); };
  optim::AdamW optimizer(nn::parameters(network), kAdamW);
  std::string losses;
  train(
      model, [&](std::size_t) { return batch; }, optimizer, 200,
      [&](std::size_t step) {
        if (step == 0 || step == 50 || step == 200)
          losses += fmt::format("   {:.4f}", squared_error(model(batch.x), batch.y).item());
      });
  say("  {:<32}{}", name, losses);
}

void one_batch(const Data& points) {
  section("5. Overfit one batch first");
  Rng rng(1);
  const Data batch = some(points, 20, rng);
  Network zero(Rng(1));
  for (Tensor& p : nn::parameters(zero)) p.mutable_array().fill(0);
  say("AdamW on the same 20 points          step 0   50       200");
  overfit("as it should be", Network(Rng(1)), batch);
  overfit("all weights 0 at the start", zero, batch);
  overfit("outputs (20) against (20,1)", Network(Rng(1)), batch,
          [](const Tensor& outputs) { return reshape(outputs, {-1}); });
  say("\nWithout zero_grad() the second backward() is refused:");
  const Network network(Rng(1));
  optim::AdamW optimizer(nn::parameters(network), kAdamW);
  squared_error(network(batch.x), batch.y).backward();
  optimizer.step();
  show_refusal([&] { squared_error(network(batch.x), batch.y).backward(); });
}

std::unique_ptr<optim::Optimizer> optimizer_of(const std::string& name, const Network& network) {
  const std::vector<Tensor> p = nn::parameters(network);
  if (name == "AdamW") return optim::optimizers().find("adamw")(p, kAdamW);
  if (name == "SGD") return optim::optimizers().find("sgd")(p, {.learning_rate = 0.1, .beta1 = 0});
  return optim::optimizers().find("sgd")(p, {.learning_rate = 0.03, .beta1 = 0.9});
}

void train_it(const Pictures& pictures, const Data& points, const Data& fresh) {
  section("6. Training");
  say("  percent right at step      0      50     100     200     400   fresh points");
  std::vector<draw::Series> curves;
  std::vector<draw::Plane> planes;
  for (const std::string name : {"SGD", "momentum", "AdamW"}) {
    const Network network(Rng(1));
    std::vector<double> losses;
    std::string right;
    train(network, batches(points, 1), *optimizer_of(name, network), 400, [&](std::size_t step) {
      if (step % 10 == 0) losses.push_back(squared_error(network(points.x), points.y).item());
      if (in_table(step)) right += fmt::format("   {:5.1f}", percent_right(network, points));
      if (name == "AdamW" && in_figure(step)) planes.push_back(drawn_model(step, network, points));
    });
    say("  {:<20} {}   {:12.1f}", name, right, percent_right(network, fresh));
    curves.push_back(curve(name, losses, 10));
  }
  draw_training(pictures, curves, planes);
}

void seeds(const Data& points, const Data& fresh) {
  section("7. Seeds");
  say("Percent of the fresh points right after 200 steps:");
  say("  seed           1        2        3        4        5        1");
  for (const std::string name : {"SGD", "momentum", "AdamW"}) {
    std::string right;
    for (std::uint64_t seed : {1, 2, 3, 4, 5, 1}) {
      const Network network{Rng(seed)};
      train(network, batches(points, seed), *optimizer_of(name, network), 200);
      right += fmt::format("   {:6.1f}", percent_right(network, fresh));
    }
    say("  {:<8} {}", name, right);
  }
}

int main(int argc, char** argv) {
  return run(argc, argv, "04_training", [](const Pictures& pictures) {
    say("Lesson 4: training");
    a_line();
    learning_rate(pictures);
    four_rules(pictures);
    Rng rng(1);
    const Data points = spiral(200, rng), fresh = spiral(1000, rng);
    two_spirals(points);
    one_batch(points);
    train_it(pictures, points, fresh);
    seeds(points, fresh);
  });
}

// Lesson 4: training, from a line through seven points to a network that separates two spirals.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "headlight/nn/layers.h"
#include "headlight/optim/adam.h"
#include "lesson_program.h"
#include "pictures.h"
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

// How one step changes parameters: from w, its gradient g, and the number t of the step, from 1, to the next
// w.
using Rule = std::function<Tensor(const Tensor& w, const Tensor& g, std::size_t t)>;

Rule gradient_descent(double rate) {
  return [=](const Tensor& w, const Tensor& g, std::size_t) { return w - rate * g; };
}

// A line and its loss, at the start and after each step.
struct Path {
  std::vector<double> slope, intercept, loss;
};

Path walk(Rule rule, std::size_t steps) {
  Path path;
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

draw::Series drawn(const std::string& name, const Path& path) { return {name, path.slope, path.intercept}; }

void a_line() {
  section("1. A line, a loss, a step");
  const Tensor w = parameter(tensor({0, 0}));
  line_loss(w).backward();
  say("At slope 0 and intercept 0 the loss is {:.4f} and its gradient {}.", line_loss(w).item(),
      to_string(w.grad()));
  const Path path = walk(gradient_descent(0.1), 60);
  say("   step    slope   intercept     loss");
  for (std::size_t step : {0, 1, 2, 5, 10, 20, 60}) {
    say("  {:5}   {:6.4f}   {:9.4f}   {:6.4f}", step, path.slope[step], path.intercept[step],
        path.loss[step]);
  }
}

void learning_rate(const Pictures& pictures) {
  section("2. The learning rate");
  std::vector<draw::Series> paths;
  std::vector<draw::Series> curves;
  say("   rate    loss after 1, 2, 5, 10 and 40 steps");
  for (double rate : {0.005, 0.1, 0.22, 0.26}) {
    const Path path = walk(gradient_descent(rate), 40);
    std::string losses;
    for (std::size_t step : {1, 2, 5, 10, 40}) losses += fmt::format("   {:8.4f}", path.loss[step]);
    say("  {:5} {}", rate, losses);
    curves.push_back(curve(fmt::format("rate {}", rate), path.loss));
    if (rate != 0.005) paths.push_back(drawn(fmt::format("rate {}", rate), walk(gradient_descent(rate), 15)));
  }
  pictures.write("landscape.svg",
                 svg_paths("The loss of a line, and 15 steps down its slope", line_loss, paths));
  pictures.write(
      "rates.svg",
      draw::svg_chart(
          {"Too small, good, large, too large", {"step"}, {.label = "loss", .logarithmic = true}, curves}));
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
  std::vector<draw::Series> paths;
  say("              loss after 10, 20 and 60 steps      by hand and by Headlight");
  for (const auto& [name, rule, same_rule] :
       {std::tuple{"SGD", gradient_descent(0.1), by_headlight("sgd", {.learning_rate = 0.1, .beta1 = 0})},
        std::tuple{"momentum", momentum_by_hand(0.03, 0.9),
                   by_headlight("sgd", {.learning_rate = 0.03, .beta1 = 0.9})},
        std::tuple{"Adam", adamw_by_hand(adam), by_headlight("adam", adam)},
        std::tuple{"AdamW", adamw_by_hand(adamw), by_headlight("adamw", adamw)}}) {
    const Path path = walk(rule, 60), other = walk(same_rule, 60);
    double difference = 0;
    for (std::size_t i = 0; i < path.loss.size(); ++i)
      difference = std::max({difference, std::abs(path.slope[i] - other.slope[i]),
                             std::abs(path.intercept[i] - other.intercept[i])});
    say("  {:<8}   {:8.4f}   {:8.4f}   {:8.4f}      {}", name, path.loss[10], path.loss[20], path.loss[60],
        difference == 0      ? "the same bits"
        : difference < 1e-12 ? "the same 12 decimals"
                             : "different");
    paths.push_back(drawn(name, path));
  }
  pictures.write("rules.svg", svg_paths("Four rules on the same landscape, 60 steps each", line_loss, paths));
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

// The loss on one batch before and after 200 steps, when each output is passed through `bug`.
void overfit(const std::string& name, const Network& network, const Data& batch,
             const Model& bug = identity) {
  optim::AdamW optimizer(nn::parameters(network), kAdamW);
  std::vector<double> losses;
  for (int step = 0; step <= 200; ++step) {
    const Tensor loss = squared_error(bug(network(batch.x)), batch.y);
    losses.push_back(loss.item());
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  say("  {:<34} {:.4f}   {:.4f}   {:.4f}", name, losses[0], losses[50], losses[200]);
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
      const bool shown = step == 50 || step == 100 || step == 200 || step == 400;
      if (shown || step == 0) right += fmt::format("   {:5.1f}", percent_right(network, points));
      if (name == "AdamW" && (shown || step == 0 || step == 25))
        planes.push_back(drawn_model(fmt::format("step {}", step), network, points));
    });
    say("  {:<20} {}   {:12.1f}", name, right, percent_right(network, fresh));
    curves.push_back(curve(name, losses, 10));
  }
  pictures.write(
      "curves.svg",
      draw::svg_chart(
          {"Loss on all 200 points, three rules", {"step"}, {.label = "loss", .logarithmic = true}, curves}));
  pictures.write("boundary.svg",
                 draw::svg_planes("What the network says at each place, along AdamW's training", planes, 3,
                                  "output above 1", "below -1"));
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

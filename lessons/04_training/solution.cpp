// Exercise 4, solved.
#include <algorithm>

#include "exercise.h"
#include "headlight/optim/adam.h"
#include "same_work.h"
#include "spiral.h"

// Part 1 ★  train_until
std::vector<double> train_until(double enough, std::size_t most, const std::function<Tensor()>& loss,
                                optim::Optimizer& optimizer) {
  std::vector<double> losses;
  for (std::size_t step = 0; step < most; ++step) {
    const Tensor now = loss();
    losses.push_back(now.item());
    if (now.item() <= enough) break;
    optimizer.zero_grad();
    now.backward();
    optimizer.step();
  }
  return losses;
}

// Part 2 ★★  best_rate
// A step multiplies a distance by 1 - rate · c. Of all directions the steepest and the flattest have the
// largest |1 - rate · c|. With a larger rate the one grows, with a smaller rate the other: they are best
// equal. rate · steepest - 1 = 1 - rate · flattest
double best_rate(const std::vector<double>& curvatures) {
  const auto [flattest, steepest] = std::minmax_element(curvatures.begin(), curvatures.end());
  return 2 / (*flattest + *steepest);
}

// Part 3 ★★  adamw_step
void adamw_step(Array& w, Array& m, Array& v, const Array& g, std::size_t t, const optim::AdamConfig& c) {
  const double unbias_m = 1 - math::power(c.beta1, t), unbias_v = 1 - math::power(c.beta2, t);
  for (std::size_t i = 0; i < w.size(); ++i) {
    double &wi = w.data()[i], &mi = m.data()[i], &vi = v.data()[i];
    const double gi = g.data()[i];
    mi = c.beta1 * mi + (1 - c.beta1) * gi;
    vi = c.beta2 * vi + (1 - c.beta2) * gi * gi;
    const double direction = mi / unbias_m / (std::sqrt(vi / unbias_v) + c.eps);
    wi -= c.learning_rate * (c.weight_decay * wi + direction);
  }
}

// Part 4 ★★  mlp
Tensor mlp(const Tensor& x, const std::vector<Tensor>& p) {
  Tensor h = linear(x, p[0], p[1]);
  for (std::size_t i = 2; i + 1 < p.size(); i += 2) h = linear(relu(h), p[i], p[i + 1]);
  return h;
}

// Part 5 ★★★  separate
std::vector<Tensor> separate(const Data& points, Rng& rng) {
  std::vector<Tensor> p;
  for (const auto& [in, out] : {std::pair<std::size_t, std::size_t>{2, 32}, {32, 32}, {32, 1}}) {
    p.push_back(parameter(randn({in, out}, rng, 1 / std::sqrt(static_cast<double>(in)))));
    p.push_back(parameter(zeros({out})));
  }
  std::vector<Array> m, v;
  for (const Tensor& w : p) {
    m.emplace_back(w.shape(), 0.0);
    v.emplace_back(w.shape(), 0.0);
  }
  const optim::AdamConfig config{.learning_rate = 0.01};
  for (std::size_t t = 1; t <= 400; ++t) {
    const Tensor error = mlp(points.x, p) - points.y;
    mean(error * error).backward();
    for (std::size_t i = 0; i < p.size(); ++i) {
      adamw_step(p[i].mutable_array(), m[i], v[i], p[i].grad().array(), t, config);
      p[i].zero_grad();
    }
  }
  return p;
}

// Part 6 ★  same_work
std::vector<Trial> same_work() {
  std::vector<Trial> trials = {{200, 95, 0}, {50, 90, 0}, {5, 60, 0}, {1, 50, 0}};
  for (Trial& trial : trials)
    trial.measured = percent_after_same_work(static_cast<std::size_t>(trial.setting));
  return trials;
}

// What people get wrong in parts 4 and 5 of exercise 4.
#pragma once

#include "exercise.h"
#include "grader/part.h"
#include "headlight/optim/adam.h"
#include "headlight/optim/sgd.h"
#include "spiral.h"

namespace mistakes {

using grader::Mistake;
using Mlp = Tensor (*)(const Tensor&, const std::vector<Tensor>&);
using Separate = std::vector<Tensor> (*)(const Data&, Rng&);

inline Tensor bends_the_output(const Tensor& x, const std::vector<Tensor>& p) {
  return relu(solution::mlp(x, p));
}

inline Tensor never_bends(const Tensor& x, const std::vector<Tensor>& p) {
  Tensor h = x;
  for (std::size_t i = 0; i < p.size(); i += 2) h = linear(h, p[i], p[i + 1]);
  return h;
}

inline Tensor bends_once(const Tensor& x, const std::vector<Tensor>& p) {
  Tensor h = linear(x, p[0], p[1]);
  for (std::size_t i = 2; i < p.size(); i += 2) h = linear(i == 2 ? relu(h) : h, p[i], p[i + 1]);
  return h;
}

inline Tensor bends_the_input(const Tensor& x, const std::vector<Tensor>& p) {
  return solution::mlp(relu(x), p);
}

inline Tensor bends_before_the_bias(const Tensor& x, const std::vector<Tensor>& p) {
  Tensor h = x;
  for (std::size_t i = 0; i < p.size(); i += 2) {
    const Tensor product = matmul(h, p[i]);
    h = (i + 2 < p.size() ? relu(product) : product) + p[i + 1];
  }
  return h;
}

inline Tensor without_biases(const Tensor& x, const std::vector<Tensor>& p) {
  Tensor h = matmul(x, p[0]);
  for (std::size_t i = 2; i < p.size(); i += 2) h = matmul(relu(h), p[i]);
  return h;
}

inline Tensor bends_by_tanh(const Tensor& x, const std::vector<Tensor>& p) {
  Tensor h = linear(x, p[0], p[1]);
  for (std::size_t i = 2; i < p.size(); i += 2) h = linear(tanh(h), p[i], p[i + 1]);
  return h;
}

inline Tensor two_layers_only(const Tensor& x, const std::vector<Tensor>& p) {
  return p.size() < 4 ? linear(x, p[0], p[1]) : linear(relu(linear(x, p[0], p[1])), p[2], p[3]);
}

inline Tensor a_layer_early(const Tensor& x, const std::vector<Tensor>& p) {
  if (p.size() < 4) return x;
  return solution::mlp(x, {p.begin(), p.end() - 2});
}

inline std::vector<Mistake<Mlp>> of_mlp() {
  const std::string read = "Two spirals";
  return {
      {"output-bent",
       "You apply relu to the output as well. Then it is never negative, and can never be -1. Relu stands "
       "between "
       "two layers only.",
       read, bends_the_output},
      {"never-bent",
       "There is no relu between your layers. Layers without a bend between them are one straight layer, "
       "however "
       "many they are.",
       read, never_bends},
      {"bent-once", "You apply relu after the first layer only. It stands between every two layers.", read,
       bends_once},
      {"input-bent",
       "You apply relu to x itself. The first layer takes x as it is, with its negative numbers.", read,
       bends_the_input},
      {"bent-before-the-bias",
       "You apply relu to x·W and add the bias afterwards. The bias decides where the bend is: add it first.",
       read, bends_before_the_bias},
      {"biases-forgotten", "You left out the biases. A layer is x·W + b.", read, without_biases},
      {"a-layer-early", "You stop one layer early: this is what comes out of the last layer but one.", read,
       a_layer_early},
      {"another-bend", "You bend with tanh. The exercise asks for relu.", read, bends_by_tanh},
      {"two-layers-only",
       "You compute two layers, whatever p holds. Walk over p two by two: there may be one layer, or five.",
       read, two_layers_only}};
}

// The parameters of a network with layers of these widths, their weights drawn with this deviation · 1/√in.
inline std::vector<Tensor> drawn(const std::vector<std::size_t>& widths, double deviation, Rng& rng) {
  std::vector<Tensor> p;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const double root = std::sqrt(static_cast<double>(widths[i]));
    p.push_back(parameter(randn({widths[i], widths[i + 1]}, rng, deviation / root)));
    p.push_back(parameter(zeros({widths[i + 1]})));
  }
  return p;
}

inline std::vector<Tensor> trained(std::vector<Tensor> p, const Data& points, double rate, int steps) {
  optim::AdamW optimizer(p, {.learning_rate = rate});
  for (int step = 0; step < steps; ++step) {
    const Tensor error = solution::mlp(points.x, p) - points.y;
    optimizer.zero_grad();
    mean(error * error).backward();
    optimizer.step();
  }
  return p;
}

inline std::vector<Tensor> zero_weights(const Data& points, Rng& rng) {
  return trained(drawn({2, 32, 32, 1}, 0, rng), points, 0.01, 400);
}

inline std::vector<Tensor> no_hidden_layer(const Data& points, Rng& rng) {
  return trained(drawn({2, 1}, 1, rng), points, 0.01, 400);
}

inline std::vector<Tensor> too_few_steps(const Data& points, Rng& rng) {
  return trained(drawn({2, 32, 32, 1}, 1, rng), points, 0.01, 10);
}

inline std::vector<Tensor> rate_too_large(const Data& points, Rng& rng) {
  return trained(drawn({2, 32, 32, 1}, 1, rng), points, 0.3, 400);
}

inline std::vector<Tensor> blown_up(const Data& points, Rng& rng) {
  const std::vector<Tensor> p = drawn({2, 32, 32, 1}, 1, rng);
  optim::SGD optimizer(p, {.learning_rate = 10});
  for (int step = 0; step < 400; ++step) {
    const Tensor error = solution::mlp(points.x, p) - points.y;
    optimizer.zero_grad();
    mean(error * error).backward();
    optimizer.step();
  }
  return p;
}

inline std::vector<Tensor> first_batch_alone(const Data& points, Rng& rng) {
  const Data first{slice(points.x, 0, 0, 20), slice(points.y, 0, 0, 20)};
  return trained(drawn({2, 32, 32, 1}, 1, rng), first, 0.01, 400);
}

inline std::vector<Tensor> huge_weights(const Data& points, Rng& rng) {
  return trained(drawn({2, 64, 64, 1}, 6, rng), points, 0.05, 2000);
}

inline std::vector<Mistake<Separate>> of_separate() {
  return {
      {"equal-weights",
       "Your hidden units are all equal: their weights began equal, so they get equal gradients and stay "
       "equal. "
       "Draw the weights with randn.",
       "Overfit one batch first", zero_weights},
      {"no-hidden-layer",
       "Your network has one layer, which is a straight line through the plane. Put hidden layers with relu "
       "before the output.",
       "Two spirals", no_hidden_layer},
      {"too-little-training",
       "Your network is hardly better than a line. Let it take more steps, or larger ones.",
       "The learning rate", too_few_steps},
      {"rate-too-large",
       "Most of your hidden units give 0 for every point, so no gradient reaches them any more. That is what "
       "too "
       "large steps do: try a rate ten times smaller.",
       "The learning rate", rate_too_large},
      {"blown-up",
       "Your parameters grew until they were no numbers any more. Each step is longer than the one before: "
       "try a "
       "rate ten times smaller.",
       "The learning rate", blown_up},
      {"first-batch-alone",
       "Your network knows the first points of the list and not the others. Train on all points, or draw "
       "another "
       "batch for each step.",
       "The loop", first_batch_alone},
      {"learned-by-heart",
       "Your network has learned the points by heart and fails between them. Weights that are large at the "
       "start "
       "do that: draw them with the deviation 1 / √in.",
       "Seeds", huge_weights}};
}

}  // namespace mistakes

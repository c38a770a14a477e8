// What people get wrong in parts 4 and 5 of exercise 4.
#pragma once

#include "headlight/optim/sgd.h"
#include "mistakes.h"

namespace mistakes {

using grader::Made, grader::Mistake, grader::Slip;
using Mlp = std::function<Tensor(const Tensor&, const std::vector<Tensor>&)>;
using Separate = std::vector<Tensor> (*)(const Data&, Rng&);

inline Tensor bend(const Made& made, const Tensor& h) {
  if (made("never-bent")) return h;
  if (made("another-bend")) return tanh(h);
  if (made("bent-by-abs")) return abs(h);
  return made("bent-below") ? -relu(-h) : relu(h);
}

inline Tensor mlp_with_slips(const Made& made, const Tensor& x, const std::vector<Tensor>& p) {
  std::size_t layers = p.size() / 2;
  if (made("a-layer-early")) --layers;
  if (made("a-layer-early-in-the-loop") && layers > 1) --layers;
  if (made("two-layers-only")) layers = std::min<std::size_t>(layers, 2);
  Tensor h = made("input-bent") ? bend(made, x) : x;
  for (std::size_t k = made("first-layer-left-out") ? 1 : 0; k < layers; ++k) {
    const bool last = k + 1 == layers;
    const bool bent = made("bent-behind-the-layer") ? k > 0
                      : last ? made("output-bent") || (made("output-bent-in-the-loop") && k > 0)
                             : !(made("bent-once") && k > 0) && !(made("bent-from-the-second") && k == 0);
    const bool bias = !made("biases-forgotten") && !(made("last-bias-forgotten") && last) &&
                      !(made("first-bias-forgotten") && k == 0) &&
                      !(made("hidden-biases-forgotten") && !last);
    // relu in the place of the sum, with or without the one that belongs between two layers
    const bool on_the_product = made("bent-before-each-bias") || made("product-bent-too") ||
                                (made("product-bent-from-the-second") && k > 0);
    const Tensor b = bias ? (made("biases-subtracted") ? -p[2 * k + 1] : p[2 * k + 1]) : zeros({});
    h = matmul(h, p[2 * k]);
    const bool early = on_the_product || (bent && made("bent-before-the-bias"));
    h = (early ? bend(made, h) : h) + (made("biases-twice") ? 2 * b : b);
    if (bent && (!early || (on_the_product && !made("bent-before-each-bias")))) h = bend(made, h);
  }
  return h;
}

inline const std::vector<Slip> kSlipsInMlp = {
    {"output-bent",
     "You apply relu to the output as well. Then it is never negative, and can never be -1. Relu stands "
     "between two layers only.",
     kSpirals},
    {"output-bent-in-the-loop",
     "Where there is more than one layer, you apply relu to the output as well. Then it is never negative, "
     "and can never be -1. Relu stands between two layers only.",
     kSpirals},
    {"never-bent",
     "There is no relu between your layers. Layers without a bend between them are one straight layer, "
     "however many they are.",
     kSpirals},
    {"bent-once", "You apply relu after the first layer only. It stands between every two layers.", kSpirals},
    {"bent-from-the-second",
     "You left out the relu after the first layer. It stands between every two layers.", kSpirals},
    {"bent-behind-the-layer",
     "You apply relu behind the second layer and all later ones. It stands between every two layers: behind "
     "the first one, too, and not behind the last.",
     kSpirals},
    {"input-bent", "You apply relu to x itself. The first layer takes x as it is, with its negative numbers.",
     kSpirals},
    {"bent-before-the-bias",
     "You apply relu to x·W and add the bias afterwards. The bias decides where the bend is: add it first.",
     kSpirals},
    {"bent-before-each-bias",
     "You apply relu to x·W in each layer, the last one too, and add the bias afterwards. A layer is x·W + "
     "b, and relu stands between two layers.",
     kSpirals},
    {"product-bent-too",
     "Besides the relu between the layers, you apply one to x·W before the bias is added. A layer is x·W + "
     "b.",
     kSpirals},
    {"product-bent-from-the-second",
     "From the second layer on, you apply relu to x·W before the bias is added, besides the one between "
     "the layers. A layer is x·W + b.",
     kSpirals},
    {"biases-twice", "You added the biases twice. linear(x, W, b) is x·W + b already.", kSpirals},
    {"biases-forgotten", "You left out the biases. A layer is x·W + b.", kSpirals},
    {"last-bias-forgotten", "You left out the bias of the last layer. Each layer is x·W + b.", kSpirals},
    {"first-bias-forgotten", "You left out the bias of the first layer. Each layer is x·W + b.", kSpirals},
    {"hidden-biases-forgotten", "Only your last layer has a bias. Each layer is x·W + b.", kSpirals},
    {"biases-subtracted", "You subtracted the biases. A layer is x·W + b.", kSpirals},
    {"a-layer-early", "You stop one layer early: this is what comes out of the last layer but one.",
     kSpirals},
    {"a-layer-early-in-the-loop",
     "Where there is more than one layer, you stop one early: this is what comes out of the last layer but "
     "one.",
     kSpirals},
    {"first-layer-left-out", "You left out the first layer.", kSpirals},
    {"another-bend", "You bend with tanh. The exercise asks for relu.", kSpirals},
    {"bent-by-abs", "You took the size of negative numbers. Relu makes 0 of them.", kSpirals},
    {"bent-below", "You kept what is below 0. Relu keeps what is above 0 and makes 0 of the rest.", kSpirals},
    {"two-layers-only",
     "You compute two layers, whatever p holds. Walk over p two by two: there may be one layer, or five.",
     kSpirals}};

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

// The optimizer may move some of p alone.
inline void fit(const std::vector<Tensor>& p, optim::Optimizer&& optimizer, const Data& points, int steps) {
  for (int step = 0; step < steps; ++step) {
    const Tensor error = solution::mlp(points.x, p) - points.y;
    for (const Tensor& each : p) Tensor(each).zero_grad();
    mean(error * error).backward();
    optimizer.step();
  }
}

inline std::vector<Tensor> trained(std::vector<Tensor> p, const Data& points, double rate, int steps) {
  fit(p, optim::AdamW(p, {.learning_rate = rate}), points, steps);
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
  fit(p, optim::SGD(p, {.learning_rate = 10}), points, 400);
  return p;
}

inline std::vector<Tensor> error_not_squared(const Data& points, Rng& rng) {
  const std::vector<Tensor> p = drawn({2, 32, 32, 1}, 1, rng);
  optim::AdamW optimizer(p, {.learning_rate = 0.01});
  for (int step = 0; step < 400; ++step) {
    optimizer.zero_grad();
    mean(solution::mlp(points.x, p) - points.y).backward();
    optimizer.step();
  }
  return p;
}

inline std::vector<Tensor> weights_alone(const Data& points, Rng& rng) {
  const std::vector<Tensor> p = drawn({2, 32, 32, 1}, 1, rng);
  fit(p, optim::AdamW({p[0], p[2], p[4]}, {.learning_rate = 0.01}), points, 400);
  return p;
}

// An error of (200,200): each output beside each y.
inline std::vector<Tensor> each_with_each(const Data& points, Rng& rng) {
  const Data beside{points.x, transpose(points.y)};
  return trained(drawn({2, 32, 32, 1}, 1, rng), beside, 0.01, 400);
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
       "equal. Draw the weights with randn.",
       kOneBatch, zero_weights},
      {"no-hidden-layer",
       "Your network has one layer, which is a straight line through the plane. Put hidden layers with "
       "relu before the output.",
       kSpirals, no_hidden_layer},
      {"too-little-training",
       "Your network does not yet fit the points on which it was trained. Let it take more steps, or "
       "larger ones.",
       kRates, too_few_steps},
      {"error-not-squared",
       "Your outputs are far larger than y, as if the loss had no lowest point. The mean of the errors has "
       "none: it falls without end as the outputs do. Take the mean of the squared errors, and move "
       "against the gradient.",
       kLoop, error_not_squared},
      {"weights-alone",
       "The biases of your first layer are still 0, so each of its units bends in the middle of the "
       "plane. Let the optimizer move all parameters, W and b.",
       kSpirals, weights_alone},
      {"each-output-with-each-y",
       "Your network gives nearly the same output for every point: the mean of all y. Look at the shapes "
       "in your loss: (200) minus (200,1) is (200,200), each output beside each y.",
       kLoop, each_with_each},
      {"rate-too-large",
       "Most of your hidden units give 0 for every point, so no gradient reaches them any more. That is "
       "what too large steps do: try a rate ten times smaller.",
       kRates, rate_too_large},
      {"blown-up",
       "Your parameters grew until they were no numbers any more. Each step is longer than the one "
       "before: try a rate ten times smaller.",
       kRates, blown_up},
      {"first-batch-alone",
       "Your network knows the first points of the list and not the others. Train on all points, or draw "
       "another batch for each step.",
       kLoop, first_batch_alone},
      {"learned-by-heart",
       "Your network has learned the points by heart and fails between them. Weights that are large at "
       "the start do that: draw them with the deviation 1 / √in.",
       kSeeds, huge_weights}};
}

}  // namespace mistakes

// The training of the exercise's experiment.
#pragma once

#include "headlight/nn/layers.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/sgd.h"
#include "spiral.h"

namespace headlight {

// Trains the network of section 6 by SGD at rate 0.1 on batches of so many of the 200 points, until it has
// computed 20000 outputs: 20000 / batch steps. Returns the percentage of the 1000 fresh points that are
// right.
inline double percent_after_same_work(std::size_t batch) {
  Rng rng(1);
  const Data points = spiral(200, rng), fresh = spiral(1000, rng);
  Rng weights(1);
  const nn::Linear first(2, 32, weights), second(32, 32, weights), last(32, 1, weights);
  const auto network = [&](const Tensor& x) { return last(relu(second(relu(first(x))))); };
  std::vector<Tensor> p;
  for (const nn::Linear* layer : {&first, &second, &last})
    for (const Tensor& each : nn::parameters(*layer)) p.push_back(each);
  optim::SGD optimizer(p, {.learning_rate = 0.1});
  for (std::size_t step = 0; step < 20000 / batch; ++step) {
    Rng drawn = Rng(1).stream("batch", step);
    const Data data = some(points, batch, drawn);
    const Tensor error = network(data.x) - data.y;
    optimizer.zero_grad();
    mean(error * error).backward();
    optimizer.step();
  }
  return 100 * share_right(network(fresh.x), fresh.y);
}

}  // namespace headlight

// XOR, learned by a network of two layers.
#include <fmt/core.h>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/system/run_main.h"

namespace hl = headlight;

// A module is a struct that computes something and whose visit() names its parameters and modules.
struct Network {
  hl::nn::Linear hidden, output;

  explicit Network(hl::Rng& rng) : hidden(2, 8, rng), output(8, 1, rng) {}
  hl::Tensor operator()(const hl::Tensor& x) const { return sigmoid(output(tanh(hidden(x)))); }
  void visit(auto&& v) const { v("hidden", hidden), v("output", output); }
};

int main() {
  return hl::run_main([] {
    const hl::Tensor x = hl::tensor({{0, 0}, {0, 1}, {1, 0}, {1, 1}});  // (4,2)
    const hl::Tensor y = hl::tensor({{0}, {1}, {1}, {0}});              // (4,1)

    hl::Rng rng(0);
    const Network network(rng);
    fmt::print("{}", hl::nn::summary(network));

    hl::optim::Adam optimizer(hl::nn::parameters(network), 0.05);
    for (int step = 1; step <= 100; ++step) {
      const hl::Tensor loss = mean_squared_error(network(x), y);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      if (step % 20 == 0) fmt::print("step {}: loss {:.4f}\n", step, loss.item());
    }
    fmt::print("{:.1f}\n", network(x));
  });
}

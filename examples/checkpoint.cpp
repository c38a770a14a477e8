// A training loop that can be stopped with Ctrl-C, and goes on where it was when it is called again.
#include <fmt/core.h>

#include <filesystem>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/system/interrupt.h"
#include "headlight/system/run_main.h"
#include "headlight/train/checkpoint.h"

namespace hl = headlight;

struct Network {
  hl::nn::Linear hidden, output;

  explicit Network(hl::Rng& rng) : hidden(1, 16, rng), output(16, 1, rng) {}
  hl::Tensor operator()(const hl::Tensor& x) const { return output(tanh(hidden(x))); }
  void visit(auto&& v) const { v("hidden", hidden), v("output", output); }
};

int main(int argc, char** argv) {
  return hl::run_main([&] {
    const std::int64_t steps = argc > 1 ? std::stoll(argv[1]) : 2000;
    const char* file = "sine.safetensors";
    hl::Rng rng(0);
    Network network(rng);
    hl::optim::Adam optimizer(hl::nn::parameters(network), 0.01);
    if (std::filesystem::exists(file)) hl::train::load(file, network, optimizer, rng);

    const hl::InterruptScope interrupt;
    double loss_now = 0;
    while (optimizer.steps_done() < steps && !interrupt.requested()) {
      const hl::Array x = rng.uniform_array({32, 1}, -3, 3), y = xt::sin(x);
      const hl::Tensor loss = mean_squared_error(network(hl::Tensor(x)), hl::Tensor(y));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      loss_now = loss.item();
    }
    hl::train::save(file, network, optimizer, rng);
    fmt::print("step {}: loss {:.4f}\n", optimizer.steps_done(), loss_now);
  });
}

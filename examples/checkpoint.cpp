// A training loop that can be stopped with Ctrl-C, and goes on where it was when it is called again.
#include <fmt/core.h>

#include <filesystem>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/system/interrupt.h"
#include "headlight/system/run_main.h"
#include "headlight/train/checkpoint.h"

using namespace headlight;

struct Network {
  nn::Linear hidden, output;

  explicit Network(Rng& rng) : hidden(1, 16, rng), output(16, 1, rng) {}
  Tensor operator()(const Tensor& x) const { return output(tanh(hidden(x))); }
  void visit(auto&& v) const { v("hidden", hidden), v("output", output); }
};

int main(int argc, char** argv) {
  return run_main([&] {
    const std::int64_t steps = argc > 1 ? std::stoll(argv[1]) : 2000;
    const char* file = "sine.safetensors";
    Rng rng(0);
    Network network(rng);
    optim::Adam optimizer(nn::parameters(network), 0.01);
    if (std::filesystem::exists(file)) train::load(file, network, optimizer, rng);

    const InterruptScope interrupt;
    double loss_now = 0;
    while (optimizer.steps_done() < steps && !interrupt.requested()) {
      const Array x = rng.uniform_array({32, 1}, -3, 3), y = xt::sin(x);
      const Tensor loss = mean_squared_error(network(Tensor(x)), Tensor(y));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      loss_now = static_cast<double>(loss.item());
    }
    train::save(file, network, optimizer, rng);
    fmt::print("step {}: loss {:.4f}\n", optimizer.steps_done(), loss_now);
  });
}

#include <fmt/core.h>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/system/run_main.h"
namespace hl = headlight;

int main() {
  return hl::run_main([] {  // prints what an Error says
    hl::Rng rng(0);
    const hl::Tensor x = hl::randn({100, 2}, rng);                // 100 points (x0, x1)
    const hl::Tensor y = matmul(x, hl::tensor({{2}, {-3}})) + 1;  // at each the number 2 x0 - 3 x1 + 1
    const hl::nn::Linear model(2, 1, rng);
    hl::optim::Adam optimizer(hl::nn::parameters(model), 0.1);
    for (int step = 1; step <= 100; ++step) {
      const hl::Tensor loss = mean_squared_error(model(x), y);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      if (step % 25 == 0) fmt::print("step {}: loss {:.4f}\n", step, loss.item());
    }
    fmt::print("W = {:.3f}\nb = {:.3f}\n", model.W, model.b);
  });
}

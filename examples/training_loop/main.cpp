#include <fmt/core.h>

#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"
#include "headlight/system/run_main.h"
using namespace headlight;

int main() {
  return run_main([] {  // prints what an Error says
    Rng rng(0);
    const Tensor x = randn({100, 2}, rng);                // 100 points (x0, x1)
    const Tensor y = matmul(x, tensor({{2}, {-3}})) + 1;  // at each the number 2 x0 - 3 x1 + 1
    const nn::Linear model(2, 1, rng);
    optim::Adam optimizer(nn::parameters(model), 0.1);
    for (int step = 1; step <= 100; ++step) {
      const Tensor loss = mean_squared_error(model(x), y);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      if (step % 25 == 0) fmt::print("step {}: loss {:.4f}\n", step, loss.item());
    }
    fmt::print("W = {:.3f}\nb = {:.3f}\n", model.W, model.b);
  });
}

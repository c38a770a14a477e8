#include <fmt/core.h>

#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"
using namespace headlight;

int main() {
  return run_main([] {
    const Tensor x = tensor({{1, 2}, {3, 4}});
    const Tensor w = parameter({{0.5}, {-1}});
    const Tensor loss = mean(tanh(matmul(x, w)));
    loss.backward();
    fmt::print("{}\n{}\n", loss, w.grad());
  });
}

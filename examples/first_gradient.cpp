#include <fmt/core.h>

#include "headlight/ops/ops.h"
#include "headlight/system/run_main.h"
namespace hl = headlight;

int main() {
  return hl::run_main([] {
    const hl::Tensor x = hl::tensor({{1, 2}, {3, 4}});
    const hl::Tensor w = hl::parameter({{0.5}, {-1}});
    const hl::Tensor loss = mean(tanh(matmul(x, w)));
    loss.backward();
    fmt::print("{}\n{}\n", loss, w.grad());
  });
}

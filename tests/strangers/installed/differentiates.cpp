// A derivative in double: d/dx Σ x² = 2x.
#include <cmath>
#include <cstdio>

#include "headlight/core/real.h"
#include "headlight/ops/ops.h"

int main() {
  using namespace headlight;
  static_assert(kDouble);
  const Tensor x = parameter(Tensor(1.0 / 3));
  sum(x * x).backward();
  const double error = std::abs(x.grad().array()() - 2.0 / 3);
  std::puts(error < 1e-15 ? "differentiated" : "wrong");
}

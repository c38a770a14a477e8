// Yours: whatever you want to know of the copy. ./look try builds and runs it.
#include <fmt/core.h>

#include "headlight/autograd/gradcheck.h"
#include "headlight/ops/ops.h"

using namespace headlight;

int main() {
  const Tensor x = parameter({{0.5, -1, 2}, {1, 0.3, -0.7}});
  const Tensor y = softmax(x);
  fmt::print("softmax of x is {}\n", to_string(y));
  sum(y * y).backward();
  fmt::print("the gradient of the sum of its squares is {}\n", to_string(x.grad()));
  fmt::print("{}\n", gradcheck("softmax", [](const auto& in) { return softmax(in[0]); }, {x}).message);
}

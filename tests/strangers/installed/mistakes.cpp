// Mistakes that the compiler finds, with what its messages must contain.
#include <fmt/core.h>

#include "headlight/nn/nn.h"
#include "headlight/optim/optim.h"

using namespace headlight;

struct Counted {
  int count;
  void visit(auto&& v) const { v("count", count); }
};

void mistakes(const Tensor& w) {
  optim::Adam({w}, {.lr = 0.05, .beta1 = 0.8});  // says: the member is called learning_rate
  fmt::print("{:d}", w);                         // says: expected {}, {:.2f} or {:.2e} for a tensor
  nn::parameters(Counted{1});  // says: a module names Tensors, modules and std::vectors of them
}

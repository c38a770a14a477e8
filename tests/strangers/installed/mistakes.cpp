// Mistakes that the compiler finds, each with what its message must contain.
#include <fmt/core.h>

#include "headlight/nn/nn.h"
#include "headlight/optim/optim.h"

using namespace headlight;

struct Counted {
  int count;
  void visit(auto&& v) const { v("count", count); }
};

void mistake(const Tensor& w) {
  (void)w;
#ifdef ADAM_LR  // the member is called learning_rate
  optim::Adam({w}, {.lr = 0.05, .beta1 = 0.8});
#endif
#ifdef SGD_LR  // the member is called learning_rate
  optim::SGD({w}, {.lr = 0.05});
#endif
#ifdef ASSIGNED_LR  // the member is called learning_rate
  optim::OptimizerConfig config;
  config.lr = 0.05;
#endif
#ifdef FORMAT  // expected {}, {:.2f} or {:.2e} for a tensor
  fmt::print("{:d}", w);
#endif
#ifdef MEMBER  // a module names Tensors, modules and std::vectors of them
  nn::parameters(Counted{1});
#endif
}

// Settings and gradients that no optimizer can use.
#include <cmath>

#include "catch.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/optim.h"

using namespace headlight;
using namespace headlight::optim;

namespace {

template <class Kind, class Config>
std::string made_with(const Config& config) {
  return error_of([&] { Kind({parameter({1, 2})}, config); });
}

}  // namespace

TEST_CASE("optimizers refuse settings outside their ranges", "[optim]") {
  for (const double beta : {1.0, 2.0, -0.1, double(NAN)}) {
    const std::string range = fmt::format("of at least 0 and below 1, got {}.", beta);
    CHECK(made_with<Adam>(AdamConfig{.beta1 = beta}) == "[optimizer] expected beta1 " + range);
    CHECK(made_with<AdamW>(AdamConfig{.beta2 = beta}) == "[optimizer] expected beta2 " + range);
    CHECK(made_with<Muon>(OptimizerConfig{.beta1 = beta}) == "[optimizer] expected beta1 " + range);
    CHECK(made_with<Lion>(LionConfig{.beta1 = beta}) == "[optimizer] expected beta1 " + range);
    CHECK(made_with<Lion>(LionConfig{.beta2 = beta}) == "[optimizer] expected beta2 " + range);
    CHECK(made_with<SGD>(SGDConfig{.momentum = beta}) == "[optimizer] expected a momentum " + range);
  }
  for (const double eps : {-1e-8, double(NAN), double(HUGE_VAL)})
    CHECK(contains(made_with<Adam>(AdamConfig{.eps = eps}), "expected eps of at least 0, got"));
  for (const double decay : {-0.1, double(NAN), double(HUGE_VAL)}) {
    CHECK(contains(made_with<SGD>(SGDConfig{.weight_decay = decay}), "a weight decay of at least 0, got"));
    CHECK(contains(made_with<SGD>(SGDConfig{.learning_rate = decay}), "a learning rate of at least 0, got"));
  }
}

TEST_CASE("states are refused likewise", "[optim]") {
  const Tensor p = parameter({1, 2});
  SGD sgd({p});
  OptimizerState state = sgd.state();
  state.steps = -1;
  CHECK(contains(error_of([&] { sgd.set_state(state); }), "an optimizer cannot have done -1 steps"));
}

TEST_CASE("a gradient from before an array of another shape moves nothing", "[optim]") {
  Tensor p = parameter(ones({2}));
  sum(p * p).backward();
  p.mutable_array() = full_array({8}, 1);
  CHECK(contains(error_of([&] { clip_by_global_norm({p}, 1); }), "has a gradient of shape (2)"));
  SGD later({p});
  CHECK(contains(error_of([&] { later.step(); }), "has a gradient of shape (2)"));
}

// The gradients of whole models with each part, by central differences, of both orders.
#include "catch.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/ops/ops.h"
#include "subject.h"

using namespace headlight;
using namespace headlight::nn;

namespace {

// The logits as a function of the parameters, without those that softmax does not see: a bias of all keys.
void check_gradients(TransformerConfig config, const std::string& name) {
  config.n_layers = 1;
  config.d_model = config.d_head = 4;
  config.d_mlp = 3;
  config.d_vocab = 5;
  config.n_ctx = 4;
  config.max_distance = 4;
  config.bias = false;
  Transformer model = Subject::made(config);
  const IntArray tokens{{1, 4, 0, 2}, {3, 3, 1, 0}};
  std::vector<Tensor> inputs = parameters(model);
  const auto logits = [&](const std::vector<Tensor>& in) {
    auto next = in.begin();
    visit_members(
        model, [&](const std::string&, const Tensor& member) { const_cast<Tensor&>(member) = *next++; }, {});
    return model(tokens, {}, {.dropout_seed = 3});
  };
  for (const auto& report : {gradcheck(name, logits, inputs), gradgradcheck(name, logits, inputs)}) {
    INFO(report.message);
    CHECK(report.ok);
  }
}

}  // namespace

// In float the differences of a whole model are too coarse to compare.
TEST_CASE("models with each kind of positions have the right gradients", "[nn][parts]") {
  if (!kDouble) return;
  const std::string kind = GENERATE(from_range(positions().names()));
  INFO(kind);
  check_gradients(Subject::usual(kind), kind);
}

TEST_CASE("models with each part have the right gradients", "[nn][parts]") {
  if (!kDouble) return;
  const Part part = GENERATE(from_range(parts()));
  INFO(part);
  check_gradients(Subject::with(part), part.name);
}

TEST_CASE("models whose patterns are dropped have the right gradients", "[nn][parts]") {
  if (!kDouble) return;
  TransformerConfig config = Subject::usual();
  config.dropout = 0.4;
  check_gradients(config, "dropout");
}

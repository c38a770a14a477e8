#include <memory>

#include "gradients/cases.h"
#include "gradients/composed.h"
#include "gradients/transformer_by_hand.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/softmax.h"

namespace headlight::ledger {
namespace {

by_hand::NamedMatrices weights_of(const NamedTensors& parameters) {
  by_hand::NamedMatrices w;
  for (const auto& [name, parameter] : parameters) w[name] = weight(parameter);
  return w;
}

}  // namespace

std::vector<Quantity> run_block() {
  Rng rng = Rng(0).stream("block");
  nn::Block layer({.d_model = 8, .n_heads = 2, .d_mlp = 12, .n_ctx = 5, .bias = true}, rng);
  NamedTensors leaves = nn::named_parameters(layer);
  stir(leaves, rng);
  const by_hand::NamedMatrices w = weights_of(leaves);
  const std::size_t batch = 2, n = 5;
  const Tensor x = parameter(rng.normal_array({batch, n, 8}));
  leaves.emplace_back("x", x);
  const Array u = rng.normal_array(x.shape());

  by_hand::NamedMatrices hand;
  by_hand::Matrix dx = by_hand::zeros(batch * n, 8);
  for (std::size_t b = 0; b < batch; ++b) {
    const auto pass = by_hand::block(w, 2, sequence(x, b));
    xt::view(dx, xt::range(b * n, (b + 1) * n)) =
        by_hand::block_backward(w, 2, pass, sequence(Tensor(u), b), hand);
  }
  hand["x"] = dx;
  return measure(
      leaves, hand, composed::block(layer, x), [&] { return layer(x); }, u);
}

std::vector<Quantity> run_model() {
  Rng rng = Rng(0).stream("model");
  const std::size_t batch = 2, n = 8, vocab = 11, layers = 2, heads = 2;
  nn::Transformer model({.n_layers = layers, .d_model = 16, .n_heads = heads, .d_vocab = vocab, .n_ctx = n},
                        rng);
  const NamedTensors leaves = nn::named_parameters(model);
  stir(leaves, rng);
  const by_hand::NamedMatrices w = weights_of(leaves);
  IntArray tokens = IntArray::from_shape({batch, n}), targets = tokens;
  for (auto* array : {&tokens, &targets})
    for (auto& token : *array) token = static_cast<std::int32_t>(rng.below(vocab));

  by_hand::NamedMatrices hand;
  for (std::size_t b = 0; b < batch; ++b) {
    const auto row = [&](const IntArray& array) {
      return std::vector<std::int32_t>(array.data() + b * n, array.data() + (b + 1) * n);
    };
    by_hand::transformer_loss(w, layers, heads, row(tokens), row(targets),
                              1 / static_cast<double>(targets.size()), hand);
  }
  return measure(
      leaves, hand, composed::loss(model, tokens, targets),
      [&] { return cross_entropy(model(tokens), targets); }, full_array(Shape{}, 1));
}

}  // namespace headlight::ledger

// Shapes that need several tiles of attention and several slices of a product, where the kernels loop.
#include <fmt/core.h>

#include "checks.h"
#include "headlight/autograd/backward.h"
#include "headlight/core/rng.h"
#include "headlight/ops/ops.h"

namespace headlight::hunt {
namespace {

using Inputs = std::vector<Tensor>;
using Function = std::function<Tensor(const Inputs&)>;

// The value and the gradient of each input, as one number each.
std::vector<double> all_of(const Function& f, const Inputs& x) {
  const Tensor y = f(x);
  Rng rng = Rng(4).stream("cotangent");
  std::vector<double> found{digest(y.array())};
  for (const Tensor& g : grad(y, x, {.cotangent = Tensor(rng.normal_array(y.shape()))}))
    found.push_back(digest(g.array()));
  return found;
}

std::string compared(const Function& f, const Function& composed, const Inputs& x) {
  const std::vector<double> fused = all_of(f, x), simple = all_of(composed, x);
  std::string text;
  for (std::size_t i = 0; i < fused.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "value " : i == 1 ? ", gradients " : ", ", number(fused[i]));
    if (!close(fused[i], simple[i], 1e-9))
      text += fmt::format(" (composed of simple ops: {})", number(simple[i]));
  }
  return text;
}

Inputs drawn(const std::vector<Shape>& shapes) {
  Rng rng = Rng(6).stream("large");
  Inputs x;
  for (const Shape& shape : shapes) x.push_back(parameter(rng.normal_array(shape)));
  return x;
}

struct Adder {
  std::vector<Check>& checks;

  void attention(const std::string& what, const AttentionOptions& options, std::vector<Shape> shapes) const {
    // Behind q, k and v stand the bias, the relative bias and the sinks that the options have.
    const auto with = [options](const Inputs& x) {
      AttentionOptions o = options;
      std::size_t next = 3;
      for (Tensor* term : {&o.bias, &o.relative.values, &o.sinks})
        if (term->defined()) *term = x[next++];
      return o;
    };
    checks.push_back(
        {"attention: " + what, [=] {
           return compared(
               [=](const Inputs& x) { return scaled_dot_product_attention(x[0], x[1], x[2], with(x)); },
               [=](const Inputs& x) {
                 return reference::scaled_dot_product_attention(x[0], x[1], x[2], with(x));
               },
               drawn(shapes));
         }});
  }

  // A product of an (n,k) and a (k,m) matrix, compared with a sum of numbers that were multiplied one by one.
  void product(std::size_t n, std::size_t k, std::size_t m) const {
    checks.push_back(
        {fmt::format("matmul: ({},{}) x ({},{})", n, k, k, m), [=] {
           return compared(
               [](const Inputs& x) { return matmul(x[0], x[1]); },
               [=](const Inputs& x) {
                 return sum(reshape(x[0], {static_cast<int>(n), static_cast<int>(k), 1}) * x[1], {1});
               },
               drawn({{n, k}, {k, m}}));
         }});
  }

  void rows(const std::string& name, const Function& f, const Function& composed,
            const std::vector<Shape>& shapes) const {
    checks.push_back({name, [=] { return compared(f, composed, drawn(shapes)); }});
  }
};

}  // namespace

std::vector<Check> large_checks() {
  std::vector<Check> checks;
  const Adder add{checks};
  const Tensor some = Tensor(Array{0});  // where an input will stand
  const std::vector<Shape> one{{70, 4}, {210, 4}, {210, 3}}, square{{210, 4}, {210, 4}, {210, 3}};
  const auto besides = [&](std::vector<Shape> shapes, const Shape& shape) {
    shapes.push_back(shape);
    return shapes;
  };
  add.attention("70 queries, 210 keys", {}, one);
  add.attention("causal", {.causal = true}, square);
  add.attention("a window", {.window = 30}, square);
  add.attention("causal, in a window", {.causal = true, .window = 100}, square);
  add.attention("a bias", {.bias = some}, besides(one, {70, 210}));
  add.attention("a bias of one row", {.causal = true, .bias = some}, besides(square, {1, 210}));
  add.attention("a relative bias", {.causal = true, .relative = {some, 0}}, besides(square, {1, 150}));
  add.attention("a relative bias, to both sides", {.relative = {some, -80}}, besides(square, {1, 160}));
  add.attention("a sink", {.sinks = some}, besides(one, {1}));
  add.attention("a cap", {.causal = true, .cap = 0.7}, square);
  add.attention("dropout", {.causal = true, .dropout = 0.3, .dropout_seed = 5}, square);
  add.attention("two heads, causal", {.causal = true, .n_heads = 2}, {{2, 110, 8}, {2, 110, 8}, {2, 110, 6}});
  for (const auto& [n, k, m] : {std::array<std::size_t, 3>{5, 300, 7},
                                {37, 20, 19},
                                {70, 13, 66},
                                {3, 600, 9},
                                {9, 40, 1},
                                {300, 1100, 5}})
    add.product(n, k, m);
  const Shape wide{5, 83};
  add.rows(
      "softmax: rows of 83", [](const Inputs& x) { return softmax(x[0]); },
      [](const Inputs& x) { return reference::softmax(x[0]); }, {wide});
  add.rows(
      "log_softmax: rows of 83", [](const Inputs& x) { return log_softmax(x[0]); },
      [](const Inputs& x) { return reference::log_softmax(x[0]); }, {wide});
  add.rows(
      "layer_norm: rows of 83", [](const Inputs& x) { return layer_norm(x[0], x[1], x[2]); },
      [](const Inputs& x) { return reference::layer_norm(x[0], x[1], x[2]); }, {wide, {83}, {83}});
  add.rows(
      "rms_norm: rows of 83", [](const Inputs& x) { return rms_norm(x[0], x[1]); },
      [](const Inputs& x) { return reference::rms_norm(x[0], x[1]); }, {wide, {83}});
  add.rows(
      "linear: 90 rows", [](const Inputs& x) { return linear(x[0], x[1], x[2]); },
      [](const Inputs& x) { return reference::linear(x[0], x[1], x[2]); }, {{90, 30}, {30, 11}, {11}});
  add.rows(
      "exp", [](const Inputs& x) { return exp(x[0]); }, [](const Inputs& x) { return 1 / exp(-x[0]); },
      {wide});
  return checks;
}

}  // namespace headlight::hunt

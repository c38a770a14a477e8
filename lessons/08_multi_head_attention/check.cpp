// Checks lesson 8: the calls that are compared with the solution.
#include <string>
#include <utility>
#include <vector>

#include "07_scaled_dot_product_attention/kept.h"
#include "crowd.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "multi_head.h"

Tensor split_heads(const Tensor& x, std::size_t n_heads);
Tensor merge_heads(const Tensor& z);
Tensor multi_head_attention(const Tensor& x, const Tensor& source, const MultiHeadWeights& w,
                            std::size_t n_heads, const Tensor& mask);
std::size_t parameters_of(std::size_t d, std::size_t n_heads, std::size_t n_kv_heads, std::size_t d_k,
                          std::size_t d_v);
Tensor repeat_kv(const Tensor& k, std::size_t n_heads);
Tensor grouped_attention(const Tensor& x, const Tensor& W_QKV, const Tensor& W_O, std::size_t n_heads,
                         std::size_t n_kv_heads, const Tensor& mask);
std::vector<Trial> width_trials();

// The solution uses our lesson 7: what is wrong in a learner's must not make it wrong too.
namespace solution {
namespace lesson_07 {
#include "07_scaled_dot_product_attention/solution.cpp"
}
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}  // namespace
}  // namespace solution

#include "grouped_mistakes.h"
#include "layer_mistakes.h"
#include "mistakes.h"
#include "repeat_mistakes.h"
#include "width_mistakes.h"

namespace {

using grader::Case;
using grader::drawn;
using grader::Part;
using grader::part;
using grader::Result;
using grader::shown;

// Whole numbers in order, from 1.
Tensor counted(const Shape& shape) { return reshape_to(arange(size_of(shape)) + 1, shape); }

// A named input whose gradient is compared.
struct Input {
  std::string name;
  Tensor values;
};

// A result, and the gradients of Σ g ⊙ result by all inputs, for a random g that is the same in every call of
// one shape. A gradient that does not arrive is 0.
template <class F>
Result with_gradients(const std::vector<Input>& inputs, const F& compute) {
  std::vector<Tensor> leaves;
  for (const Input& input : inputs) leaves.push_back(parameter(input.values));
  const Tensor y = compute(leaves);
  Result result{shown("result", y)};
  Rng rng(88);
  if (y.defined() && y.requires_grad()) sum(y * drawn(rng, y.shape())).backward();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    result.push_back(shown("the gradient of " + inputs[i].name,
                           leaves[i].has_grad() ? leaves[i].grad() : zeros(leaves[i].shape())));
  return result;
}

std::vector<grader::Shown> shown_all(const std::vector<Input>& inputs) {
  std::vector<grader::Shown> all;
  for (const Input& input : inputs) all.push_back(shown(input.name, input.values));
  return all;
}

Part split_heads_part() {
  std::vector<Case<mistakes::Split>> cases;
  const auto on = [&cases](const Tensor& x, std::size_t n_heads) {
    const std::vector<Input> inputs{{"x", x}};
    cases.push_back({"split_heads(x, n_heads)",
                     {shown("x", x), shown("n_heads", n_heads)},
                     [inputs, n_heads](mistakes::Split function) {
                       return with_gradients(
                           inputs, [&](const std::vector<Tensor>& in) { return function(in[0], n_heads); });
                     }});
  };
  on(tensor({{{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}}}), 2);
  on(counted({2, 3, 6}), 2);
  on(counted({1, 2, 6}), 3);
  on(counted({2, 2, 4}), 2);
  on(counted({1, 4, 3}), 1);
  on(counted({3, 1, 4}), 4);
  return part<mistakes::Split>("split_heads", 2, ::split_heads, solution::split_heads, std::move(cases),
                               mistakes::of_split_heads());
}

Part merge_heads_part() {
  std::vector<Case<mistakes::Merge>> cases;
  const auto on = [&cases](const Tensor& z) {
    const std::vector<Input> inputs{{"z", z}};
    cases.push_back({"merge_heads(z)", {shown("z", z)}, [inputs](mistakes::Merge function) {
                       return with_gradients(inputs,
                                             [&](const std::vector<Tensor>& in) { return function(in[0]); });
                     }});
  };
  on(tensor({{{{0, 1}, {10, 11}, {20, 21}}, {{2, 3}, {12, 13}, {22, 23}}}}));
  on(counted({2, 2, 3, 3}));
  on(counted({1, 3, 2, 2}));
  on(counted({2, 2, 2, 2}));
  on(counted({1, 1, 4, 3}));
  on(counted({2, 4, 1, 1}));
  return part<mistakes::Merge>("merge_heads", 1, ::merge_heads, solution::merge_heads, std::move(cases),
                               mistakes::of_merge_heads());
}

// 1 at and below the diagonal, (n,n).
Tensor triangle(std::size_t n) {
  Array ones = full_array({n, n}, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) ones(i, j) = 1;
  return Tensor(std::move(ones));
}

// What a call of the layer needs. Without a source it is self-attention.
struct LayerCall {
  Tensor x, source, W_Q, W_K, W_V, W_O;
  std::size_t n_heads;
  Tensor mask;
};

LayerCall drawn_call(Rng& rng, const Shape& x, const Tensor& source, std::size_t n_heads,
                     const Tensor& mask) {
  const Shape w{x.back(), x.back()};
  const Tensor drawn_x = drawn(rng, x), W_Q = drawn(rng, w), W_K = drawn(rng, w), W_V = drawn(rng, w);
  return {drawn_x, source, W_Q, W_K, W_V, drawn(rng, w), n_heads, mask};
}

Case<mistakes::Layer> layer_case(const LayerCall& c) {
  const bool self = !c.source.defined();
  std::vector<Input> inputs{{"x", c.x}, {"W_Q", c.W_Q}, {"W_K", c.W_K}, {"W_V", c.W_V}, {"W_O", c.W_O}};
  if (!self) inputs.insert(inputs.begin() + 1, {"source", c.source});
  std::vector<grader::Shown> all = shown_all(inputs);
  all.push_back(shown("n_heads", c.n_heads));
  all.push_back(shown("mask", c.mask));
  return {self ? "multi_head_attention(x, x, w, n_heads, mask)"
               : "multi_head_attention(x, source, w, n_heads, mask)",
          all, [inputs, c, self](mistakes::Layer function) {
            return with_gradients(inputs, [&](const std::vector<Tensor>& in) {
              const std::size_t w = self ? 1 : 2;
              return function(in[0], in[w - 1], {in[w], in[w + 1], in[w + 2], in[w + 3]}, c.n_heads, c.mask);
            });
          }};
}

Part multi_head_attention_part() {
  Rng rng(81);
  const Tensor x = tensor({{{2, 4}, {6, 8}}}), none = zeros({2, 2}), one = tensor({{1, 0}, {0, 1}});
  const Tensor all = Tensor(1);
  std::vector<Case<mistakes::Layer>> cases;
  cases.push_back(layer_case({x, {}, none, none, one, tensor({{1, 0}, {0, 10}}), 2, triangle(2)}));
  cases.push_back(layer_case(drawn_call(rng, {1, 3, 4}, {}, 2, all)));
  cases.push_back(layer_case(drawn_call(rng, {2, 3, 4}, {}, 2, triangle(3))));
  cases.push_back(layer_case(drawn_call(rng, {1, 2, 4}, drawn(rng, {1, 3, 4}), 2, all)));
  cases.push_back(layer_case(drawn_call(rng, {1, 4, 6}, {}, 3, triangle(4))));
  cases.push_back(layer_case(drawn_call(rng, {2, 2, 3}, {}, 1, all)));
  const Tensor hidden = tensor(std::vector<Real>{1, 1, 0, 1, 1, 1}, {2, 1, 1, 3});  // of each source
  cases.push_back(layer_case(drawn_call(rng, {2, 2, 4}, drawn(rng, {2, 3, 4}), 2, hidden)));
  // As many tokens in the source as in x: every shape fits, whatever keys and values are computed from.
  cases.push_back(layer_case(drawn_call(rng, {1, 2, 4}, drawn(rng, {1, 2, 4}), 2, triangle(2))));
  return part<mistakes::Layer>("multi_head_attention", 2, ::multi_head_attention,
                               solution::multi_head_attention, std::move(cases),
                               mistakes::of_multi_head_attention());
}

Part parameters_of_part() {
  std::vector<Case<mistakes::Count>> cases;
  const auto on = [&cases](std::size_t d, std::size_t h, std::size_t g, std::size_t d_k, std::size_t d_v) {
    cases.push_back(
        {fmt::format("parameters_of({}, {}, {}, {}, {})", d, h, g, d_k, d_v),
         {shown("d", d), shown("n_heads", h), shown("n_kv_heads", g), shown("d_k", d_k), shown("d_v", d_v)},
         [=](mistakes::Count function) { return Result{shown("result", function(d, h, g, d_k, d_v))}; }});
  };
  on(512, 8, 8, 64, 64);
  on(512, 16, 16, 64, 64);
  on(512, 8, 2, 64, 64);
  on(10, 3, 3, 4, 5);
  on(10, 6, 2, 7, 3);
  on(7, 1, 1, 2, 3);
  return part<mistakes::Count>("parameters_of", 1, ::parameters_of, solution::parameters_of, std::move(cases),
                               mistakes::of_parameters_of());
}

Part repeat_kv_part() {
  std::vector<Case<mistakes::Repeat>> cases;
  const auto on = [&cases](const Tensor& k, std::size_t n_heads) {
    const std::vector<Input> inputs{{"k", k}};
    cases.push_back({"repeat_kv(k, n_heads)",
                     {shown("k", k), shown("n_heads", n_heads)},
                     [inputs, n_heads](mistakes::Repeat function) {
                       return with_gradients(
                           inputs, [&](const std::vector<Tensor>& in) { return function(in[0], n_heads); });
                     }});
  };
  on(tensor({{{{1, 2}}, {{3, 4}}}}), 4);
  on(counted({2, 2, 3, 2}), 4);
  on(counted({1, 2, 2, 3}), 6);
  on(counted({1, 3, 2, 1}), 3);
  on(counted({2, 1, 2, 2}), 3);
  return part<mistakes::Repeat>("repeat_kv", 2, ::repeat_kv, solution::repeat_kv, std::move(cases),
                                mistakes::of_repeat_kv());
}

Case<mistakes::Grouped> grouped_case(const Tensor& x, const Tensor& W_QKV, const Tensor& W_O, std::size_t h,
                                     std::size_t g, const Tensor& mask) {
  const std::vector<Input> inputs{{"x", x}, {"W_QKV", W_QKV}, {"W_O", W_O}};
  std::vector<grader::Shown> all = shown_all(inputs);
  all.push_back(shown("n_heads", h));
  all.push_back(shown("n_kv_heads", g));
  all.push_back(shown("mask", mask));
  return {
      "grouped_attention(x, W_QKV, W_O, n_heads, n_kv_heads, mask)", all, [=](mistakes::Grouped function) {
        return with_gradients(
            inputs, [&](const std::vector<Tensor>& in) { return function(in[0], in[1], in[2], h, g, mask); });
      }};
}

Part grouped_attention_part() {
  Rng rng(86);
  std::vector<Case<mistakes::Grouped>> cases;
  const auto on = [&](const Shape& x, std::size_t h, std::size_t g, const Tensor& mask) {
    const std::size_t d = x.back();
    const Tensor drawn_x = drawn(rng, x), W_QKV = drawn(rng, {d, d + 2 * g * (d / h)});
    cases.push_back(grouped_case(drawn_x, W_QKV, drawn(rng, {d, d}), h, g, mask));
  };
  // g·d_head is always divisible by h, so that keys can be cut with n_heads by mistake.
  Array to_values = full_array({4, 8}, 0), tenfold = full_array({4, 4}, 0);
  to_values(0, 6) = to_values(1, 7) = tenfold(0, 0) = tenfold(1, 1) = 1;
  tenfold(2, 2) = tenfold(3, 3) = 10;
  cases.push_back(grouped_case(tensor({{{2, 4, 0, 0}, {6, 8, 0, 0}}}), Tensor(to_values), Tensor(tenfold), 2,
                               1, triangle(2)));
  on({1, 3, 4}, 2, 2, Tensor(1));
  on({1, 2, 8}, 4, 2, Tensor(1));
  on({2, 3, 8}, 4, 2, triangle(3));
  on({1, 3, 4}, 2, 1, triangle(3));
  return part<mistakes::Grouped>("grouped_attention", 3, ::grouped_attention, solution::grouped_attention,
                                 std::move(cases), mistakes::of_grouped_attention());
}

Part width_part() {
  return grader::experiment_part(
      "width_trials", 2, ::width_trials, solution::width_trials,
      [](double d_head) { return solution::keys_reached(static_cast<std::size_t>(d_head)); },
      {.setting = "d_head",
       .measured = "keys reached",
       .least = 1,
       .most = 64,
       .wrong = mistakes::of_width_trials()});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "08_multi_head_attention",
        {split_heads_part(), merge_heads_part(),
         grader::without(multi_head_attention_part(), {"MultiHeadAttention", "scaled_dot_product_attention"}),
         parameters_of_part(), grader::without(repeat_kv_part(), {"repeat_interleave"}),
         grader::without(grouped_attention_part(), {"MultiHeadAttention", "scaled_dot_product_attention"}),
         width_part()}};
  });
}

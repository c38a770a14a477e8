// One tensor given several times: every use adds its share to the gradient.
#include <set>

#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/gradcheck.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/ops.h"

using namespace headlight;

namespace {

bool all_shapes_equal(const std::vector<Tensor>& inputs) {
  for (const Tensor& x : inputs)
    if (x.shape() != inputs[0].shape()) return false;
  return true;
}

Array total(const std::vector<Array>& arrays) {
  Array sum = arrays[0];
  for (std::size_t i = 1; i < arrays.size(); ++i) kernels::add_into(sum, arrays[i]);
  return sum;
}

struct Case {
  std::string what;
  Shape shape;
  OpFunction function;
};

std::vector<Case> element_by_element() {
  const BoolArray condition{{true, false, true}, {false, true, true}, {true, true, false}};
  return {{"x * x", {2, 3}, [](const auto& x) { return x[0] * x[0]; }},
          {"x + x", {2, 3}, [](const auto& x) { return x[0] + x[0]; }},
          {"x * (x * x), used by two nodes", {2, 3}, [](const auto& x) { return x[0] * (x[0] * x[0]); }},
          {"x + xᵀ", {3, 3}, [](const auto& x) { return x[0] + transpose(x[0]); }},
          {"x - x/2", {2, 3}, [](const auto& x) { return x[0] - x[0] * 0.5; }},
          {"pow(x, x)", {2, 3}, [](const auto& x) { return pow(x[0], x[0]); }},
          {"maximum(x, x)", {2, 3}, [](const auto& x) { return maximum(x[0], x[0]); }},
          {"where(c, x, x)", {3, 3}, [=](const auto& x) { return where(condition, x[0], x[0]); }},
          {"concat({x, x})",
           {2, 3},
           [](const auto& x) {
             return concat({x[0], x[0]}, 1);
           }},
          {"stack({x, x, x})", {2, 3}, [](const auto& x) {
             return stack({x[0], x[0], x[0]}, 1);
           }}};
}

std::vector<Case> row_by_row() {
  return {
      {"matmul(x, x)", {3, 3}, [](const auto& x) { return matmul(x[0], x[0]); }},
      {"x·xᵀ", {2, 3}, [](const auto& x) { return matmul(x[0], x[0], {.transpose_y = true}); }},
      {"xᵀ·x of a batch", {2, 3, 2}, [](const auto& x) { return matmul(x[0], x[0], {.transpose_x = true}); }},
      {"linear(x, x)", {3, 3}, [](const auto& x) { return linear(x[0], x[0]); }},
      {"a vector with itself", {4}, [](const auto& x) { return matmul(x[0], x[0]); }},
      {"layer_norm(x, x, x)", {4}, [](const auto& x) { return layer_norm(x[0], x[0], x[0]); }},
      {"attention(x, x, x)",
       {3, 2},
       [](const auto& x) { return scaled_dot_product_attention(x[0], x[0], x[0]); }},
      {"attention(x, x, x), causal, heads side by side",
       {2, 3, 4},
       [](const auto& x) {
         return scaled_dot_product_attention(x[0], x[0], x[0], {.causal = true, .n_heads = 2});
       }},
      {"attention(x, x, x) with the bias x", {3, 3}, [](const auto& x) {
         return scaled_dot_product_attention(x[0], x[0], x[0], {.bias = x[0]});
       }}};
}

}  // namespace

TEST_CASE("every op given one tensor for all inputs adds up their gradients", "[ops]") {
  std::set<std::string> tried;
  for (const Sample& s : samples()) {
    if (s.inputs.size() < 2 || !all_shapes_equal(s.inputs)) continue;
    tried.insert(s.op);
    INFO(s.op << " " << s.what);
    // Positive numbers lie in every op's domain.
    const Array values = kernels::exp(s.inputs[0].array());
    Rng rng(5);
    const Array direction = rng.normal_array(values.shape());
    std::vector<Tensor> apart;
    for (std::size_t i = 0; i < s.inputs.size(); ++i) apart.push_back(parameter(values));
    const OpFunction f = cubed(s.function), f_of_one = [&](const std::vector<Tensor>&x) {
      return f(std::vector<Tensor>(apart.size(), x[0]));
    };
    const Derivatives one = derivatives(f_of_one, {parameter(values)}, {direction});
    const Derivatives many = derivatives(f, apart, std::vector<Array>(apart.size(), direction));
    CHECK(difference(one.value, many.value) == 0);
    CHECK(difference(one.gradients[0], total(many.gradients)) < kRounding);
    CHECK(difference(one.hessian[0], total(many.hessian)) < 10 * kRounding);
  }
  CHECK(tried == std::set<std::string>{"add",
                                       "binary_cross_entropy_with_logits",
                                       "concat",
                                       "cross_entropy",
                                       "div",
                                       "einsum",
                                       "huber_loss",
                                       "kl_divergence",
                                       "matmul",
                                       "maximum",
                                       "mean_squared_error",
                                       "minimum",
                                       "mul",
                                       "outer",
                                       "pow",
                                       "scaled_dot_product_attention",
                                       "stack",
                                       "sub",
                                       "swiglu",
                                       "where"});
}

TEST_CASE("functions that use a tensor twice have the right derivatives", "[ops]") {
  Rng rng(6);
  std::vector<Case> cases = element_by_element();
  for (Case& c : row_by_row()) cases.push_back(std::move(c));
  for (const Case& c : cases) {
    const Tensor x = parameter(rng.uniform_array(c.shape, 0.4, 1.4));
    const auto first = gradcheck(c.what, c.function, {x});
    INFO(first.message);
    CHECK(first.ok);
    const auto second = check_second(c.what, c.function, {x});
    INFO(second.message);
    CHECK(second.ok);
  }
}

TEST_CASE("x - x and x / x are constants to both derivatives", "[ops]") {
  Rng rng(7);
  const Tensor x = parameter(rng.uniform_array({2, 3}, 0.5, 2));
  const std::vector<Array> direction = random_directions({x});
  const auto of_difference =
      derivatives(cubed([](const auto& in) { return in[0] - in[0] + 2; }), {x}, direction);
  const auto of_quotient = derivatives(cubed([](const auto& in) { return in[0] / in[0]; }), {x}, direction);
  for (const Derivatives& d : {of_difference, of_quotient}) {
    CHECK(difference(d.gradients[0], full_array({2, 3}, 0)) < kRounding);
    CHECK(difference(d.hessian[0], full_array({2, 3}, 0)) < 10 * kRounding);
  }
}

// Axes of length 1 and of length 0: what every op makes of them.
#include <algorithm>
#include <limits>

#include "catch.h"
#include "derivatives.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "shape_cases.h"

using namespace headlight;

namespace {

IntArray zero_indices(const Shape& shape) { return IntArray(shape, 0); }

void same_shape(std::vector<ShapeCase>& c, const Shape& s) {
  const auto one = [&](const char* op, Tensor (*f)(const Tensor&)) {
    c.push_back({op, {s}, [f](const auto& x) { return f(x[0]); }, s});
  };
  for (const auto& [name, f] :
       std::initializer_list<std::pair<const char*, Tensor (*)(const Tensor&)>>{{"neg", neg},
                                                                                {"exp", exp},
                                                                                {"log", log},
                                                                                {"sqrt", sqrt},
                                                                                {"tanh", tanh},
                                                                                {"sigmoid", sigmoid},
                                                                                {"relu", relu},
                                                                                {"abs", abs},
                                                                                {"silu", silu},
                                                                                {"erf", erf},
                                                                                {"identity", identity}})
    one(name, f);
  for (const auto& [name, f] :
       std::initializer_list<std::pair<const char*, Tensor (*)(const Tensor&, const Tensor&)>>{
           {"add", add},
           {"sub", sub},
           {"mul", mul},
           {"div", div},
           {"pow", pow},
           {"maximum", maximum},
           {"swiglu", swiglu}})
    for (const auto& shapes : {std::vector<Shape>{s, s}, {s, {}}, {{1}, s}})
      c.push_back({name, shapes, [f = f](const auto& x) { return f(x[0], x[1]); },
                   broadcast_shapes(shapes[0], shapes[1], "test")});
  for (const Gelu form : {Gelu::tanh, Gelu::erf})
    c.push_back({"gelu", {s}, [form](const auto& x) { return gelu(x[0], form); }, s});
  c.push_back(
      {"where", {s, s}, [s](const auto& x) { return where(BoolArray(s, true), x[0], x[1]) + x[1]; }, s});
  c.push_back(
      {"masked_fill", {s}, [](const auto& x) { return masked_fill(x[0], BoolArray({}, false), 3); }, s});
  c.push_back({"broadcast_to", {{}}, [s](const auto& x) { return broadcast_to(x[0], s); }, s});
  c.push_back({"sum_to", {s}, [](const auto& x) { return sum_to(x[0], {}); }, {}});
  c.push_back(
      {"reshape_to", {s}, [s](const auto& x) { return reshape_to(x[0], joined(s, 1)); }, joined(s, 1)});
  const std::vector<int> same(s.begin(), s.end());
  c.push_back({"reshape", {s}, [same](const auto& x) { return reshape(x[0], same); }, s});
  c.push_back({"dropout",
               {s},
               [](const auto& x) {
                 Rng rng(1);
                 return dropout(x[0], 0.01, rng);
               },
               s});
  c.push_back({"stack", {s, s}, [](const auto& x) { return stack({x[0], x[1]}, -1); }, joined(s, 2)});
  c.push_back(
      {"embedding", {{2, 3}}, [s](const auto& x) { return embedding(x[0], zero_indices(s)); }, joined(s, 3)});
  c.push_back({"add_rows",
               {joined(s, 3)},
               [s](const auto& x) { return add_rows(x[0], zero_indices(s), 2); },
               {2, 3}});
}

void along_the_last_axis(std::vector<ShapeCase>& c, const Shape& s) {
  const Shape kept = with_last(s, 1);
  const bool empty = s.back() == 0;
  const std::string over_nothing = empty ? "over no numbers is undefined" : "";
  c.push_back({"sum", {s}, [](const auto& x) { return sum(x[0], {-1}); }, without_last(s)});
  c.push_back({"mean", {s}, [](const auto& x) { return mean(x[0], {-1}, true); }, kept, over_nothing});
  c.push_back({"mean_squared_error",
               {s, s},
               [](const auto& x) { return mean_squared_error(x[0], x[1]); },
               Shape{},
               size_of(s) == 0 ? "the mean over no numbers" : ""});
  c.push_back({"centered",
               {s},
               [](const auto& x) { return centered(x[0], {-1}); },
               s,
               empty ? "the mean over no numbers" : ""});
  c.push_back({"var",
               {s},
               [](const auto& x) { return var(x[0], {-1}, true); },
               kept,
               empty ? "0 numbers are too few" : ""});
  c.push_back({"max", {s}, [](const auto& x) { return max(x[0], {-1}); }, without_last(s), over_nothing});
  c.push_back({"softmax", {s}, [](const auto& x) { return softmax(x[0]); }, s});
  c.push_back({"softmax", {s}, [](const auto& x) { return softmax(x[0], 0); }, s});
  c.push_back({"log_softmax", {s}, [](const auto& x) { return log_softmax(x[0]); }, s});
  c.push_back({"layer_norm",
               {s, {s.back()}, {s.back()}},
               [](const auto& x) { return layer_norm(x[0], x[1], x[2]); },
               s,
               empty ? "expected at least one axis that is not empty" : ""});
  c.push_back({"rms_norm",
               {s, {s.back()}},
               [](const auto& x) { return rms_norm(x[0], x[1]); },
               s,
               empty ? "expected at least one axis that is not empty" : ""});
}

void picked_from_the_last_axis(std::vector<ShapeCase>& c, const Shape& s) {
  const bool empty = s.back() == 0;
  const Shape leading = without_last(s);
  const std::size_t positions = size_of(leading);
  for (const Reduction reduction : {Reduction::none, Reduction::sum, Reduction::mean}) {
    const CrossEntropyOptions options{.reduction = reduction, .label_smoothing = 0.25 * double(s.size() - 1)};
    std::string refusal = reduction == Reduction::mean && positions == 0 ? "the mean over no positions" : "";
    if (empty && positions > 0) refusal = "target 0 is neither in";
    c.push_back({"cross_entropy",
                 {s},
                 [=](const auto& x) { return cross_entropy(x[0], zero_indices(leading), options); },
                 reduction == Reduction::none ? leading : Shape{},
                 refusal});
  }
  const IntArray firsts = zero_indices(with_last(s, 2));
  const std::string no_index = empty && positions > 0 ? "index 0 is outside" : "";
  c.push_back(
      {"gather", {s}, [=](const auto& x) { return gather(x[0], firsts); }, with_last(s, 2), no_index});
  c.push_back({"scatter_add",
               {with_last(s, 2)},
               [=](const auto& x) { return scatter_add(x[0], firsts, -1, s); },
               s,
               no_index});
}

void rearranged_along_the_last_axis(std::vector<ShapeCase>& c, const Shape& s) {
  c.push_back({"slice",
               {s},
               [](const auto& x) { return slice(x[0], -1, 0, -1); },
               with_last(s, std::max<std::size_t>(s.back(), 1) - 1)});
  c.push_back({"concat",
               {s, with_last(s, 2)},
               [](const auto& x) {
                 return concat({x[0], x[1]}, -1);
               },
               with_last(s, s.back() + 2)});
  c.push_back({"linear",
               {s, {s.back(), 2}, {2}},
               [](const auto& x) { return linear(x[0], x[1], x[2]); },
               with_last(s, 2)});
  c.push_back({"matmul", {s, {s.back()}}, [](const auto& x) { return matmul(x[0], x[1]); }, without_last(s)});
  c.push_back({"permute",
               {joined(s, 1)},
               [n = int(s.size())](const auto& x) {
                 Axes order{n};
                 for (int i = 0; i < n; ++i) order.push_back(i);
                 return permute(x[0], order);
               },
               [&] {
                 Shape shape{1};
                 shape.insert(shape.end(), s.begin(), s.end());
                 return shape;
               }()});
}

void of_three_axes(std::vector<ShapeCase>& c, std::size_t B, std::size_t n, std::size_t d) {
  c.push_back({"transpose", {{B, n, d}}, [](const auto& x) { return transpose(x[0]); }, {B, d, n}});
  c.push_back({"matmul",
               {{B, n, d}, {B, n, d}},
               [](const auto& x) { return matmul(x[0], x[1], {.transpose_y = true}); },
               {B, n, n}});
  c.push_back({"matmul",
               {{B, n, d}, {1, n, d}},
               [](const auto& x) { return matmul(x[0], x[1], {.transpose_x = true}); },
               {B, d, d}});
  c.push_back({"rotary",
               {{B, n, 2 * d}},
               [t = rotary_table(3, 2)](const auto& x) { return rotary(x[0], t); },
               {B, n, 2 * d}});
  c.push_back(
      {"smear", {{B, n, 2 * d}, {2}}, [](const auto& x) { return smear(x[0], x[1]); }, {B, n, 2 * d}});
  c.push_back({"gru_step",
               {{B, 3 * d}, {B, 3 * d}, {B, d}},
               [](const auto& x) { return gru_step(x[0], x[1], x[2]); },
               {B, d},
               d == 0 ? "split" : ""});
  const std::string no_steps = d == 0 ? "expected W_hh" : n == 0 ? "at least one step" : "";
  c.push_back({"gru",
               {{B, n, 3 * d}, {d, 3 * d}, {3 * d}, {B, d}},
               [](const auto& x) { return gru(x[0], x[1], x[2], x[3]); },
               {B, n, d},
               no_steps});
  c.push_back({"lstm",
               {{B, n, 4 * d}, {d, 4 * d}, {4 * d}, {B, d}, {B, d}},
               [](const auto& x) { return lstm(x[0], x[1], x[2], x[3], x[4]); },
               {B, n, 2 * d},
               no_steps});
  const std::string refusal = d == 0 ? "q and k are empty" : "";
  for (const bool causal : {false, true})
    for (const std::size_t m : {0U, 1U, 2U})
      c.push_back({"scaled_dot_product_attention",
                   {{B, n, 2 * d}, {B, m, 2 * d}, {B, m, 2}, {n, m}},
                   [causal](const auto& x) {
                     return scaled_dot_product_attention(x[0], x[1], x[2],
                                                         {.causal = causal, .bias = x[3], .n_heads = 2});
                   },
                   {B, n, 2},
                   refusal});
  for (const std::size_t m : {0U, 1U, 2U})
    c.push_back({"scaled_dot_product_attention",
                 {{B, n, 2 * d}, {B, m, d}, {B, m, 1}, {2}},
                 [](const auto& x) {
                   return scaled_dot_product_attention(
                       x[0], x[1], x[2],
                       {.n_heads = 2, .n_kv_heads = 1, .sinks = x[3], .cap = 1, .dropout = 0.1});
                 },
                 {B, n, 2},
                 refusal});
  for (const std::size_t m : {0U, 1U, 2U})
    c.push_back({"scaled_dot_product_attention",
                 {{B, n, 2 * d}, {B, m, 2 * d}, {B, m, 2}, {2, 1}},
                 [](const auto& x) {
                   return scaled_dot_product_attention(x[0], x[1], x[2],
                                                       {.window = 1, .relative = {x[3], 0}, .n_heads = 2});
                 },
                 {B, n, 2},
                 refusal});
}

std::vector<ShapeCase> cases(const std::vector<std::size_t>& lengths) {
  std::vector<ShapeCase> c;
  std::vector<Shape> shapes;
  for (std::size_t a : lengths) {
    shapes.push_back({a});
    for (std::size_t b : lengths) {
      shapes.push_back({a, b});
      for (std::size_t d : lengths) of_three_axes(c, a, b, d);
    }
  }
  shapes.push_back({lengths[0], lengths[1], lengths[0]});
  for (const Shape& shape : shapes) {
    same_shape(c, shape);
    along_the_last_axis(c, shape);
    picked_from_the_last_axis(c, shape);
    rearranged_along_the_last_axis(c, shape);
    everyday_cases(c, shape);
  }
  return c;
}

// Positive numbers, neighbours far apart and no two inputs alike, so that no kink and no pole is near.
std::vector<Tensor> inputs_for(const ShapeCase& c) {
  std::vector<Tensor> inputs;
  for (const Shape& shape : c.inputs) {
    Array x = empty_array(shape);
    for (std::size_t i = 0; i < x.size(); ++i)
      x.data()[i] = Real(0.3 + 0.05 * double(inputs.size()) + 0.1 * double(7 * i % 15));
    inputs.push_back(parameter(std::move(x)));
  }
  return inputs;
}

// Leaves NaN in the memory that the next arrays get, so that what an op forgets to write is seen.
void spoil_recycled_memory() {
  std::vector<Array> junk;
  for (std::size_t size = 1; size <= 64; ++size)
    junk.push_back(full_array({size}, std::numeric_limits<Real>::quiet_NaN()));
}

std::string describe(const ShapeCase& c) {
  std::string text = c.op + " of";
  for (const Shape& shape : c.inputs) text += " " + to_string(shape);
  return text;
}

void require_every_op_tried(const std::vector<ShapeCase>& all) {
  std::set<std::string> tried;
  for (const ShapeCase& c : all) tried.insert(c.op);
  for (const std::string& op : declared_ops()) {
    INFO("no case for '" << op << "': add one above");
    CHECK(tried.contains(op));
  }
}

}  // namespace

TEST_CASE("every op takes axes of length 1", "[ops]") {
  const auto all = cases({1, 2});
  require_every_op_tried(all);
  for (const ShapeCase& c : all) {
    const auto x = inputs_for(c);
    INFO(describe(c));
    REQUIRE(c.function(x).shape() == c.result);
    // Softmax over one number has no slope: an error of 0 will do where gradcheck wants a proof.
    if (c.function(x).size() == 0) continue;
    const auto first = gradcheck(c.op, c.function, x);
    CHECK(first.error <= GradcheckOptions{}.tolerance);
    const auto second = check_second(c.op, c.function, x);
    CHECK(second.error <= (kDouble ? 1e-5 : 5e-2));  // a layer norm of two numbers is nearly flat
  }
}

TEST_CASE("every op takes axes of length 0 or says why not", "[ops]") {
  const auto all = cases({0, 2});
  require_every_op_tried(all);
  for (const ShapeCase& c : all) {
    const auto x = inputs_for(c);
    INFO(describe(c));
    if (!c.refusal.empty()) {
      const std::string message = error_of([&] { c.function(x); });
      CHECK(contains(message, c.refusal));
      continue;
    }
    spoil_recycled_memory();
    const auto d = derivatives(cubed(c.function), x, random_directions(x));
    CHECK(d.value.shape() == c.result);
    for (const Real value : d.value) CHECK(std::isfinite(value));
    spoil_recycled_memory();
    const auto plain = grad(c.function(x), x, {.cotangent = zeros(c.result)});
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(d.gradients[i].shape() == x[i].shape());
      CHECK(difference(plain[i].array(), zeros(x[i].shape()).array()) == 0);
      for (const Real value : d.hessian[i]) CHECK(std::isfinite(value));
    }
  }
}

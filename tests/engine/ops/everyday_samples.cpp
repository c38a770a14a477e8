// Samples of the functions of numbers, reductions, orders and losses that are mostly composed of other ops.
#include "headlight/ops/ops.h"
#include "samples.h"

namespace headlight {
namespace {

using namespace sample_inputs;

void of_numbers(std::vector<Sample>& s) {
  for (const Shape& shape : {Shape{2, 3}, Shape{}, Shape{20}}) {
    const std::string what = to_string(shape);
    s.push_back({"sin", what, {normal(shape)}, [](const auto& x) { return sin(x[0]); }});
    s.push_back({"cos", what, {normal(shape)}, [](const auto& x) { return cos(x[0]); }});
    s.push_back({"square", what, {normal(shape)}, [](const auto& x) { return square(x[0]); }});
    s.push_back({"log1p", what, {positive(shape)}, [](const auto& x) { return log1p(x[0]); }});
    s.push_back({"expm1", what, {normal(shape)}, [](const auto& x) { return expm1(x[0]); }});
    s.push_back({"softplus", what, {normal(shape)}, [](const auto& x) { return softplus(x[0]); }});
    s.push_back(
        {"leaky_relu", what, {off_zero(shape)}, [](const auto& x) { return leaky_relu(x[0], Real(0.2)); }});
    s.push_back({"clamp", what, {spread(shape)}, [](const auto& x) {
                   return clamp(x[0], Real(-0.85), Real(-0.55)) + 2 * x[0];
                 }});
    // Steps have no gradient of their own to compare.
    s.push_back({"sign", what, {off_zero(shape)}, [](const auto& x) { return x[0] * sign(x[0]); }});
    s.push_back({"floor", what, {spread(shape)}, [](const auto& x) { return x[0] * floor(x[0] * 2 + 0.1); }});
  }
  s.push_back(
      {"minimum", "broadcast", {spread({3, 4}), tensor({-0.76, -0.35, 0.04, -0.15})}, [](const auto& x) {
         return minimum(x[0], x[1]);
       }});
  s.push_back(
      {"minimum", "gradient to the second", {tensor({0.1, -0.1}), off_zero({3, 2})}, [](const auto& x) {
         return minimum(x[0], x[1]);
       }});
  s.push_back({"minimum",
               "equal shapes",
               {spread({2, 3}), tensor({{-0.75, -0.35, 0.05}, {-0.95, -0.55, 0.15}})},
               [](const auto& x) { return minimum(x[0], x[1]); }});
}

void over_axes(std::vector<Sample>& s) {
  const std::vector<std::pair<Axes, bool>> cases{{{}, false}, {0, false}, {-1, true}, {{0, 2}, false}};
  for (const auto& [axes, keep] : cases) {
    std::string what = keep ? "keep_dims, axes" : "axes";
    for (int axis : axes) what += " " + std::to_string(axis);
    const auto of = [&, axes = axes, keep = keep](const char* op, const Tensor& x, auto f) {
      s.push_back({op, what, {x}, [=](const auto& in) { return f(in[0], axes, keep); }});
    };
    of("min", spread({2, 3, 4}), min);
    of("prod", positive({2, 3, 4}), prod);
    of("norm", normal({2, 3, 4}), norm);
    of("logsumexp", normal({2, 3, 4}), logsumexp);
    of("stddev", normal({2, 3, 4}),
       [](const Tensor& x, const Axes& a, bool k) { return stddev(x, a, k, 1); });
  }
  s.push_back({"prod", "a zero, and two of them", {parameter({{2, 0, -1}, {0, 1, 0}})}, [](const auto& x) {
                 return prod(x[0], -1) + sum(x[0], -1);  // not 0, where all differences are
               }});
  for (int axis : {0, 1, -1})
    s.push_back({"cumsum", "axis " + std::to_string(axis), {normal({2, 3, 4})}, [axis](const auto& x) {
                   return cumsum(x[0], axis);
                 }});
}

void in_order(std::vector<Sample>& s) {
  for (int axis : {-1, 0}) {
    const std::string what = "axis " + std::to_string(axis);
    for (bool descending : {false, true})
      s.push_back({"sort", what, {spread({3, 4})}, [=](const auto& x) {
                     return sort(x[0], axis, descending).values;
                   }});
    s.push_back({"topk", what, {spread({3, 4})}, [=](const auto& x) { return topk(x[0], 2, axis).values; }});
  }
}

void reshaped(std::vector<Sample>& s) {
  const auto of = [&](const char* op, const char* what, const Shape& shape, auto f) {
    s.push_back({op, what, {normal(shape)}, [=](const auto& x) { return f(x[0]); }});
  };
  of("flatten", "all axes", {2, 3, 2}, [](const Tensor& x) { return flatten(x); });
  of("flatten", "the last two", {2, 3, 2}, [](const Tensor& x) { return flatten(x, 1); });
  of("squeeze", "", {2, 1, 3}, [](const Tensor& x) { return squeeze(x, 1); });
  of("unsqueeze", "", {2, 3}, [](const Tensor& x) { return unsqueeze(x, 1); });
  of("slice", "several axes", {4, 2, 5}, [](const Tensor& x) { return slice(x, {range(1, 3), all(), -2}); });
  of("split", "equal lengths", {5, 2}, [](const Tensor& x) {
    const auto parts = split(x, 2);
    return concat({parts[2] * 3, parts[0], parts[1] * 2});
  });
  of("split", "other lengths", {2, 5}, [](const Tensor& x) {
    const auto parts = split(x, {1, 4}, -1);
    return parts[1] * parts[0];
  });
  of("pad", "", {2, 3}, [](const Tensor& x) { return pad(x, 1, 2, 1, 7); });
  of("flip", "", {2, 3, 2}, [](const Tensor& x) { return flip(x, 1); });
  of("roll", "", {2, 5}, [](const Tensor& x) { return roll(x, 2); });
  of("repeat", "", {2, 3}, [](const Tensor& x) { return repeat(x, {2, 1, 3}); });
  of("repeat_interleave", "", {2, 3}, [](const Tensor& x) { return repeat_interleave(x, 2, 0); });
  of("tril", "", {2, 3, 4}, [](const Tensor& x) { return tril(x, 1); });
  of("triu", "", {2, 3, 4}, [](const Tensor& x) { return triu(x, -1); });
}

void by_axes(std::vector<Sample>& s) {
  s.push_back({"outer", "", {normal({3}), normal({2})}, [](const auto& x) { return outer(x[0], x[1]); }});
  s.push_back(
      {"outer", "equal", {normal({3}), normal({3})}, [](const auto& x) { return outer(x[0], x[1]); }});
  const std::vector<std::pair<std::string, std::pair<Shape, Shape>>> equations{
      {"ij,jk->ik", {{2, 3}, {3, 4}}},
      {"bnhd,bmhd->bhnm", {{2, 2, 2, 3}, {2, 1, 2, 3}}},
      {"ijk,jl->li", {{2, 3, 2}, {3, 2}}},
      {"ij,ij->", {{2, 3}, {2, 3}}}};
  for (const auto& [equation, shapes] : equations)
    s.push_back(
        {"einsum", equation, {normal(shapes.first), normal(shapes.second)}, [e = equation](const auto& x) {
           return einsum(e, x[0], x[1]);
         }});
  s.push_back(
      {"einsum", "one operand", {normal({2, 3, 2})}, [](const auto& x) { return einsum("ijk->ki", x[0]); }});
  for (const Conv1dOptions& options :
       {Conv1dOptions{}, Conv1dOptions{.stride = 2, .padding = 1, .dilation = 2}})
    s.push_back({"conv1d",
                 "stride " + std::to_string(options.stride),
                 {normal({2, 6, 2}), normal({3, 2, 4}), normal({4})},
                 [options](const auto& x) { return conv1d(x[0], x[1], x[2], options); }});
}

void of_targets(std::vector<Sample>& s) {
  for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
    s.push_back({"cross_entropy", "probabilities", {normal({2, 4}), positive({2, 4})}, [=](const auto& x) {
                   return cross_entropy(x[0], x[1], reduction);
                 }});
    s.push_back({"binary_cross_entropy_with_logits", "", {normal({5}), positive({5})}, [=](const auto& x) {
                   return binary_cross_entropy_with_logits(x[0], x[1], reduction);
                 }});
    s.push_back({"kl_divergence", "", {normal({2, 3}), normal({2, 3})}, [=](const auto& x) {
                   return kl_divergence(log_softmax(x[0]), log_softmax(x[1]), reduction);
                 }});
    s.push_back({"huber_loss", "", {spread({6}), tensor({4, 0.15, 0.25, -3, 0.35, 0.1})}, [=](const auto& x) {
                   return huber_loss(x[0], x[1], 0.7, reduction);
                 }});
  }
  s.push_back({"huber_loss", "both", {spread({4}), off_zero({4})}, [](const auto& x) {
                 return huber_loss(x[0] * 3, x[1]);
               }});
}

}  // namespace

void everyday_samples(std::vector<Sample>& s) {
  of_numbers(s);
  over_axes(s);
  in_order(s);
  reshaped(s);
  by_axes(s);
  of_targets(s);
}

}  // namespace headlight

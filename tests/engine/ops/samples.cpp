#include "samples.h"

#include <filesystem>
#include <regex>

#include "headlight/ops/ops.h"
#include "headlight/system/files.h"

namespace headlight {
namespace {

using namespace sample_inputs;

void arithmetic(std::vector<Sample>& s) {
  const std::vector<std::pair<Shape, Shape>> pairs{{{2, 3}, {2, 3}}, {{2, 3}, {3}},       {{2, 1}, {1, 3}},
                                                   {{}, {2, 2}},     {{2, 1, 3}, {4, 1}}, {{1}, {1}}};
  for (const auto& [a, b] : pairs) {
    const std::string what = to_string(a) + " with " + to_string(b);
    s.push_back({"add", what, {normal(a), normal(b)}, [](const auto& x) { return x[0] + x[1]; }});
    s.push_back({"sub", what, {normal(a), normal(b)}, [](const auto& x) { return x[0] - x[1]; }});
    s.push_back({"mul", what, {normal(a), normal(b)}, [](const auto& x) { return x[0] * x[1]; }});
    s.push_back({"div", what, {normal(a), positive(b)}, [](const auto& x) { return x[0] / x[1]; }});
    s.push_back({"pow", what, {positive(a), normal(b)}, [](const auto& x) { return pow(x[0], x[1]); }});
    s.push_back({"where", what, {normal(a), normal(b)}, [m = mask(b)](const auto& x) {
                   return where(m, x[0], x[1]);
                 }});
  }
  s.push_back({"mul", "the same tensor twice", {normal({2, 3})}, [](const auto& x) { return x[0] * x[0]; }});
  s.push_back(
      {"pow", "negative base, whole exponent", {off_zero({4})}, [](const auto& x) { return pow(x[0], 3); }});
  s.push_back({"pow", "square", {normal({2, 2})}, [](const auto& x) { return pow(x[0], 2); }});
  s.push_back({"neg", "", {normal({2, 3})}, [](const auto& x) { return -x[0]; }});
  s.push_back(
      {"maximum", "broadcast", {spread({3, 4}), tensor({-0.76, -0.35, 0.04, -0.15})}, [](const auto& x) {
         return maximum(x[0], x[1]);
       }});
  s.push_back(
      {"maximum", "gradient to the second", {tensor({0.1, 0.2}), off_zero({3, 2})}, [](const auto& x) {
         return maximum(x[0], x[1]);
       }});
  s.push_back({"maximum",
               "equal shapes",
               {spread({2, 3}), tensor({{-0.75, -0.35, 0.05}, {-0.95, -0.55, 0.15}})},
               [](const auto& x) { return maximum(x[0], x[1]); }});
  s.push_back({"mean_squared_error", "", {normal({2, 3}), normal({2, 3})}, [](const auto& x) {
                 return mean_squared_error(x[0], x[1]);
               }});
  s.push_back({"masked_fill", "", {normal({2, 3})}, [m = BoolArray{true, false, false}](const auto& x) {
                 return masked_fill(x[0], m, 5);
               }});
  s.push_back({"broadcast_to", "", {normal({3, 1})}, [](const auto& x) {
                 return broadcast_to(x[0], {2, 3, 4});
               }});
  s.push_back({"sum_to", "", {normal({2, 3, 4})}, [](const auto& x) { return sum_to(x[0], {3, 1}); }});
  s.push_back({"identity", "", {normal({2})}, [](const auto& x) { return identity(x[0]); }});
}

void elementwise(std::vector<Sample>& s) {
  for (const Shape& shape : {Shape{2, 3}, Shape{}, Shape{1, 1, 5}, Shape{20}}) {
    const std::string what = to_string(shape);
    s.push_back({"exp", what, {normal(shape)}, [](const auto& x) { return exp(x[0]); }});
    s.push_back({"log", what, {positive(shape)}, [](const auto& x) { return log(x[0]); }});
    s.push_back({"sqrt", what, {positive(shape)}, [](const auto& x) { return sqrt(x[0]); }});
    s.push_back({"tanh", what, {normal(shape)}, [](const auto& x) { return tanh(x[0]); }});
    s.push_back({"sigmoid", what, {normal(shape)}, [](const auto& x) { return sigmoid(x[0]); }});
    s.push_back(
        {"relu", what, {off_zero(shape)}, [](const auto& x) { return relu(x[0]) + relu(-x[0]) * 0.5; }});
    s.push_back({"abs", what, {off_zero(shape)}, [](const auto& x) { return abs(x[0]); }});
    s.push_back({"erf", what, {normal(shape)}, [](const auto& x) { return erf(x[0]); }});
    s.push_back({"gelu",
                 "tanh " + what,
                 {normal(shape)},
                 [](const auto& x) { return gelu(x[0]); },
                 [](const auto& x) { return reference::gelu(x[0]); }});
    s.push_back({"silu",
                 what,
                 {normal(shape)},
                 [](const auto& x) { return silu(x[0]); },
                 [](const auto& x) { return reference::silu(x[0]); }});
    s.push_back(
        {"swiglu", what, {normal(shape), normal(shape)}, [](const auto& x) { return swiglu(x[0], x[1]); }});
    s.push_back({"gelu",
                 "erf " + what,
                 {normal(shape)},
                 [](const auto& x) { return gelu(x[0], Gelu::erf); },
                 [](const auto& x) { return reference::gelu(x[0], Gelu::erf); }});
  }
}

void reductions(std::vector<Sample>& s) {
  const std::vector<std::pair<Axes, bool>> cases{
      {{}, false}, {{0}, false}, {{-1}, true}, {{0, 2}, false}, {{1}, true}};
  for (const auto& [axes, keep] : cases) {
    std::string what = keep ? "keep_dims, axes" : "axes";
    for (int axis : axes) what += " " + std::to_string(axis);
    s.push_back({"sum", what, {normal({2, 3, 4})}, [axes = axes, keep = keep](const auto& x) {
                   return sum(x[0], axes, keep);
                 }});
    s.push_back({"mean", what, {normal({2, 3, 4})}, [axes = axes, keep = keep](const auto& x) {
                   return mean(x[0], axes, keep);
                 }});
    if (!keep)
      s.push_back({"centered", what, {normal({2, 3, 4})}, [axes = axes](const auto& x) {
                     return centered(x[0], axes);
                   }});
    s.push_back({"var", what, {normal({2, 3, 4})}, [axes = axes, keep = keep](const auto& x) {
                   return var(x[0], axes, keep, 1);
                 }});
    s.push_back({"max", what, {spread({2, 3, 4})}, [axes = axes, keep = keep](const auto& x) {
                   return max(x[0], axes, keep);
                 }});
  }
  s.push_back({"sum", "a length of 1", {normal({3, 1})}, [](const auto& x) { return sum(x[0], {1}); }});
}

void rearranging(std::vector<Sample>& s) {
  s.push_back({"reshape", "", {normal({2, 6})}, [](const auto& x) { return reshape(x[0], {3, -1}); }});
  s.push_back({"reshape_to", "", {normal({2, 6})}, [](const auto& x) { return reshape_to(x[0], {4, 3}); }});
  s.push_back({"transpose", "last two", {normal({2, 3, 4})}, [](const auto& x) { return transpose(x[0]); }});
  s.push_back(
      {"transpose", "0 and 2", {normal({2, 3, 4})}, [](const auto& x) { return transpose(x[0], 0, 2); }});
  s.push_back({"permute", "", {normal({2, 3, 4})}, [](const auto& x) { return permute(x[0], {2, 0, 1}); }});
  s.push_back(
      {"slice", "negative start", {normal({5, 2})}, [](const auto& x) { return slice(x[0], 0, -3); }});
  s.push_back(
      {"slice", "steps of 2", {normal({2, 7})}, [](const auto& x) { return slice(x[0], 1, 1, 6, 2); }});
  s.push_back({"concat", "middle axis", {normal({2, 1, 2}), normal({2, 3, 2})}, [](const auto& x) {
                 return concat({x[0], x[1], x[0]}, 1);
               }});
  s.push_back({"concat", "equal shapes", {normal({2, 2}), normal({2, 2})}, [](const auto& x) {
                 return concat({x[0], x[1]});
               }});
  s.push_back({"stack", "new last axis", {normal({2, 3}), normal({2, 3})}, [](const auto& x) {
                 return stack({x[0], x[1]}, -1);
               }});
  s.push_back({"gather", "repeated indices", {normal({3, 4})}, [i = indices({3, 6}, 4)](const auto& x) {
                 return gather(x[0], i, 1);
               }});
  s.push_back({"scatter_add", "repeated indices", {normal({3, 6})}, [i = indices({3, 6}, 4)](const auto& x) {
                 return scatter_add(x[0], i, 1, {3, 4});
               }});
  s.push_back({"embedding", "repeated tokens", {normal({5, 3})}, [i = indices({2, 4}, 5)](const auto& x) {
                 return embedding(x[0], i);
               }});
  s.push_back({"add_rows", "repeated tokens", {normal({2, 4, 3})}, [i = indices({2, 4}, 5)](const auto& x) {
                 return add_rows(x[0], i, 5);
               }});
}

void products(std::vector<Sample>& s) {
  const std::vector<std::pair<Shape, Shape>> pairs{
      {{2, 3}, {3, 4}},          {{3}, {3}},       {{2, 3}, {3}},   {{3}, {3, 2}}, {{2, 2, 3}, {3, 4}},
      {{2, 1, 2, 3}, {3, 3, 1}}, {{1, 1}, {1, 1}}, {{3}, {2, 3, 2}}};
  for (const auto& [a, b] : pairs)
    s.push_back({"matmul", to_string(a) + " x " + to_string(b), {normal(a), normal(b)}, [](const auto& x) {
                   return matmul(x[0], x[1]);
                 }});
  for (bool tx : {false, true})
    for (bool ty : {false, true})
      s.push_back(
          {"matmul",
           std::string("transposed ") + (tx ? "x " : "") + (ty ? "y" : ""),
           {normal(tx ? Shape{2, 3, 2} : Shape{2, 2, 3}), normal(ty ? Shape{4, 3} : Shape{3, 4})},
           [tx, ty](const auto& x) { return matmul(x[0], x[1], {.transpose_x = tx, .transpose_y = ty}); }});
  for (const Shape& shape : {Shape{4, 3}, Shape{3}, Shape{2, 2, 3}})
    s.push_back({"linear",
                 to_string(shape),
                 {normal(shape), normal({3, 2}), normal({2})},
                 [](const auto& x) { return linear(x[0], x[1], x[2]); },
                 [](const auto& x) { return reference::linear(x[0], x[1], x[2]); }});
  s.push_back({"linear",
               "no bias",
               {normal({4, 3}), normal({3, 2})},
               [](const auto& x) { return linear(x[0], x[1]); },
               [](const auto& x) { return reference::linear(x[0], x[1]); }});
}

void normalisations(std::vector<Sample>& s) {
  for (int axis : {-1, 0, 1}) {
    const std::string what = "axis " + std::to_string(axis);
    s.push_back({"softmax",
                 what,
                 {normal({2, 3, 4})},
                 [axis](const auto& x) { return softmax(x[0], axis); },
                 [axis](const auto& x) { return reference::softmax(x[0], axis); }});
    s.push_back({"log_softmax",
                 what,
                 {normal({2, 3, 4})},
                 [axis](const auto& x) { return log_softmax(x[0], axis); },
                 [axis](const auto& x) { return reference::log_softmax(x[0], axis); }});
  }
  s.push_back({"softmax",
               "large scores",
               {parameter(tensor({{10000, 9999, 9998}, {-10000, 0, 1}}))},
               [](const auto& x) { return softmax(x[0]); },
               [](const auto& x) { return reference::softmax(x[0]); }});
  IntArray targets = indices({2, 3}, 5);
  targets(1, 1) = -100;
  for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
    for (double smoothing : {0.0, 0.3}) {
      const CrossEntropyOptions options{.reduction = reduction, .label_smoothing = smoothing};
      s.push_back({"cross_entropy",
                   smoothing > 0 ? "one ignored, smoothed" : "one ignored",
                   {normal({2, 3, 5})},
                   [=](const auto& x) { return cross_entropy(x[0], targets, options); },
                   [=](const auto& x) { return reference::cross_entropy(x[0], targets, options); }});
    }
}

void layer_norms(std::vector<Sample>& s) {
  s.push_back({"layer_norm",
               "w and b",
               {normal({2, 3, 4}), normal({4}), normal({4})},
               [](const auto& x) { return layer_norm(x[0], x[1], x[2]); },
               [](const auto& x) { return reference::layer_norm(x[0], x[1], x[2]); }});
  s.push_back({"layer_norm",
               "w only",
               {normal({3, 5}), normal({5})},
               [](const auto& x) { return layer_norm(x[0], x[1]); },
               [](const auto& x) { return reference::layer_norm(x[0], x[1]); }});
  s.push_back({"layer_norm",
               "b only",
               {normal({3, 5}), normal({5})},
               [](const auto& x) { return layer_norm(x[0], {}, x[1]); },
               [](const auto& x) { return reference::layer_norm(x[0], {}, x[1]); }});
  s.push_back({"layer_norm",
               "bare",
               {normal({5})},
               [](const auto& x) { return layer_norm(x[0]); },
               [](const auto& x) { return reference::layer_norm(x[0]); }});
}

void rms_norms(std::vector<Sample>& s) {
  s.push_back({"rms_norm",
               "w",
               {normal({2, 3, 4}), normal({4})},
               [](const auto& x) { return rms_norm(x[0], x[1]); },
               [](const auto& x) { return reference::rms_norm(x[0], x[1]); }});
  s.push_back({"rms_norm",
               "bare, a large eps",
               {normal({20})},
               [](const auto& x) { return rms_norm(x[0], {}, 0.5); },
               [](const auto& x) { return reference::rms_norm(x[0], {}, 0.5); }});
}

void smears(std::vector<Sample>& s) {
  for (const std::size_t n : {1U, 2U, 5U})
    s.push_back({"smear",
                 std::to_string(n) + " positions",
                 {normal({2, n, 6}), normal({3})},
                 [](const auto& x) { return smear(x[0], x[1]); },
                 [](const auto& x) { return reference::smear(x[0], x[1]); }});
}

void recurrences(std::vector<Sample>& s) {
  s.push_back({"gru_step", "2 of 3", {normal({2, 9}), normal({2, 9}), normal({2, 3})}, [](const auto& x) {
                 return gru_step(x[0], x[1], x[2]);
               }});
  for (const std::size_t n : {1U, 4U}) {
    s.push_back({"gru",
                 std::to_string(n) + " steps",
                 {normal({3, n, 6}), normal({2, 6}), normal({6}), normal({3, 2})},
                 [](const auto& x) { return gru(x[0], x[1], x[2], x[3]); },
                 [](const auto& x) { return reference::gru(x[0], x[1], x[2], x[3]); }});
    s.push_back({"lstm",
                 std::to_string(n) + " steps",
                 {normal({3, n, 8}), normal({2, 8}), normal({8}), normal({3, 2}), normal({3, 2})},
                 [](const auto& x) { return lstm(x[0], x[1], x[2], x[3], x[4]); },
                 [](const auto& x) { return reference::lstm(x[0], x[1], x[2], x[3], x[4]); }});
  }
}

void dropouts(std::vector<Sample>& s) {
  s.push_back({"dropout", "p = 0.4", {normal({4, 5})}, [](const auto& x) {
                 Rng same(3);
                 return dropout(x[0], 0.4, same);
               }});
}

}  // namespace

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> s;
    arithmetic(s);
    elementwise(s);
    reductions(s);
    rearranging(s);
    products(s);
    normalisations(s);
    layer_norms(s);
    rms_norms(s);
    smears(s);
    dropouts(s);
    attention_samples(s);
    everyday_samples(s);
    recurrences(s);  // last: each sample draws after those before it
    return s;
  }();
  return all;
}

namespace {

bool makes_constants(const std::filesystem::path& header) {
  return header.filename() == "constants.h" || header.filename() == "random.h";
}

}  // namespace

std::set<std::string> declared_ops() {
  namespace fs = std::filesystem;
  const fs::path include = fs::path(HEADLIGHT_SOURCE_DIR) / "include" / "headlight";
  std::vector<fs::path> headers{include / "autograd" / "linear_ops.h"};
  for (const auto& entry : fs::directory_iterator(include / "ops"))
    if (!makes_constants(entry.path())) headers.push_back(entry.path());
  std::set<std::string> names;
  const std::regex declaration("\n(?:Tensor|std::vector<Tensor>|Sorted) (\\w+)\\(");
  for (const auto& header : headers) {
    std::string text = read_file(header);
    const auto references = text.find("namespace reference");
    const auto end = text.find("}  // namespace reference");
    if (references != std::string::npos)
      text.erase(references, end == std::string::npos ? end : end - references);
    for (std::sregex_iterator match(text.begin(), text.end(), declaration), none; match != none; ++match)
      names.insert((*match)[1]);
  }
  return names;
}

}  // namespace headlight

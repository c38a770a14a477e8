// The worked examples of docs/gradients.md, computed by Headlight: every line of every ```text block.
#include <fmt/core.h>

#include <set>
#include <sstream>

#include "catch.h"
#include "headlight/autograd/backward.h"
#include "headlight/ops/ops.h"
#include "headlight/system/files.h"

using namespace headlight;

namespace {

// [[1, 2], [3, 4]], with four digits.
std::string written(const Tensor& x) {
  const Shape& shape = x.shape();
  std::string text = shape.empty() ? "" : "[";
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t column = shape.size() == 2 ? i % shape[1] : i;
    if (i > 0) text += column == 0 ? "], " : ", ";
    if (shape.size() == 2 && column == 0) text += "[";
    text += fmt::format("{:.4g}", std::round(double(x.array().data()[i]) * 1e6) / 1e6 + 0.0);
  }
  return text + (shape.size() == 2 ? "]]" : shape.empty() ? "" : "]");
}

std::string cotangent(const Tensor& y, const Tensor& x, const Tensor& given) {
  return written(grad(y, {x}, {.cotangent = given, .retain_graph = true})[0]);
}

std::set<std::string> matmul_and_broadcasting() {
  const Tensor X = parameter(tensor({{1, 2}, {3, 4}})), W = parameter(tensor({{1}, {-1}}));
  const Tensor Y = matmul(X, W), u = tensor({{1}, {10}});
  const Tensor b = parameter(zeros({3})), c = parameter(zeros({2, 1})), v = tensor({{1, 2, 3}, {4, 5, 6}});
  return {"Y = " + written(Y), "X̄ = " + cotangent(Y, X, u), "W̄ = " + cotangent(Y, W, u),
          "b̄ = " + cotangent(zeros({2, 3}) + b, b, v), "c̄ = " + cotangent(zeros({2, 3}) + c, c, v)};
}

std::set<std::string> rows() {
  const Tensor x = parameter(tensor({0, std::log(3.0)})), y = softmax(x);
  const Tensor logits = parameter(tensor({{0, std::log(3.0)}}));
  const Tensor row = parameter(tensor({1, 1, 3, 3})), normed = layer_norm(row, Tensor(), Tensor(), 0);
  std::set<std::string> lines{"y = " + written(y), "x̄ = " + cotangent(y, x, tensor({1, 5})),
                              "x̄ for ȳ = [1, 1]: " + cotangent(y, x, tensor({1, 1})),
                              "y = " + written(normed),
                              "x̄ = " + cotangent(normed, row, tensor({1, 2, 3, 6}))};
  for (int target : {0, 1}) {
    const Tensor loss = cross_entropy(logits, IntArray({1}, target));
    lines.insert(fmt::format("target {}: loss = {}, X̄ = {}", target, written(loss),
                             cotangent(loss, logits, ones(loss.shape()))));
  }
  const Tensor one = parameter(ones({}));
  for (const Gelu form : {Gelu::erf, Gelu::tanh}) {
    const Tensor z = gelu(one, form);
    lines.insert(fmt::format("{} y = {}, x̄ = {}", form == Gelu::erf ? "erf form: " : "tanh form:", written(z),
                             cotangent(z, one, ones({}))));
  }
  return lines;
}

std::set<std::string> attention_and_embedding() {
  const Tensor q = parameter(tensor({{1}})), keys = parameter(tensor({{0}, {std::log(3.0)}})),
               v = parameter(tensor({{1}, {5}})), b_K = parameter(tensor({7})), u = tensor({{1}});
  const Tensor z = scaled_dot_product_attention(q, keys, v), moved = keys + b_K;
  const Tensor same = scaled_dot_product_attention(q, moved, v);
  const Tensor table = parameter(zeros({3, 2}));
  return {
      "Z = " + written(z),
      "V̄ = " + cotangent(z, v, u),
      "Q̄ = " + cotangent(z, q, u),
      "K̄ = " + cotangent(z, keys, u),
      "Z with b_K = 7: " + written(same),
      "K̄ with b_K = 7: " + cotangent(same, moved, u),
      "b̄_K = " + cotangent(same, b_K, u),
      "W̄_E = " + cotangent(embedding(table, IntArray{2, 0, 2}), table, tensor({{1, 10}, {2, 20}, {3, 30}}))};
}

}  // namespace

TEST_CASE("the derivations' worked examples are what Headlight computes", "[derivations]") {
  std::set<std::string> computed = matmul_and_broadcasting();
  computed.merge(rows());
  computed.merge(attention_and_embedding());
  std::set<std::string> printed;
  std::istringstream page(read_file(HEADLIGHT_SOURCE_DIR "/docs/gradients.md"));
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```"))
      inside = line == "```text";
    else if (inside)
      printed.insert(line);
  }
  CHECK(printed == computed);
}

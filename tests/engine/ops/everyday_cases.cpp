#include <algorithm>

#include "headlight/ops/ops.h"
#include "shape_cases.h"

namespace headlight {
namespace {

// One input of shape s.
struct Adder {
  std::vector<ShapeCase>& c;
  const Shape& s;

  template <class F>
  void operator()(const char* op, const Shape& result, F f, const std::string& refusal = "") const {
    c.push_back({op, {s}, [f](const auto& x) { return f(x[0]); }, result, refusal});
  }
};

void functions(const Adder& add) {
  for (const auto& [name, f] :
       std::initializer_list<std::pair<const char*, Tensor (*)(const Tensor&)>>{{"sin", sin},
                                                                                {"cos", cos},
                                                                                {"square", square},
                                                                                {"log1p", log1p},
                                                                                {"expm1", expm1},
                                                                                {"softplus", softplus}})
    add(name, add.s, f);
  add("leaky_relu", add.s, [](const Tensor& x) { return leaky_relu(x); });
  add("clamp", add.s, [](const Tensor& x) { return clamp(x, Real(0.45), Real(1.25)); });
  add("sign", add.s, [](const Tensor& x) { return x * sign(x); });
  add("floor", add.s, [](const Tensor& x) { return x * floor(x + 0.05); });
}

void reductions(const Adder& add) {
  const bool empty = add.s.back() == 0;
  const Shape kept = with_last(add.s, 1), gone = without_last(add.s);
  add(
      "min", gone, [](const Tensor& x) { return min(x, -1); }, empty ? "the minimum over no numbers" : "");
  add("prod", kept, [](const Tensor& x) { return prod(x, -1, true); });
  add("norm", gone, [](const Tensor& x) { return norm(x, -1); });
  add(
      "logsumexp", kept, [](const Tensor& x) { return logsumexp(x, -1, true); },
      empty ? "the sum over no numbers has no logarithm" : "");
  add(
      "stddev", gone, [](const Tensor& x) { return stddev(x, -1) + sum(x, -1); },
      empty ? "0 numbers are too few" : "");
  add("cumsum", add.s, [](const Tensor& x) { return cumsum(x); });
  add("sort", add.s, [](const Tensor& x) { return sort(x).values; });
  add(
      "topk", with_last(add.s, 1), [](const Tensor& x) { return topk(x, 1).values; },
      empty ? "expected at most 0 numbers" : "");
}

void rearranged(const Adder& add) {
  const std::size_t n = add.s.back();
  add("flatten", {size_of(add.s)}, [](const Tensor& x) { return flatten(x); });
  add("unsqueeze", joined(add.s, 1), [](const Tensor& x) { return unsqueeze(x, -1); });
  add("squeeze", add.s, [](const Tensor& x) { return squeeze(unsqueeze(x, 0), 0); });
  add("pad", with_last(add.s, n + 3), [](const Tensor& x) { return pad(x, -1, 1, 2); });
  add("flip", add.s, [](const Tensor& x) { return flip(x, 0); });
  add("roll", add.s, [](const Tensor& x) { return roll(x, -1); });
  add(
      "slice", without_last(add.s),
      [rank = add.s.size()](const Tensor& x) {
        std::vector<AxisIndex> last(rank, all());
        last.back() = 0;
        return slice(x, last);
      },
      n == 0 ? "[slice] place 0 is outside axis" : "");
  add("split", add.s, [](const Tensor& x) { return concat(split(x, {0, x.length(-1)}, -1), -1); });
  Shape doubled = with_last(add.s, 2 * n);
  add("repeat", doubled, [rank = add.s.size()](const Tensor& x) {
    std::vector<std::size_t> times(rank, 1);
    times.back() = 2;
    return repeat(x, times);
  });
  add("repeat_interleave", doubled, [](const Tensor& x) { return repeat_interleave(x, 2); });
  const Shape square = joined(add.s, 2);
  add.c.push_back({"tril", {square}, [](const auto& x) { return tril(x[0]); }, square});
  add.c.push_back({"triu", {square}, [](const auto& x) { return triu(x[0], 0); }, square});
}

void of_two(const Adder& add) {
  const Shape &s = add.s, none;
  const std::size_t n = s.back();
  const bool no_rows = size_of(without_last(s)) == 0, nothing = size_of(s) == 0;
  const auto two = [&](const char* op, const Shape& other, const Shape& result, auto f, const char* refusal) {
    add.c.push_back({op, {s, other}, [f](const auto& x) { return f(x[0], x[1]); }, result, refusal});
  };
  two("minimum", s, s, minimum, "");
  two(
      "einsum", {n, 2}, {2},
      [](const Tensor& x, const Tensor& y) {
        return einsum(std::string("abcd").substr(0, x.dim() - 1) + "z,zy->y", x, y);
      },
      "");
  add.c.push_back({"outer", {{n}, {2}}, [](const auto& x) { return outer(x[0], x[1]); }, {n, 2}});
  two(
      "huber_loss", s, none, [](const Tensor& x, const Tensor& y) { return huber_loss(x * 2, y, 0.5); },
      nothing ? "the mean over no losses" : "");
  two(
      "binary_cross_entropy_with_logits", s, none,
      [](const Tensor& x, const Tensor& y) { return binary_cross_entropy_with_logits(x, y); },
      nothing ? "the mean over no losses" : "");
  two(
      "kl_divergence", s, none, [](const Tensor& x, const Tensor& y) { return kl_divergence(x, y); },
      no_rows ? "the mean over no losses" : "");
  two(
      "cross_entropy", s, none, [](const Tensor& x, const Tensor& y) { return cross_entropy(x, y); },
      no_rows ? "the mean over no losses" : "");
  add.c.push_back({"conv1d",
                   {joined(s, 2), {2, 2, 1}, {1}},
                   [](const auto& x) { return conv1d(x[0], x[1], x[2], {.padding = 1}); },
                   joined(with_last(s, n + 1), 1)});
}

}  // namespace

void everyday_cases(std::vector<ShapeCase>& c, const Shape& s) {
  const Adder add{c, s};
  functions(add);
  reductions(add);
  rearranged(add);
  of_two(add);
}

}  // namespace headlight

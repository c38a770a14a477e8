// The checker of exercise 1.
#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/rng.h"

// The learner's.
Shape row_major_strides(const Shape& shape);
double element_at(const Array& x, const Shape& index, const Shape& strides);
Shape broadcast_shape(const Shape& a, const Shape& b);
Shape broadcast_strides(const Shape& from, const Shape& to);
Array sum_back(const Array& u, const Shape& to);

namespace solution {
#include "solution.cpp"
}

#include "mistakes.h"
#include "mistakes_back.h"
#include "mistakes_together.h"

namespace {

using namespace grader;

// The numbers 10, 11, 12, …: one sees where each is from.
Array counting(const Shape& shape) {
  Array x = empty_array(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = 10.0 + static_cast<double>(i);
  return x;
}

// Whole numbers from -9 to 9.
Array drawn(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed);
  Array x = empty_array(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(rng.below(19)) - 9;
  return x;
}

std::string braces(const Shape& shape) {
  std::string text;
  for (const std::size_t length : shape) text += (text.empty() ? "" : ", ") + std::to_string(length);
  return "{" + text + "}";
}

Part strides_part() {
  using F = Shape (*)(const Shape&);
  std::vector<Case<F>> cases;
  for (const Shape& shape : std::vector<Shape>{{2, 3, 4}, {5}, {3, 1, 2}, {4, 3}, {}, {2, 5, 1, 3, 2}})
    cases.push_back(calling<F>("row_major_strides(" + braces(shape) + ")", named("shape", shape)));
  return part("row_major_strides", 1, ::row_major_strides, solution::row_major_strides, cases,
              with_together(mistakes::of_row_major_strides(), mistakes::kTogetherInStrides));
}

Part element_part() {
  using F = double (*)(const Array&, const Shape&, const Shape&);
  const auto reading = [](const Shape& shape, const Shape& index, const Shape& strides) {
    return calling<F>("element_at(x, " + braces(index) + ", " + braces(strides) + ")",
                      named("x", counting(shape)), named("index", index), named("strides", strides));
  };
  return part(
      "element_at", 1, ::element_at, solution::element_at,
      {reading({2, 3}, {1, 2}, {3, 1}), reading({4, 5}, {1, 2}, {5, 1}), reading({4, 5}, {3, 1}, {1, 5}),
       reading({4, 5}, {2, 2}, {0, 1}), reading({2, 3, 4}, {1, 2, 0}, {12, 4, 1}), reading({}, {}, {})},
      mistakes::of_element_at());
}

Part shape_part() {
  using F = Shape (*)(const Shape&, const Shape&);
  std::vector<Case<F>> cases;
  for (const auto& [a, b] : std::vector<std::pair<Shape, Shape>>{{{3, 1}, {4}},
                                                                 {{2, 3}, {2, 3}},
                                                                 {{5}, {2, 1, 5}},
                                                                 {{}, {2, 3}},
                                                                 {{2, 3}, {2}},
                                                                 {{4, 1, 3}, {2, 1}},
                                                                 {{1, 7}, {6, 7}},
                                                                 {{2, 0}, {2, 1}}})
    cases.push_back(
        calling<F>("broadcast_shape(" + braces(a) + ", " + braces(b) + ")", named("a", a), named("b", b)));
  return part("broadcast_shape", 2, ::broadcast_shape, solution::broadcast_shape, cases,
              with_together(mistakes::of_broadcast_shape(), mistakes::kTogetherInShapes));
}

// Shapes and what they broadcast to.
const std::vector<std::pair<Shape, Shape>> kPairs = {
    {{4}, {2, 3, 4}}, {{2, 1, 4}, {2, 3, 4}}, {{}, {2, 3}}, {{5, 1}, {3, 5, 2}}, {{3, 4}, {3, 4}}};

Part broadcast_strides_part() {
  using F = Shape (*)(const Shape&, const Shape&);
  std::vector<std::pair<Shape, Shape>> pairs{{{3, 1}, {3, 4}}};
  pairs.insert(pairs.end(), kPairs.begin(), kPairs.end());
  std::vector<Case<F>> cases;
  for (const auto& [from, to] : pairs)
    cases.push_back(calling<F>("broadcast_strides(" + braces(from) + ", " + braces(to) + ")",
                               named("from", from), named("to", to)));
  return part("broadcast_strides", 2, ::broadcast_strides, solution::broadcast_strides, cases,
              with_together(mistakes::of_broadcast_strides(), mistakes::kTogetherInBroadcasts));
}

Part sum_back_part() {
  using F = Array (*)(const Array&, const Shape&);
  std::vector<Case<F>> cases{
      calling<F>("sum_back(u, {3})", named("u", Array{{1, 2, 3}, {4, 5, 6}}), named("to", Shape{3}))};
  std::uint64_t seed = 1;
  for (const auto& [to, large] : kPairs)
    cases.push_back(
        calling<F>("sum_back(u, " + braces(to) + ")", named("u", drawn(large, seed++)), named("to", to)));
  return part("sum_back", 3, ::sum_back, solution::sum_back, cases,
              with_together(mistakes::of_sum_back(), mistakes::kTogetherInSums));
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "01_tensors",
        {strides_part(), element_part(), shape_part(), broadcast_strides_part(), sum_back_part()}};
  });
}

// Checks lesson 7: the calls that are compared with the solution, and the gradients after them.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "attention_mistakes.h"
#include "cost_mistakes.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/autograd/backward.h"
#include "headlight/core/rng.h"
#include "keys_mistakes.h"
#include "mask_mistakes.h"

// The learner's.
Tensor scaled_scores(const Tensor& q, const Tensor& k);
Tensor causal_mask_of(std::size_t n, std::size_t m);
Tensor batch_mask_of(const IntArray& lengths, std::size_t n, std::size_t m);
Tensor masked_softmax(const Tensor& scores, const Tensor& mask);
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask);
std::uint64_t multiply_adds(std::uint64_t n, std::uint64_t m, std::uint64_t d_k, std::uint64_t d_v);
std::vector<Trial> with_more_keys();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

namespace {

using grader::calling;
using grader::Case;
using grader::drawn;
using grader::named;
using grader::Part;
using grader::part;
using grader::Result;
using grader::shown;

// Whole numbers from -3 to 3: a cotangent.
Tensor drawn_cotangent(Rng& rng, const Shape& shape) {
  Array numbers = empty_array(shape);
  for (Real& x : numbers) x = static_cast<Real>(rng.below(7)) - 3;
  return Tensor(std::move(numbers));
}

// 0 and 1, at random.
Tensor drawn_mask(Rng& rng, const Shape& shape) {
  Array numbers = empty_array(shape);
  for (Real& x : numbers) x = static_cast<Real>(rng.below(2));
  return Tensor(std::move(numbers));
}

// A call that is differentiated by `inputs`, with a cotangent of the result's shape.
struct Differentiated {
  NamedTensors inputs;
  Tensor cotangent;

  std::vector<grader::Shown> shown_inputs() const {
    std::vector<grader::Shown> all;
    for (const auto& [name, x] : inputs) all.push_back(shown(name, x));
    all.push_back(shown("cotangent of the result", cotangent));
    return all;
  }

  // The result and the gradients of the inputs: zeros where the tape does not lead there.
  template <class Call>
  Result run(Call call) const {
    std::vector<Tensor> leaves, gradients;
    for (const auto& [name, x] : inputs) leaves.push_back(parameter(x));
    const Tensor y = call(leaves);
    Result result{shown("result", y)};
    if (!y.defined() || y.shape() != cotangent.shape()) return result;
    if (y.requires_grad()) gradients = grad(y, leaves, {.cotangent = cotangent, .allow_unused = true});
    for (std::size_t i = 0; i < leaves.size(); ++i)
      result.push_back(shown("gradient of " + inputs[i].first,
                             gradients.empty() ? zeros(leaves[i].shape()) : gradients[i]));
    return result;
  }
};

Part scores_part() {
  Rng rng(71);
  std::vector<Case<mistakes::Scores>> cases;
  const auto on = [&](const Tensor& q, const Tensor& k) {
    const Differentiated d{{{"q", q}, {"k", k}}, drawn_cotangent(rng, solution::scaled_scores(q, k).shape())};
    cases.push_back({"scaled_scores(q, k)", d.shown_inputs(), [d](const mistakes::Scores& function) {
                       return d.run([&](const auto& x) { return function(x[0], x[1]); });
                     }});
  };
  on(tensor({{1, 2, 0, 1}}), tensor({{2, 1, 1, 0}, {0, 1, 5, 4}}));
  for (const auto& [a, b] : std::vector<std::pair<Shape, Shape>>{
           {{3, 2}, {4, 2}}, {{3, 3}, {3, 3}}, {{2, 3, 5}, {2, 4, 5}}, {{2, 2, 3, 2}, {2, 2, 1, 2}}}) {
    const Tensor q = drawn(rng, a);
    on(q, drawn(rng, b));
  }
  return part<mistakes::Scores>("scaled_scores", 1, ::scaled_scores, solution::scaled_scores,
                                std::move(cases), mistakes::of_scaled_scores());
}

Part causal_part() {
  std::vector<Case<mistakes::CausalMask>> cases;
  for (const auto& [n, m] :
       std::vector<std::pair<std::size_t, std::size_t>>{{2, 3}, {4, 4}, {1, 4}, {1, 1}, {3, 7}, {5, 6}})
    cases.push_back(calling<mistakes::CausalMask>(fmt::format("causal_mask_of({}, {})", n, m), named("n", n),
                                                  named("m", m)));
  return part<mistakes::CausalMask>("causal_mask_of", 2, ::causal_mask_of, solution::causal_mask_of,
                                    std::move(cases), mistakes::of_causal_mask());
}

Part batch_part() {
  std::vector<Case<mistakes::BatchMask>> cases;
  const auto on = [&cases](const std::vector<std::int32_t>& lengths, std::size_t n, std::size_t m) {
    IntArray all = IntArray::from_shape({lengths.size()});
    std::copy(lengths.begin(), lengths.end(), all.begin());
    cases.push_back(
        {fmt::format("batch_mask_of(lengths, {}, {})", n, m),
         {shown("lengths", lengths)},
         [=](const mistakes::BatchMask& function) { return Result{shown("result", function(all, n, m))}; }});
  };
  on({1, 3}, 2, 3);
  on({4, 2, 3}, 4, 4);
  on({2}, 1, 5);
  on({0, 5, 1}, 3, 5);
  on({3, 3, 6}, 2, 6);
  return part<mistakes::BatchMask>("batch_mask_of", 2, ::batch_mask_of, solution::batch_mask_of,
                                   std::move(cases), mistakes::of_batch_mask());
}

Part softmax_part() {
  Rng rng(74);
  std::vector<Case<mistakes::MaskedSoftmax>> cases;
  const auto on = [&](const Tensor& scores, const Tensor& mask) {
    const Differentiated d{{{"scores", scores}}, drawn_cotangent(rng, scores.shape())};
    std::vector<grader::Shown> inputs = d.shown_inputs();
    inputs.insert(inputs.begin() + 1, shown("mask", mask));
    cases.push_back(
        {"masked_softmax(scores, mask)", inputs, [d, mask](const mistakes::MaskedSoftmax& function) {
           return d.run([&](const auto& x) { return function(x[0], mask); });
         }});
  };
  on(tensor({{1, 1, 7}, {5, 5, 5}}), tensor({{1, 1, 0}, {0, 0, 0}}));
  on(drawn(rng, {3, 4}), 1);
  on(drawn(rng, {2, 3}), tensor({{0, 1, 1}, {1, 0, 1}}));
  on(tensor({{1000, 1001, 999}, {-1000, -999, -1002}}), tensor({{1, 1, 0}, {0, 1, 1}}));
  on(tensor({{1000, 1, 2}, {3, -1000, 4}}), tensor({{0, 1, 1}, {1, 1, 1}}));  // a hidden score is far above
  on(tensor({{-1000, -1001, 5}, {-998, -1002, -1000}}), tensor({{1, 1, 0}, {1, 1, 1}}));  // all are far below
  on(drawn(rng, {3, 3}), solution::causal_mask_of(3, 3));
  on(drawn(rng, {2, 3, 3}), solution::causal_mask_of(3, 3));
  const Tensor batch = drawn(rng, {2, 2, 4});
  on(batch, solution::batch_mask_of(IntArray{1, 4}, 2, 4));
  const Tensor heads = drawn(rng, {2, 2, 1, 3});
  on(heads, drawn_mask(rng, {2, 1, 1, 3}));
  constexpr double kTolerance = 1e-11;  // a sum that is too large by 1e-10 is seen
  return part<mistakes::MaskedSoftmax>("masked_softmax", 3, ::masked_softmax, solution::masked_softmax,
                                       std::move(cases), mistakes::of_masked_softmax(), kTolerance);
}

Part attention_part() {
  Rng rng(75);
  std::vector<Case<mistakes::Attention>> cases;
  const auto on = [&](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
    const Differentiated d{{{"q", q}, {"k", k}, {"v", v}},
                           drawn_cotangent(rng, solution::attention(q, k, v, mask).shape())};
    std::vector<grader::Shown> inputs = d.shown_inputs();
    inputs.insert(inputs.begin() + 3, shown("mask", mask));
    cases.push_back({"attention(q, k, v, mask)", inputs, [d, mask](const mistakes::Attention& function) {
                       return d.run([&](const auto& x) { return function(x[0], x[1], x[2], mask); });
                     }});
  };
  on(tensor({{1, 0, 0, 0}}), tensor({{3, 1, 4, 1}, {3, 5, 9, 2}}), tensor({{2, 0, 8}, {4, 6, 0}}), 1);
  const auto some = [&](const Shape& lead, std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v,
                        const Tensor& mask) {
    const auto shape = [&](std::size_t rows, std::size_t columns) {
      Shape all = lead;
      all.push_back(rows), all.push_back(columns);
      return all;
    };
    const Tensor q = drawn(rng, shape(n, d_k)), k = drawn(rng, shape(m, d_k));
    on(q, k, drawn(rng, shape(m, d_v)), mask);
  };
  some({}, 2, 3, 2, 4, 1);
  some({}, 3, 3, 4, 2, solution::causal_mask_of(3, 3));
  some({2}, 2, 3, 3, 2, solution::causal_mask_of(2, 3));
  some({2}, 2, 3, 2, 3, solution::batch_mask_of(IntArray{1, 3}, 2, 3));  // a query may look nowhere
  some({2, 2}, 1, 2, 3, 1, drawn_mask(rng, {2, 1, 1, 2}));
  return part<mistakes::Attention>("attention", 2, ::attention, solution::attention, std::move(cases),
                                   mistakes::of_attention());
}

Part multiply_adds_part() {
  std::vector<Case<mistakes::MultiplyAdds>> cases;
  for (const auto& [n, m, d_k, d_v] : std::vector<std::array<std::uint64_t, 4>>{
           {2, 3, 4, 2}, {5, 5, 3, 3}, {1, 7, 2, 5}, {3, 8, 1, 4}, {65536, 65536, 64, 128}})
    cases.push_back(
        calling<mistakes::MultiplyAdds>(fmt::format("multiply_adds({}, {}, {}, {})", n, m, d_k, d_v),
                                        named("n", n), named("m", m), named("d_k", d_k), named("d_v", d_v)));
  return part<mistakes::MultiplyAdds>("multiply_adds", 2, ::multiply_adds, solution::multiply_adds,
                                      std::move(cases), mistakes::of_multiply_adds());
}

Part with_more_keys_part() {
  return grader::experiment_part("with_more_keys", 2, ::with_more_keys, solution::with_more_keys,
                                 solution::mean_largest_weight,
                                 {.setting = "m",
                                  .measured = "largest weight",
                                  .least = 2,
                                  .most = 4096,
                                  .trials = 4,
                                  .wrong = mistakes::of_with_more_keys()});
}

// What Headlight has already.
Part of_your_own(Part part) {
  return grader::without(std::move(part),
                         {"softmax", "log_softmax", "visible_keys", "scaled_dot_product_attention",
                          "attention_scores", "attention_pattern", "attention_output"});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"07_scaled_dot_product_attention",
                            {of_your_own(scores_part()), of_your_own(causal_part()),
                             of_your_own(batch_part()), of_your_own(softmax_part()),
                             of_your_own(attention_part()), multiply_adds_part(), with_more_keys_part()}};
  });
}

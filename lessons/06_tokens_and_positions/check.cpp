// The checker of exercise 6.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "exercise.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"

// The learner's.
Tensor embed(const Tensor& table, const IntArray& tokens);
Tensor embed_vjp(const Tensor& g, const IntArray& tokens, std::size_t vocabulary);
Tensor sinusoidal_table(std::size_t n, std::size_t d);
Tensor shift_matrix(std::size_t d, std::size_t k);
Tensor rotate(const Tensor& x, std::size_t first);
Tensor rotate_back(const Tensor& g, std::size_t first);
std::vector<Trial> most_alike();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "alike_mistakes.h"
#include "mistakes.h"
#include "position_mistakes.h"
#include "rotary_mistakes.h"

namespace {

using namespace grader;

grader::Shown shown_tokens(const IntArray& tokens) {
  return {"tokens", tokens.shape(), std::vector<double>(tokens.begin(), tokens.end())};
}

// Whole numbers from -9 to 9.
Tensor drawn(const Shape& shape, Rng& rng) {
  Array x = empty_array(shape);
  for (double& number : x) number = static_cast<double>(rng.below(19)) - 9;
  return Tensor(x);
}

IntArray drawn_tokens(const IntArray::shape_type& shape, std::size_t vocabulary, Rng& rng) {
  IntArray tokens = IntArray::from_shape(shape);
  for (auto& token : tokens) token = static_cast<std::int32_t>(rng.below(vocabulary));
  return tokens;
}

Shape with_rows(const IntArray& tokens, std::size_t d) {
  Shape shape = tokens.shape();
  shape.push_back(d);
  return shape;
}

// The result, and what arrives at the table when g arrives at the result; zeros if it is off the tape.
Result embedded(mistakes::Embed embed_of, const Tensor& table, const IntArray& tokens, const Tensor& g) {
  const Tensor leaf = parameter(table), y = embed_of(leaf, tokens);
  const bool whole = y.defined() && y.shape() == g.shape();
  if (whole && y.requires_grad()) sum(y * g).backward();
  return {shown("result", y),
          shown("gradient of the table", leaf.has_grad() ? leaf.grad() : zeros(leaf.shape()))};
}

Case<mistakes::Embed> embed_case(const Tensor& table, const IntArray& tokens) {
  Rng rng(63);
  const Tensor g = drawn(with_rows(tokens, table.length(1)), rng);
  return {"embed(table, tokens), and the gradient of the table when g arrives at the result",
          {shown("table", table), shown_tokens(tokens), shown("g", g)},
          [=](mistakes::Embed embed_of) { return embedded(embed_of, table, tokens, g); }};
}

Part embed_part() {
  Rng rng(61);
  std::vector<Case<mistakes::Embed>> cases = {embed_case(tensor({{1, 2}, {3, 4}, {5, 6}}), IntArray{2, 0, 2}),
                                              embed_case(drawn({5, 3}, rng), IntArray{1, 4, 4, 2}),
                                              embed_case(drawn({3, 3}, rng), IntArray{2, 1, 1, 2}),
                                              embed_case(drawn({4, 2}, rng), IntArray{3})};
  const auto random = [&](std::size_t vocabulary, std::size_t d, const Shape& tokens) {
    const Tensor table = drawn({vocabulary, d}, rng);
    cases.push_back(embed_case(table, drawn_tokens(tokens, vocabulary, rng)));
  };
  random(6, 2, {2, 3});
  random(3, 4, {2, 2, 2});
  return part<mistakes::Embed>("embed", 1, ::embed, solution::embed, std::move(cases), mistakes::of_embed());
}

Part embed_vjp_part() {
  Rng rng(62);
  std::vector<Case<mistakes::EmbedVjp>> cases;
  const auto on = [&cases](const Tensor& g, const IntArray& tokens, std::size_t vocabulary) {
    cases.push_back(
        {"embed_vjp(g, tokens, vocabulary)",
         {shown("g", g), shown_tokens(tokens), shown("vocabulary", vocabulary)},
         [=](mistakes::EmbedVjp vjp) { return Result{shown("result", vjp(g, tokens, vocabulary))}; }});
  };
  on(tensor({{1, 2}, {10, 20}, {100, 200}}), {2, 0, 2}, 3);
  on(drawn({4, 3}, rng), {1, 3, 1, 1}, 5);
  on(drawn({5, 2}, rng), {0, 2, 0, 1, 2}, 3);
  on(drawn({1, 4}, rng), {1}, 2);
  on(drawn({2, 2, 3}, rng), IntArray{{1, 0}, {1, 3}}, 4);
  on(drawn({3, 2, 2}, rng), IntArray{{5, 5}, {0, 5}, {4, 0}}, 7);
  return part<mistakes::EmbedVjp>("embed_vjp", 2, ::embed_vjp, solution::embed_vjp, std::move(cases),
                                  mistakes::of_embed_vjp());
}

Part sinusoidal_part() {
  std::vector<Case<mistakes::SinusoidalTable>> cases;
  for (const auto& [n, d] : std::vector<std::pair<std::size_t, std::size_t>>{{2, 4}, {5, 6}, {3, 8}, {12, 4}})
    cases.push_back(calling<mistakes::SinusoidalTable>(fmt::format("sinusoidal_table({}, {})", n, d),
                                                       named("n", n), named("d", d)));
  return part<mistakes::SinusoidalTable>("sinusoidal_table", 2, ::sinusoidal_table,
                                         solution::sinusoidal_table, std::move(cases),
                                         mistakes::of_sinusoidal_table());
}

Part shift_part() {
  std::vector<Case<mistakes::ShiftMatrix>> cases;
  for (const auto& [d, k] :
       std::vector<std::pair<std::size_t, std::size_t>>{{2, 3}, {4, 1}, {6, 5}, {8, 0}, {8, 300}})
    cases.push_back(calling<mistakes::ShiftMatrix>(fmt::format("shift_matrix({}, {})", d, k), named("d", d),
                                                   named("k", k)));
  return part<mistakes::ShiftMatrix>("shift_matrix", 3, ::shift_matrix, solution::shift_matrix,
                                     std::move(cases), mistakes::of_shift_matrix());
}

// The same calls for both directions.
std::vector<Case<mistakes::Rotate>> turning(const std::string& name, const std::string& x,
                                            const Tensor& example, std::size_t first) {
  std::vector<Case<mistakes::Rotate>> cases;
  const auto on = [&](const Tensor& numbers, std::size_t from) {
    cases.push_back(calling<mistakes::Rotate>(fmt::format("{}({}, first)", name, x), named(x, numbers),
                                              named("first", from)));
  };
  on(example, first);
  Rng rng(64);
  on(drawn({3, 4}, rng), 0);
  on(drawn({2, 6}, rng), 5);
  on(drawn({2, 3, 4}, rng), 2);
  on(drawn({2, 1, 2, 8}, rng), 30);
  return cases;
}

Part rotate_part() {
  return part<mistakes::Rotate>("rotate", 3, ::rotate, solution::rotate,
                                turning("rotate", "x", tensor({{1, 0}, {1, 0}, {0, 1}}), 0),
                                mistakes::of_rotate());
}

Part rotate_back_part() {
  return part<mistakes::Rotate>("rotate_back", 2, ::rotate_back, solution::rotate_back,
                                turning("rotate_back", "g", tensor({{0, 1}}), 1), mistakes::of_rotate_back());
}

Part most_alike_part() {
  return experiment_part("most_alike", 2, ::most_alike, solution::most_alike, solution::most_like_position_0,
                         {.setting = "pairs",
                          .measured = "position",
                          .least = 1,
                          .most = 32,
                          .trials = 4,
                          .wrong = mistakes::of_most_alike()});
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"06_tokens_and_positions",
                            {grader::without(embed_part(), {"embedding"}),
                             grader::without(embed_vjp_part(), {"add_rows", "scatter_add", "backward"}),
                             sinusoidal_part(), shift_part(), grader::without(rotate_part(), {"rotary"}),
                             grader::without(rotate_back_part(), {"rotary", "backward"}), most_alike_part()}};
  });
}

// The checker of exercise 18.
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "blocks.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"

// The learner's.
BlockCost block_cost(std::size_t n, std::size_t d, std::size_t h, std::size_t w);
Running add_block(const Running& before, const std::vector<double>& scores, const Array& values);
Running merged(const Running& a, const Running& b);
InBlocks windowed_attention(const Tensor& Q, const Tensor& K, const Tensor& V, std::size_t window,
                            std::size_t rows, std::size_t columns);
std::vector<Trial> new_maxima();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_blocks.h"
#include "mistakes_maxima.h"
#include "mistakes_merged.h"
#include "mistakes_running.h"

namespace {

using namespace grader;
using mistakes::AddBlock, mistakes::CostOfBlock, mistakes::Merged, mistakes::Windowed;

Part cost_part() {
  std::vector<Case<CostOfBlock>> cases;
  const auto on = [&cases](std::size_t n, std::size_t d, std::size_t h, std::size_t w) {
    cases.push_back({fmt::format("block_cost({}, {}, {}, {})", n, d, h, w), {}, [=](const CostOfBlock& f) {
                       const BlockCost cost = f(n, d, h, w);
                       return Result{shown("per_token", cost.per_token), shown("per_pair", cost.per_pair),
                                     shown("pattern", cost.pattern), shown("crossing", cost.crossing)};
                     }});
  };
  on(4, 8, 2, 32);
  on(101, 24, 3, 40);
  on(1, 64, 8, 256);
  on(500, 32, 4, 32);
  on(65536, 512, 8, 2048);
  return part<CostOfBlock>("block_cost", 1, ::block_cost, solution::block_cost, std::move(cases),
                           mistakes::of_block_cost());
}

Result shown_running(const Running& r) { return {shown("m", r.m), shown("l", r.l), shown("o", r.o)}; }

// "{0.7, 1.5, [2, 4]}", in the place of a tensor that a verdict would show.
std::vector<Shown> named_running(const std::string& name, const Running& r) {
  return {shown(name + ".m", r.m), shown(name + ".l", r.l), shown(name + ".o", r.o)};
}

std::vector<double> row_of(const Tensor& x) { return {x.array().begin(), x.array().end()}; }

// What is known after some random keys, whose scores lie around `middle`.
Running after_keys(Rng& rng, std::size_t keys, std::size_t width, double middle) {
  std::vector<double> scores = row_of(drawn(rng, {keys}));
  for (double& s : scores) s += middle;
  return solution::add_block({-INFINITY, 0, std::vector<double>(width, 0)}, scores,
                             drawn(rng, {keys, width}).array());
}

Part block_part() {
  Rng rng(161);
  std::vector<Case<AddBlock>> cases;
  const auto on = [&cases](const Running& before, const std::vector<double>& scores, const Array& values) {
    std::vector<Shown> inputs = named_running("before", before);
    inputs.push_back(shown("scores", scores)), inputs.push_back(shown("values", values));
    cases.push_back({"add_block(before, scores, values)", std::move(inputs),
                     [=](const AddBlock& f) { return shown_running(f(before, scores, values)); }});
  };
  const auto values = [&rng](std::size_t keys, std::size_t width) {
    return drawn(rng, {keys, width}).array();
  };
  const auto random = [&](std::size_t keys, std::size_t width, double middle,
                          const std::vector<double>& scores) {
    const Running before = after_keys(rng, keys, width, middle);
    on(before, scores, values(scores.size(), width));
  };
  const double log_4 = std::log(4), none = -INFINITY;
  const Running nothing{none, 0, {0, 0}};
  on({0, 2, {4, 6}}, {log_4, none}, {{1, 3}, {5, 5}});
  random(3, 2, -3, {-1.5, 0.5, -0.2});      // a larger maximum in the middle
  random(3, 3, 4, {-0.5, 1.5, none, 0.8});  // the maximum stays
  on(nothing, {-2.5, -1.2, -3}, values(3, 2));
  on(nothing, {none, none}, values(2, 2));
  random(2, 2, 1, {none, none, none});
  random(2, 1, -900, {1000, 998.5});
  random(2, 2, 1000, {-1000, 999.5, 1001});
  random(4, 2, -6, {-4.5, -3.5});
  return part<AddBlock>("add_block", 2, ::add_block, solution::add_block, std::move(cases),
                        mistakes::of_add_block());
}

Part merged_part() {
  Rng rng(162);
  std::vector<Case<Merged>> cases;
  const auto on = [&cases](const Running& a, const Running& b) {
    std::vector<Shown> inputs = named_running("a", a);
    for (Shown& each : named_running("b", b)) inputs.push_back(std::move(each));
    cases.push_back(
        {"merged(a, b)", std::move(inputs), [=](const Merged& f) { return shown_running(f(a, b)); }});
  };
  const Running nothing{-INFINITY, 0, {0, 0}};
  on({0, 2, {4}}, {std::log(4), 1.5, {3}});
  std::apply(on, std::tuple{after_keys(rng, 3, 2, 1), after_keys(rng, 4, 2, -2)});
  std::apply(on, std::tuple{after_keys(rng, 3, 3, -4), after_keys(rng, 2, 3, -6)});
  std::apply(on, std::tuple{after_keys(rng, 3, 2, -5), after_keys(rng, 5, 2, -3)});
  on(nothing, after_keys(rng, 3, 2, -2));
  on(after_keys(rng, 3, 2, -2), nothing);
  on(nothing, nothing);
  std::apply(on, std::tuple{after_keys(rng, 3, 1, 900), after_keys(rng, 3, 1, -900)});
  std::apply(on, std::tuple{after_keys(rng, 2, 2, -1000), after_keys(rng, 2, 2, -1001)});
  std::apply(on, std::tuple{after_keys(rng, 2, 2, 1000), after_keys(rng, 2, 2, 1001)});
  return part<Merged>("merged", 2, ::merged, solution::merged, std::move(cases), mistakes::of_merged());
}

Part windowed_part() {
  Rng rng(163);
  std::vector<Case<Windowed>> cases;
  const auto on = [&cases](const Tensor& Q, const Tensor& K, const Tensor& V, std::size_t window,
                           std::size_t rows, std::size_t columns) {
    cases.push_back({fmt::format("windowed_attention(Q, K, V, {}, {}, {})", window, rows, columns),
                     {shown("Q", Q), shown("K", K), shown("V", V)},
                     [=](const Windowed& f) {
                       const InBlocks r = f(Q, K, V, window, rows, columns);
                       return Result{shown("O", r.O), shown("log_sums", r.log_sums), shown("tiles", r.tiles)};
                     }});
  };
  on(tensor({{0}, {0}}), tensor({{7}, {8}, {9}}), tensor({{2}, {4}, {6}}), 2, 1, 2);
  const auto random = [&](std::size_t n, std::size_t m, std::size_t d_k, std::size_t d_v, std::size_t window,
                          std::size_t rows, std::size_t columns, double size = 1.5) {
    const Tensor Q = drawn(rng, {n, d_k}, size), K = drawn(rng, {m, d_k}, size);
    on(Q, K, drawn(rng, {m, d_v}), window, rows, columns);
  };
  random(4, 4, 2, 3, 4, 2, 2);      // causal, no key is too old
  random(5, 5, 3, 2, 2, 2, 2);      // the last blocks are smaller
  random(3, 8, 4, 2, 3, 2, 3);      // the queries of a sequence that goes on
  random(6, 7, 3, 3, 2, 3, 2);      // a query sees none of the keys of its first tile
  random(6, 6, 2, 1, 1, 2, 3);      // each query sees itself only
  random(4, 6, 3, 2, 4, 2, 2, 40);  // scores far beyond the range of exp
  random(8, 12, 2, 2, 5, 4, 3);
  return part<Windowed>("windowed_attention", 3, ::windowed_attention, solution::windowed_attention,
                        std::move(cases), mistakes::of_windowed_attention());
}

Part maxima_part() {
  return experiment_part("new_maxima", 2, ::new_maxima, solution::new_maxima,
                         [](double keys) { return solution::maxima_among(static_cast<std::size_t>(keys)); },
                         {.setting = "keys",
                          .measured = "new maxima",
                          .least = 2,
                          .most = 4096,
                          .trials = 4,
                          .wrong = mistakes::of_new_maxima()});
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [] {
    return grader::Exercise{
        "18_what_attention_costs",
        {cost_part(), block_part(), merged_part(),
         grader::without(windowed_part(), {"softmax", "scaled_dot_product_attention", "attention_scores",
                                           "attention_pattern", "attention_output"}),
         maxima_part()}};
  });
}

// Checks lesson 9. What a part should return is not taken from the solution: the tape of the library finds
// it.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "attention_gradients.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "mistakes.h"
#include "mistakes_factor.h"
#include "mistakes_memory.h"
#include "mistakes_scores.h"
#include "mistakes_sink.h"
#include "mistakes_tile.h"
#include "mistakes_whole.h"
#include "tape.h"

GatedGradients gated_values_back(const Tensor& dZ, const Tensor& G, const Tensor& P, const Tensor& V);
SinkGradients sink_scores_back(const Tensor& dP, const Tensor& S, const Tensor& mask, const Tensor& sink);
TemperedGradients tempered_scores_back(const Tensor& dS, const Tensor& Q, const Tensor& K, const Tensor& t);
MemoryGradients shared_memory_back(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                                   const Tensor& M, const Tensor& W_Q, const Tensor& W_KV);
TileGradients capped_tile_back(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K,
                               const Tensor& V, const Tensor& log_sums, double cap);
AttentionGradients multi_query_backward(const Tensor& dY, const Tensor& X, const MultiQueryWeights& w,
                                        std::size_t n_heads);
std::vector<Trial> factor_trials();

namespace {

using grader::Case, grader::drawn, grader::Part, grader::part, grader::Result, grader::shown;

// Shows the gradients that a part found. Beside their names stand all that are wrong.
Result ledger(Result found, const Result& right) {
  std::string wrong;
  for (std::size_t i = 0; i < found.size(); ++i) {
    bool same = found[i].shape == right[i].shape;
    double largest = 1;
    for (const double number : right[i].numbers) largest = std::max(largest, std::abs(number));
    for (std::size_t k = 0; same && k < right[i].numbers.size(); ++k)
      same = std::abs(found[i].numbers[k] - right[i].numbers[k]) <= 1e-9 * largest;
    if (!same) wrong += (wrong.empty() ? "" : ", ") + found[i].name;
  }
  if (!wrong.empty())
    for (grader::Shown& each : found) each.name += " (wrong: " + wrong + ")";
  return found;
}

Result shown_gradients(const GatedGradients& d) {
  return {shown("dV", d.dV), shown("dP", d.dP), shown("dG", d.dG)};
}
Result shown_gradients(const SinkGradients& d) { return {shown("dS", d.dS), shown("dsink", d.dsink)}; }
Result shown_gradients(const TemperedGradients& d) {
  return {shown("dQ", d.dQ), shown("dK", d.dK), shown("dt", d.dt), shown("dB", d.dB)};
}
Result shown_gradients(const MemoryGradients& d) {
  return {shown("dW_Q", d.dW_Q), shown("dW_KV", d.dW_KV), shown("dX", d.dX), shown("dM", d.dM)};
}
Result shown_gradients(const TileGradients& d) {
  return {shown("dV", d.dV), shown("dQ", d.dQ), shown("dK", d.dK)};
}
Result shown_gradients(const AttentionGradients& d) {
  return {shown("dW_O", d.dW_O), shown("dW_Q", d.dW_Q), shown("dW_K", d.dW_K), shown("dW_V", d.dW_V),
          shown("dX", d.dX)};
}

// The case that calls a part with these arguments, and marks the gradients that the tape finds otherwise.
template <class F, class... T>
Case<F> case_of(const std::string& call, std::type_identity_t<F> tape, grader::Named<T>... arguments) {
  return {call, {shown(arguments.name, arguments.value)...}, [=](const F& function) {
            return ledger(shown_gradients(function(arguments.value...)),
                          shown_gradients(tape(arguments.value...)));
          }};
}
using grader::named;

// Axes in front, n queries, m keys, width of the values.
struct Sizes {
  Shape front;
  std::size_t n, m, d_v;

  Shape of(std::size_t rows, std::size_t columns) const {
    Shape shape = front;
    shape.push_back(rows);
    shape.push_back(columns);
    return shape;
  }
};

Part gated_part() {
  Rng rng(91);
  std::vector<Case<mistakes::Gated>> cases;
  const auto on = [&cases](const Tensor& dZ, const Tensor& G, const Tensor& P, const Tensor& V) {
    cases.push_back(case_of<mistakes::Gated>("gated_values_back(dZ, G, P, V)", tape::gated, named("dZ", dZ),
                                             named("G", G), named("P", P), named("V", V)));
  };
  on(tensor({{1, 2}}), tensor({{2, 10}}), tensor({{0.25, 0.75}}), tensor({{1, 0}, {5, 2}}));
  for (const Sizes& s :
       std::vector<Sizes>{{{}, 3, 3, 3}, {{}, 2, 4, 5}, {{2}, 3, 2, 3}, {{3}, 3, 3, 3}, {{2, 3}, 2, 3, 2}}) {
    const Tensor dZ = drawn(rng, s.of(s.n, s.d_v)), G = drawn(rng, s.of(s.n, s.d_v)),
                 P = softmax(drawn(rng, s.of(s.n, s.m)));
    on(dZ, G, P, drawn(rng, s.of(s.m, s.d_v)));
  }
  return part<mistakes::Gated>("gated_values_back", 1, ::gated_values_back, tape::gated, std::move(cases),
                               mistakes::of_gated_values_back());
}

Part sink_part() {
  Rng rng(92);
  std::vector<Case<mistakes::Sink>> cases;
  const auto on = [&cases](const Tensor& dP, const Tensor& S, const Tensor& mask, double sink) {
    cases.push_back(case_of<mistakes::Sink>("sink_scores_back(dP, S, mask, sink)", tape::sink,
                                            named("dP", dP), named("S", S), named("mask", mask),
                                            named("sink", Tensor(sink))));
  };
  on(tensor({{1, 5, 100}}), tensor({{0, std::log(3), 7}}), tensor({{1, 1, 0}}), std::log(4));
  std::apply(on, std::tuple{drawn(rng, {3, 4}), drawn(rng, {3, 4}), 1, 0.5});
  std::apply(on, std::tuple{drawn(rng, {3, 3}), drawn(rng, {3, 3}), tensor({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}),
                            -0.5});
  // Query 1 sees no key.
  std::apply(on, std::tuple{drawn(rng, {2, 3}), drawn(rng, {2, 3}), tensor({{1, 0, 1}, {0, 0, 0}}), 2});
  std::apply(on,
             std::tuple{drawn(rng, {2, 3, 2}), drawn(rng, {2, 3, 2}), tensor({{1, 1}, {0, 1}, {0, 0}}), 1.5});
  std::apply(on, std::tuple{drawn(rng, {2, 2, 3}), drawn(rng, {2, 2, 3}),
                            tensor({{{1, 1, 0}, {1, 1, 1}}, {{0, 1, 0}, {1, 0, 1}}}), 0});
  return part<mistakes::Sink>("sink_scores_back", 2, ::sink_scores_back, tape::sink, std::move(cases),
                              mistakes::of_sink_scores_back());
}

Part tempered_part() {
  Rng rng(93);
  std::vector<Case<mistakes::Tempered>> cases;
  const auto on = [&cases](const Tensor& dS, const Tensor& Q, const Tensor& K, const Tensor& t) {
    cases.push_back(case_of<mistakes::Tempered>("tempered_scores_back(dS, Q, K, t)", tape::tempered,
                                                named("dS", dS), named("Q", Q), named("K", K),
                                                named("t", t)));
  };
  on(tensor({{{1, 2}}, {{0, 1}}}), tensor({{{1, 2}}, {{3, 0}}}), tensor({{{1, 0}, {0, 1}}, {{1, 1}, {2, 0}}}),
     tensor({{{10}}, {{100}}}));
  for (const auto& [H, n, m, d_k] :
       std::vector<std::array<std::size_t, 4>>{{2, 3, 3, 3}, {1, 2, 4, 3}, {3, 3, 3, 2}, {2, 3, 2, 4}}) {
    const Tensor dS = drawn(rng, {H, n, m}), Q = drawn(rng, {H, n, d_k}), K = drawn(rng, {H, m, d_k});
    on(dS, Q, K, drawn(rng, {H, 1, 1}));
  }
  return part<mistakes::Tempered>("tempered_scores_back", 2, ::tempered_scores_back, tape::tempered,
                                  std::move(cases), mistakes::of_tempered_scores_back());
}

Part memory_part() {
  Rng rng(94);
  std::vector<Case<mistakes::Memory>> cases;
  const auto on = [&cases](const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                           const Tensor& M, const Tensor& W_Q, const Tensor& W_KV) {
    cases.push_back(case_of<mistakes::Memory>(
        "shared_memory_back(dQ, dK, dV, X, M, W_Q, W_KV)", tape::memory, named("dQ", dQ), named("dK", dK),
        named("dV", dV), named("X", X), named("M", M), named("W_Q", W_Q), named("W_KV", W_KV)));
  };
  on(tensor({{{1}}, {{10}}}), tensor({{{1}, {0}}, {{2}, {0}}}), tensor({{{0}, {1}}, {{0}, {3}}}),
     tensor({{{1, 2}}, {{3, 4}}}), tensor({{1, 0}, {2, 1}}), tensor({{1}, {0}}), tensor({{1}, {10}}));
  for (const auto& [B, n, m, d, e] : std::vector<std::array<std::size_t, 5>>{
           {2, 3, 3, 3, 3}, {3, 2, 4, 4, 3}, {2, 3, 3, 2, 2}, {3, 1, 2, 2, 3}}) {
    const Tensor dQ = drawn(rng, {B, n, e}), dK = drawn(rng, {B, m, e}), dV = drawn(rng, {B, m, e}),
                 X = drawn(rng, {B, n, d}), M = drawn(rng, {m, d}), W_Q = drawn(rng, {d, e});
    on(dQ, dK, dV, X, M, W_Q, drawn(rng, {d, e}));
  }
  return part<mistakes::Memory>("shared_memory_back", 2, ::shared_memory_back, tape::memory, std::move(cases),
                                mistakes::of_shared_memory_back());
}

// Attention of all m keys, and the tile of the keys from `first` to `end`.
Case<mistakes::TileBack> tile_case(const Tensor& dZ, const Tensor& Q, const Tensor& K, const Tensor& V,
                                   double cap, int first, int end) {
  const Tensor S = cap * tanh(matmul(Q, transpose(K)) / tape::root_of(Q.length(-1)) / cap);
  return case_of<mistakes::TileBack>("capped_tile_back(dZ, Z, Q, K, V, log_sums, cap)", tape::tile,
                                     named("dZ", dZ), named("Z", matmul(softmax(S), V)), named("Q", Q),
                                     named("K", slice(K, -2, first, end)),
                                     named("V", slice(V, -2, first, end)),
                                     named("log_sums", log(sum(exp(S), {-1}, true))), named("cap", cap));
}

Part tile_part() {
  Rng rng(95);
  const double ln_3 = std::log(3);
  std::vector<Case<mistakes::TileBack>> cases = {tile_case(
      tensor({{1}}), tensor({{1}}), tensor({{0}, {ln_3 * ln_3}}), tensor({{1}, {5}}), 2 * ln_3, 1, 2)};
  const auto on = [&](const Sizes& s, std::size_t d_k, double cap, int first, int end) {
    const Tensor dZ = drawn(rng, s.of(s.n, s.d_v)), Q = drawn(rng, s.of(s.n, d_k), 1),
                 K = drawn(rng, s.of(s.m, d_k), 1);
    cases.push_back(tile_case(dZ, Q, K, drawn(rng, s.of(s.m, s.d_v)), cap, first, end));
  };
  on({{}, 2, 5, 4}, 3, 2, 1, 4);
  on({{}, 3, 5, 3}, 4, 1.5, 0, 3);
  on({{2}, 3, 4, 3}, 2, 3, 2, 4);
  on({{}, 2, 3, 2}, 4, 2, 0, 3);  // one tile is all
  return part<mistakes::TileBack>("capped_tile_back", 3, ::capped_tile_back, tape::tile, std::move(cases),
                                  mistakes::of_capped_tile_back());
}

Case<mistakes::Whole> whole_case(std::size_t n_heads, const Tensor& dY, const Tensor& X,
                                 const MultiQueryWeights& w) {
  return {"multi_query_backward(dY, X, w, " + std::to_string(n_heads) + ")",
          {shown("dY", dY), shown("X", X), shown("w.W_Q", w.W_Q), shown("w.W_K", w.W_K),
           shown("w.W_V", w.W_V), shown("w.W_O", w.W_O)},
          [=](const mistakes::Whole& function) {
            return ledger(shown_gradients(function(dY, X, w, n_heads)),
                          shown_gradients(tape::multi_query(dY, X, w, n_heads)));
          }};
}

Part whole_part() {
  Rng rng(96);
  std::vector<Case<mistakes::Whole>> cases = {
      whole_case(2, tensor({{0, 0}, {16, 4}}), tensor({{0, 0}, {1, 0}}),
                 {tensor({{std::log(3), 0}, {0, 0}}), tensor({{1}, {0}}), tensor({{1}, {0}}),
                  tensor({{1, 0}, {0, 1}})})};
  const auto on = [&](std::size_t n, std::size_t d, std::size_t n_heads) {
    const Tensor dY = drawn(rng, {n, d}), X = drawn(rng, {n, d}, 1);
    MultiQueryWeights w;
    for (Tensor* each : {&w.W_Q, &w.W_O}) *each = drawn(rng, {d, d}, 0.7);
    for (Tensor* each : {&w.W_K, &w.W_V}) *each = drawn(rng, {d, d / n_heads}, 0.7);
    cases.push_back(whole_case(n_heads, dY, X, w));
  };
  on(3, 4, 2);
  on(2, 3, 1);
  on(4, 6, 3);
  on(2, 4, 2);  // as many heads as tokens, and as columns of a head
  return part<mistakes::Whole>("multi_query_backward", 3, ::multi_query_backward, tape::multi_query,
                               std::move(cases), mistakes::of_multi_query_backward());
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "09_attention_gradients",
        {grader::without(gated_part(), {"backward"}), grader::without(sink_part(), {"backward"}),
         grader::without(tempered_part(), {"backward"}), grader::without(memory_part(), {"backward"}),
         grader::without(tile_part(), {"backward"}), grader::without(whole_part(), {"backward"}),
         grader::experiment_part("factor_trials", 2, ::factor_trials, ::factor_trials, tape::length_of_dQ,
                                 {.setting = "t",
                                  .measured = "length of dQ",
                                  .least = 0.01,
                                  .most = 100,
                                  .whole = false,
                                  .wrong = mistakes::of_factor_trials()})}};
  });
}

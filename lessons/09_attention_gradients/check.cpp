// Checks lesson 9. What a part should return is not taken from the solution: the tape of the library finds
// it.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "attention_gradients.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/part.h"
#include "headlight/autograd/backward.h"
#include "headlight/core/rng.h"
#include "mistakes.h"
#include "mistakes_projections.h"
#include "mistakes_tile.h"
#include "mistakes_weights.h"
#include "mistakes_whole.h"

std::pair<Tensor, Tensor> attention_values_back(const Tensor& dZ, const Tensor& P, const Tensor& V);
Tensor softmax_scores_back(const Tensor& dP, const Tensor& S, const Tensor& mask);
std::pair<Tensor, Tensor> scores_back(const Tensor& dS, const Tensor& Q, const Tensor& K);
ProjectionGradients projections_back(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                                     const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V);
TileGradients tile_back(const Tensor& dZ, const Tensor& Z, const Tensor& Q, const Tensor& K, const Tensor& V,
                        const Tensor& log_sums);
AttentionGradients multi_head_backward(const Tensor& dY, const Tensor& X, const AttentionWeights& w,
                                       std::size_t n_heads);

// The same functions, differentiated by the library.
namespace tape {

double root_of(std::size_t length) { return std::sqrt(static_cast<double>(length)); }

std::pair<Tensor, Tensor> values(const Tensor& dZ, const Tensor& of_P, const Tensor& of_V) {
  const Tensor P = parameter(of_P), V = parameter(of_V);
  const auto d = grad(matmul(P, V), {V, P}, {.cotangent = dZ});
  return {d[0], d[1]};
}

Tensor softmax_scores(const Tensor& dP, const Tensor& scores, const Tensor& mask) {
  const Tensor S = parameter(scores);
  return grad(softmax(masked_fill(S, equal(mask, 0), -INFINITY)), {S}, {.cotangent = dP})[0];
}

std::pair<Tensor, Tensor> scores(const Tensor& dS, const Tensor& of_Q, const Tensor& of_K) {
  const Tensor Q = parameter(of_Q), K = parameter(of_K);
  const auto d = grad(matmul(Q, transpose(K)) / root_of(Q.length(-1)), {Q, K}, {.cotangent = dS});
  return {d[0], d[1]};
}

ProjectionGradients projections(const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& of_X,
                                const Tensor& of_W_Q, const Tensor& of_W_K, const Tensor& of_W_V) {
  const Tensor X = parameter(of_X), W_Q = parameter(of_W_Q), W_K = parameter(of_W_K), W_V = parameter(of_W_V);
  const Tensor loss = sum(matmul(X, W_Q) * dQ) + sum(matmul(X, W_K) * dK) + sum(matmul(X, W_V) * dV);
  const auto d = grad(loss, {W_Q, W_K, W_V, X});
  return {d[0], d[1], d[2], d[3]};
}

// log_sums is a constant here. How it moves with the scores of the tile is in the second term of the loss:
// the weights of each row are the slopes of its log_sums, and rowsum(Z ⊙ dZ) is what -log_sums is worth.
TileGradients tile(const Tensor& dZ, const Tensor& Z, const Tensor& of_Q, const Tensor& of_K,
                   const Tensor& of_V, const Tensor& log_sums) {
  const Tensor Q = parameter(of_Q), K = parameter(of_K), V = parameter(of_V);
  const Tensor P = exp(matmul(Q, transpose(K)) / root_of(Q.length(-1)) - log_sums);
  const Tensor loss = sum(matmul(P, V) * dZ) - sum(P * sum(Z * dZ, {-1}, true));
  const auto d = grad(loss, {V, Q, K});
  return {d[0], d[1], d[2]};
}

AttentionGradients multi_head(const Tensor& dY, const Tensor& of_X, const AttentionWeights& w,
                              std::size_t n_heads) {
  const Tensor X = parameter(reshape_to(of_X, {1, of_X.length(0), of_X.length(1)})), W_Q = parameter(w.W_Q),
               W_K = parameter(w.W_K), W_V = parameter(w.W_V), W_O = parameter(w.W_O);
  const Tensor Z = scaled_dot_product_attention(matmul(X, W_Q), matmul(X, W_K), matmul(X, W_V),
                                                {.causal = true, .n_heads = n_heads});
  const auto d = grad(matmul(Z, W_O), {W_O, W_Q, W_K, W_V, X}, {.cotangent = reshape_to(dY, X.shape())});
  return {d[0], d[1], d[2], d[3], reshape_to(d[4], of_X.shape())};
}

}  // namespace tape

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

Result shown_gradients(const ProjectionGradients& d) {
  return {shown("dW_Q", d.dW_Q), shown("dW_K", d.dW_K), shown("dW_V", d.dW_V), shown("dX", d.dX)};
}
Result shown_gradients(const TileGradients& d) {
  return {shown("dV", d.dV), shown("dQ", d.dQ), shown("dK", d.dK)};
}
Result shown_gradients(const AttentionGradients& d) {
  return {shown("dW_O", d.dW_O), shown("dW_Q", d.dW_Q), shown("dW_K", d.dW_K), shown("dW_V", d.dW_V),
          shown("dX", d.dX)};
}

// Axes in front, n queries, m keys, widths of keys and of values.
struct Sizes {
  Shape front;
  std::size_t n, m, d_k, d_v;

  Shape of(std::size_t rows, std::size_t columns) const {
    Shape shape = front;
    shape.push_back(rows);
    shape.push_back(columns);
    return shape;
  }
};
const std::vector<Sizes>& sizes() {
  static const std::vector<Sizes> all = {
      {{}, 3, 3, 3, 3}, {{}, 2, 4, 3, 5}, {{2}, 3, 2, 4, 3}, {{3}, 3, 3, 3, 3}, {{2, 3}, 2, 3, 5, 2}};
  return all;
}

Part values_part() {
  Rng rng(91);
  std::vector<Case<mistakes::ValuesBack>> cases;
  const auto on = [&cases](const Tensor& dZ, const Tensor& P, const Tensor& V) {
    cases.push_back({"attention_values_back(dZ, P, V)",
                     {shown("dZ", dZ), shown("P", P), shown("V", V)},
                     [=](mistakes::ValuesBack function) {
                       const auto [dV, dP] = function(dZ, P, V);
                       return Result{shown("dV", dV), shown("dP", dP)};
                     }});
  };
  on(tensor({{1, 2}}), tensor({{0.25, 0.75}}), tensor({{1, 0}, {5, 2}}));
  for (const Sizes& s : sizes()) {
    const Tensor dZ = drawn(rng, s.of(s.n, s.d_v)), P = softmax(drawn(rng, s.of(s.n, s.m)));
    on(dZ, P, drawn(rng, s.of(s.m, s.d_v)));
  }
  return part("attention_values_back", 1, ::attention_values_back, tape::values, std::move(cases),
              mistakes::kOfAttentionValuesBack);
}

Part softmax_part() {
  Rng rng(92);
  std::vector<Case<mistakes::SoftmaxBack>> cases;
  const auto on = [&cases](const Tensor& dP, const Tensor& S, const Tensor& mask) {
    cases.push_back(
        {"softmax_scores_back(dP, S, mask)",
         {shown("dP", dP), shown("S", S), shown("mask", mask)},
         [=](mistakes::SoftmaxBack function) { return Result{shown("dS", function(dP, S, mask))}; }});
  };
  on(tensor({{1, 5, 100}}), tensor({{0, std::log(3), 7}}), tensor({{1, 1, 0}}));
  on(drawn(rng, {3, 4}), drawn(rng, {3, 4}), 1);
  on(drawn(rng, {3, 3}), drawn(rng, {3, 3}), tensor({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}));
  on(drawn(rng, {2, 3}), drawn(rng, {2, 3}), tensor({{1, 0, 1}, {0, 0, 0}}));  // query 1 sees no key
  on(drawn(rng, {2, 3, 2}), drawn(rng, {2, 3, 2}), tensor({{1, 1}, {0, 1}, {0, 0}}));
  on(drawn(rng, {2, 2, 3}), drawn(rng, {2, 2, 3}), tensor({{{1, 1, 0}, {1, 1, 1}}, {{0, 1, 0}, {1, 0, 1}}}));
  return part("softmax_scores_back", 2, ::softmax_scores_back, tape::softmax_scores, std::move(cases),
              mistakes::kOfSoftmaxScoresBack);
}

Part scores_part() {
  Rng rng(93);
  std::vector<Case<mistakes::ScoresBack>> cases;
  const auto on = [&cases](const Tensor& dS, const Tensor& Q, const Tensor& K) {
    cases.push_back({"scores_back(dS, Q, K)",
                     {shown("dS", dS), shown("Q", Q), shown("K", K)},
                     [=](mistakes::ScoresBack function) {
                       const auto [dQ, dK] = function(dS, Q, K);
                       return Result{shown("dQ", dQ), shown("dK", dK)};
                     }});
  };
  on(tensor({{-1, 1}}), tensor({{2, 0, 4, 0}}), tensor({{1, 2, 0, 0}, {3, 0, 0, 0}}));
  for (const Sizes& s : sizes()) {
    const Tensor dS = drawn(rng, s.of(s.n, s.m)), Q = drawn(rng, s.of(s.n, s.d_k));
    on(dS, Q, drawn(rng, s.of(s.m, s.d_k)));
  }
  return part("scores_back", 2, ::scores_back, tape::scores, std::move(cases), mistakes::kOfScoresBack);
}

Part projections_part() {
  Rng rng(94);
  std::vector<Case<mistakes::ProjectionsBack>> cases;
  const auto on = [&cases](const Tensor& dQ, const Tensor& dK, const Tensor& dV, const Tensor& X,
                           const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V) {
    cases.push_back({"projections_back(dQ, dK, dV, X, W_Q, W_K, W_V)",
                     {shown("dQ", dQ), shown("dK", dK), shown("dV", dV), shown("X", X), shown("W_Q", W_Q),
                      shown("W_K", W_K), shown("W_V", W_V)},
                     [=](mistakes::ProjectionsBack function) {
                       return ledger(shown_gradients(function(dQ, dK, dV, X, W_Q, W_K, W_V)),
                                     shown_gradients(tape::projections(dQ, dK, dV, X, W_Q, W_K, W_V)));
                     }});
  };
  on(tensor({{{1}}, {{10}}}), tensor({{{2}}, {{0}}}), tensor({{{0}}, {{1}}}), tensor({{{1, 2}}, {{3, 4}}}),
     tensor({{1}, {0}}), tensor({{0}, {1}}), tensor({{1}, {1}}));
  // B, n, d, e, f
  for (const auto& [B, n, d, e, f] : std::vector<std::array<std::size_t, 5>>{
           {2, 3, 2, 2, 2}, {3, 2, 4, 3, 2}, {1, 3, 3, 3, 3}, {3, 1, 2, 2, 3}}) {
    const Tensor dQ = drawn(rng, {B, n, e}), dK = drawn(rng, {B, n, e}), dV = drawn(rng, {B, n, f}),
                 X = drawn(rng, {B, n, d}), W_Q = drawn(rng, {d, e}), W_K = drawn(rng, {d, e});
    on(dQ, dK, dV, X, W_Q, W_K, drawn(rng, {d, f}));
  }
  return part("projections_back", 2, ::projections_back, tape::projections, std::move(cases),
              mistakes::of_projections_back());
}

// Attention of all m keys, and the tile of the keys from `first` to `end`.
Case<mistakes::TileBack> tile_case(const Tensor& dZ, const Tensor& Q, const Tensor& K, const Tensor& V,
                                   int first, int end) {
  const Tensor S = matmul(Q, transpose(K)) / tape::root_of(Q.length(-1));
  const Tensor Z = matmul(softmax(S), V), log_sums = log(sum(exp(S), {-1}, true));
  const Tensor k = slice(K, -2, first, end), v = slice(V, -2, first, end);
  return {"tile_back(dZ, Z, Q, K, V, log_sums)",
          {shown("dZ", dZ), shown("Z", Z), shown("Q", Q), shown("K", k), shown("V", v),
           shown("log_sums", log_sums)},
          [=](mistakes::TileBack function) {
            return ledger(shown_gradients(function(dZ, Z, Q, k, v, log_sums)),
                          shown_gradients(tape::tile(dZ, Z, Q, k, v, log_sums)));
          }};
}

Part tile_part() {
  Rng rng(95);
  std::vector<Case<mistakes::TileBack>> cases = {
      tile_case(tensor({{1}}), tensor({{1}}), tensor({{0}, {std::log(3)}}), tensor({{1}, {5}}), 1, 2)};
  const auto on = [&](const Sizes& s, int first, int end) {
    const Tensor dZ = drawn(rng, s.of(s.n, s.d_v)), Q = drawn(rng, s.of(s.n, s.d_k), 1),
                 K = drawn(rng, s.of(s.m, s.d_k), 1);
    cases.push_back(tile_case(dZ, Q, K, drawn(rng, s.of(s.m, s.d_v)), first, end));
  };
  on({{}, 2, 5, 3, 4}, 1, 4);
  on({{}, 3, 5, 4, 3}, 0, 3);
  on({{2}, 3, 4, 2, 3}, 2, 4);
  on({{}, 2, 3, 4, 2}, 0, 3);  // one tile is all
  return part("tile_back", 3, ::tile_back, tape::tile, std::move(cases), mistakes::kOfTileBack);
}

Case<mistakes::Whole> whole_case(std::size_t n_heads, const Tensor& dY, const Tensor& X,
                                 const AttentionWeights& w) {
  return {"multi_head_backward(dY, X, w, " + std::to_string(n_heads) + ")",
          {shown("dY", dY), shown("X", X), shown("w.W_Q", w.W_Q), shown("w.W_K", w.W_K),
           shown("w.W_V", w.W_V), shown("w.W_O", w.W_O)},
          [=](mistakes::Whole function) {
            return ledger(shown_gradients(function(dY, X, w, n_heads)),
                          shown_gradients(tape::multi_head(dY, X, w, n_heads)));
          }};
}

Part whole_part() {
  Rng rng(96);
  const Tensor one = tensor({{1}});
  std::vector<Case<mistakes::Whole>> cases = {
      whole_case(1, tensor({{8}, {16}}), tensor({{0}, {1}}), {tensor({{std::log(3)}}), one, one, one})};
  const auto on = [&](std::size_t n, std::size_t d, std::size_t n_heads) {
    const Tensor dY = drawn(rng, {n, d}), X = drawn(rng, {n, d}, 1);
    AttentionWeights w;
    for (Tensor* each : {&w.W_Q, &w.W_K, &w.W_V, &w.W_O}) *each = drawn(rng, {d, d}, 0.7);
    cases.push_back(whole_case(n_heads, dY, X, w));
  };
  on(3, 4, 2);
  on(2, 3, 1);
  on(4, 6, 3);
  on(3, 4, 4);
  return part("multi_head_backward", 3, ::multi_head_backward, tape::multi_head, std::move(cases),
              mistakes::kOfMultiHeadBackward);
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "09_attention_gradients",
        {values_part(), softmax_part(), scores_part(), projections_part(), tile_part(), whole_part()}};
  });
}

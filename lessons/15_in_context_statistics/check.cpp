// The checker of exercise 15.
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "drawn_chain.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"

// The learner's.
std::vector<int> chain_from(const Array& matrix, int first, const std::vector<double>& draws);
Array unigram_prediction(const std::vector<int>& tokens, std::size_t k);
Array context_prediction(const std::vector<int>& tokens, std::size_t k, std::size_t order);
double mean_kl(const Array& p, const Array& q);
std::vector<double> distances(const std::vector<int>& tokens, const Array& logits);
std::vector<Trial> letters_needed();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_context.h"
#include "mistakes_distance.h"
#include "mistakes_letters.h"

namespace {

using namespace grader;
using mistakes::ChainFrom, mistakes::Distances, mistakes::InContext, mistakes::MeanKl, mistakes::Prediction;

// Rows of probabilities in twentieths, which are easy to read; none is 0 unless `zeros`.
Array rows_of(std::size_t n, std::size_t k, Rng& rng, bool zeros = false) {
  Array p = full({n, k}, zeros ? 0 : 1).array();
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t left = zeros ? 20 : 20 - k; left > 0; --left) ++p(t, rng.below(zeros ? (k + 1) / 2 : k));
    for (std::size_t j = 0; j < k; ++j) p(t, j) /= 20;
  }
  return p;
}

std::vector<int> tokens_of(std::size_t n, std::size_t k, Rng& rng) {
  std::vector<int> tokens;
  for (std::size_t t = 0; t < n; ++t) tokens.push_back(static_cast<int>(rng.below(k)));
  return tokens;
}

Part chain_part() {
  Rng rng(151);
  std::vector<Case<ChainFrom>> cases;
  const auto on = [&cases](const Array& matrix, int first, const std::vector<double>& draws) {
    cases.push_back(calling<ChainFrom>("chain_from(matrix, first, draws)", named("matrix", matrix),
                                       named("first", first), named("draws", draws)));
  };
  on({{0.25, 0.75}, {0.5, 0.5}}, 0, {0.5, 0.1, 0.25});
  for (const std::size_t k : {3, 4, 2}) {
    std::vector<double> draws;
    for (int i = 0; i < 12; ++i) draws.push_back((static_cast<double>(rng.below(100)) + 0.5) / 100);
    on(rows_of(k, k, rng), static_cast<int>(k) - 1, draws);
  }
  on({{0, 1, 0}, {0.5, 0, 0.5}, {0.25, 0.25, 0.5}}, 2, {0, 0, 0.5, 0.75, 0.25, 0.25, 0.999});
  return part<ChainFrom>("chain_from", 1, ::chain_from, solution::chain_from, std::move(cases),
                         mistakes::of_chain_from());
}

Part unigram_part() {
  Rng rng(152);
  std::vector<Case<Prediction>> cases;
  const auto on = [&](const std::vector<int>& tokens, std::size_t k) {
    cases.push_back(
        calling<Prediction>("unigram_prediction(tokens, k)", named("tokens", tokens), named("k", k)));
  };
  on({0, 1, 0}, 2);
  on({2}, 3);
  on({1, 1, 1, 0}, 2);
  on(tokens_of(10, 3, rng), 3);
  on(tokens_of(12, 2, rng), 2);
  on(tokens_of(8, 5, rng), 5);
  return part<Prediction>("unigram_prediction", 1, ::unigram_prediction, solution::unigram_prediction,
                          std::move(cases), mistakes::of_unigram_prediction());
}

Part context_part() {
  Rng rng(153);
  std::vector<Case<InContext>> cases;
  const auto on = [&](const std::vector<int>& tokens, std::size_t k, std::size_t order) {
    cases.push_back(calling<InContext>("context_prediction(tokens, k, order)", named("tokens", tokens),
                                       named("k", k), named("order", order)));
  };
  on({0, 1, 0}, 2, 1);
  on({2}, 3, 1);
  on({1, 1, 1, 0}, 2, 1);
  on(tokens_of(10, 3, rng), 3, 1);
  on(tokens_of(14, 2, rng), 2, 2);
  on(tokens_of(16, 3, rng), 3, 2);
  on(tokens_of(24, 2, rng), 2, 3);
  return part<InContext>("context_prediction", 3, ::context_prediction, solution::context_prediction,
                         std::move(cases), mistakes::of_context_prediction());
}

Part kl_part() {
  Rng rng(154);
  std::vector<Case<MeanKl>> cases;
  const auto on = [&cases](const Array& p, const Array& q) {
    cases.push_back(calling<MeanKl>("mean_kl(p, q)", named("p", p), named("q", q)));
  };
  on({{1, 0}, {0.5, 0.5}}, {{0.5, 0.5}, {0.5, 0.5}});
  std::apply(on, std::tuple{rows_of(4, 3, rng), rows_of(4, 3, rng)});
  std::apply(on, std::tuple{rows_of(2, 5, rng, true), rows_of(2, 5, rng)});
  on({{0, 0.25, 0.75}}, {{0, 0.001, 0.999}});
  return part<MeanKl>("mean_kl", 2, ::mean_kl, solution::mean_kl, std::move(cases), mistakes::of_mean_kl());
}

Part distances_part() {
  Rng rng(155);
  std::vector<Case<Distances>> cases;
  const auto on = [&cases](const std::vector<int>& tokens, const Array& logits) {
    cases.push_back(
        calling<Distances>("distances(tokens, logits)", named("tokens", tokens), named("logits", logits)));
  };
  on({0}, {{0, 0}});
  std::apply(on, std::tuple{tokens_of(7, 3, rng), drawn(rng, {7, 3}, 1).array()});
  std::apply(on, std::tuple{tokens_of(10, 2, rng), drawn(rng, {10, 2}, 1).array()});
  const std::vector<int> tokens = tokens_of(9, 3, rng);
  on(tokens, (log(Tensor(solution::context_prediction(tokens, 3, 1))) + 2).array());  // a model that is there
  return part<Distances>("distances", 2, ::distances, solution::distances, std::move(cases),
                         mistakes::of_distances());
}

Part letters_part() {
  return experiment_part(
      "letters_needed", 2, ::letters_needed, solution::letters_needed,
      [](double k) { return solution::letters_until(static_cast<std::size_t>(k)); },
      {.setting = "k", .measured = "letters", .least = 2, .most = 8, .wrong = mistakes::of_letters_needed()});
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [] {
    return grader::Exercise{
        "15_in_context_statistics",
        {chain_part(), unigram_part(), context_part(), grader::without(kl_part(), {"kl_divergence"}),
         distances_part(), letters_part()}};
  });
}

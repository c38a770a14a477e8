// The checker of exercise 16.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "exercise.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "name_tokens.h"

// The learner's.
std::vector<std::size_t> training_starts(std::size_t n, std::size_t n_ctx, std::size_t stride,
                                         std::size_t first, std::size_t last);
double ngram_loss(const std::vector<int>& training, const std::vector<int>& held_out, std::size_t V,
                  std::size_t n);
std::vector<int> copied(const std::vector<int>& tokens, std::size_t n_ctx);
std::vector<double> probabilities(const std::vector<double>& logits, double temperature, std::size_t top_k);
std::vector<Trial> only_a_copy();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_copy.h"
#include "mistakes_counting.h"
#include "mistakes_writing.h"

namespace {

using namespace grader;
using mistakes::Copied, mistakes::NgramLoss, mistakes::Probabilities, mistakes::TrainingStarts;

std::vector<int> tokens_of(std::size_t n, std::size_t k, Rng& rng) {
  std::vector<int> tokens;
  for (std::size_t t = 0; t < n; ++t) tokens.push_back(static_cast<int>(rng.below(k)));
  return tokens;
}

Part starts_part() {
  std::vector<Case<TrainingStarts>> cases;
  const auto on = [&](std::size_t n, std::size_t n_ctx, std::size_t stride, std::size_t first,
                      std::size_t last) {
    cases.push_back(calling<TrainingStarts>("training_starts(n, n_ctx, stride, first, last)", named("n", n),
                                            named("n_ctx", n_ctx), named("stride", stride),
                                            named("first", first), named("last", last)));
  };
  on(12, 2, 1, 5, 6);
  on(30, 4, 3, 14, 20);
  on(24, 6, 1, 11, 13);
  on(40, 3, 2, 17, 22);
  on(31, 5, 5, 13, 16);
  on(20, 4, 1, 15, 19);
  on(20, 3, 4, 0, 5);
  on(8, 4, 1, 3, 5);
  on(5, 5, 1, 4, 4);  // no window fits
  on(3, 5, 1, 2, 2);  // n < n_ctx
  return timed(part<TrainingStarts>(
                   "training_starts", 1, ::training_starts, solution::training_starts, std::move(cases),
                   slips_of<TrainingStarts>(mistakes::training_starts, mistakes::kOfTrainingStarts)),
               {"wraps-around",
                "Where n is smaller than n_ctx, n - n_ctx is a huge number: a std::size_t has no sign. Write "
                "s + n_ctx < n.",
                ""});
}

Part ngram_part() {
  Rng rng(182);
  std::vector<Case<NgramLoss>> cases;
  const auto on = [&](const std::vector<int>& training, const std::vector<int>& held_out, std::size_t V,
                      std::size_t n) {
    cases.push_back(calling<NgramLoss>("ngram_loss(training, held_out, V, n)", named("training", training),
                                       named("held_out", held_out), named("V", V), named("n", n)));
  };
  on({0, 1, 0}, {1, 0}, 2, 2);
  on({0, 1, 0, 0, 2, 0, 1}, {1, 0, 2, 2, 0, 3}, 5, 2);
  std::apply(on, std::tuple{tokens_of(14, 3, rng), tokens_of(8, 3, rng), 4, 3});
  on({0, 0, 1, 2, 0, 0, 1, 3}, {0, 0, 1, 2, 3, 0}, 4, 4);
  std::apply(on, std::tuple{tokens_of(20, 2, rng), tokens_of(9, 2, rng), 2, 3});
  on({2, 2, 1, 0, 2}, {0, 2, 1}, 3, 1);
  return part<NgramLoss>("ngram_loss", 3, ::ngram_loss, solution::ngram_loss, std::move(cases),
                         slips_of<NgramLoss>(mistakes::ngram_loss, mistakes::kOfNgramLoss));
}

Part copied_part() {
  Rng rng(183);
  std::vector<Case<Copied>> cases;
  const auto on = [&](const std::vector<int>& tokens, std::size_t n_ctx) {
    cases.push_back(calling<Copied>("copied(tokens, n_ctx)", named("tokens", tokens), named("n_ctx", n_ctx)));
  };
  on({0, 1, 2, 0, 1}, 5);
  on({0, 0, 0, 1, 0, 0, 0, 0}, 8);
  on({3, 1, 2, 4, 1, 2, 0, 3, 1, 2, 4, 0}, 6);
  on({2, 1, 0, 1, 3, 0, 1}, 7);
  on({0, 1, 2, 3, 0, 1, 2, 3, 1}, 4);
  on(tokens_of(16, 3, rng), 9);
  on(tokens_of(18, 2, rng), 7);
  on({1, 2, 3, 1, 2, 0, 1, 2, 3, 3, 1, 2}, 12);
  return part<Copied>("copied", 2, ::copied, solution::copied, std::move(cases),
                      slips_of<Copied>(mistakes::copied, mistakes::kOfCopied));
}

Part probabilities_part() {
  std::vector<Case<Probabilities>> cases;
  const auto on = [&](const std::vector<double>& logits, double temperature, std::size_t top_k) {
    cases.push_back(calling<Probabilities>("probabilities(logits, temperature, top_k)",
                                           named("logits", logits), named("temperature", temperature),
                                           named("top_k", top_k)));
  };
  on({0, math::log(2), math::log(2)}, 0.5, 0);
  on({1, 3, -0.5, 2, 0.5}, 2, 3);
  on({-1, 0.5, 2, 0.5, 1}, 0.8, 3);
  on({0.5, 2, 2, -1}, 0, 0);
  on({1000, 999, 998.5, 1001}, 0.5, 2);
  on({-2, -1.5, -3, -1}, 1, 3);
  on({2, 2, 2, 1}, 0.7, 1);
  on(std::vector<double>(40, 0.5), 1, 3);  // an unstable sort of so many equal logits takes others
  return part<Probabilities>("probabilities", 2, ::probabilities, solution::probabilities, std::move(cases),
                             slips_of<Probabilities>(mistakes::probabilities, mistakes::kOfProbabilities));
}

Part experiment() {
  return experiment_part("only_a_copy", 2, ::only_a_copy, solution::only_a_copy,
                         [](double k) { return solution::only_a_copy_of(static_cast<std::size_t>(k)); },
                         {.setting = "length",
                          .measured = "per cent",
                          .least = 2,
                          .most = 30,
                          .wrong = mistakes::of_only_a_copy()});
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [] {
    return grader::Exercise{"16_your_own_text",
                            {starts_part(), ngram_part(), copied_part(), probabilities_part(), experiment()}};
  });
}

// The checker of exercise 11.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "07_scaled_dot_product_attention/kept.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"

// The learner's.
tasks::Sequence repeated_sequence(std::size_t n, std::size_t V, const std::vector<std::size_t>& periods,
                                  Rng& rng);
std::vector<std::size_t> fair_periods(const std::vector<std::size_t>& trained, std::size_t n, std::size_t V);
double previous_token_score(const Tensor& pattern);
Tensor counting_head(const std::vector<std::int32_t>& tokens, std::size_t V, std::size_t period);
std::vector<std::int32_t> unseen_for_longest(const std::vector<std::int32_t>& tokens);

namespace solution {
namespace lesson_07 {
#include "07_scaled_dot_product_attention/solution.cpp"
}
#include "solution.cpp"
}  // namespace solution

#include "mistakes.h"
#include "mistakes_heads.h"

namespace {

using namespace grader;
using mistakes::CountingHead, mistakes::FairPeriods, mistakes::Periods, mistakes::PreviousTokenScore,
    mistakes::RepeatedSequence, mistakes::Tokens, mistakes::UnseenForLongest;

// "{3, 5}"
std::string listed(const Periods& numbers) {
  std::string text;
  for (const std::size_t number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return "{" + text + "}";
}

Case<RepeatedSequence> sequence_case(std::size_t n, std::size_t V, const Periods& periods,
                                     std::uint64_t seed) {
  return {fmt::format("repeated_sequence({}, {}, {}, rng)   with Rng rng({})", n, V, listed(periods), seed),
          {},
          [=](RepeatedSequence function) {
            Rng rng(seed);
            const tasks::Sequence s = function(n, V, periods, rng);
            return Result{shown("tokens", s.tokens), shown("targets", s.targets),
                          shown("predictable", std::vector<int>(s.predictable.begin(), s.predictable.end()))};
          }};
}

Part sequence_part() {
  return part("repeated_sequence", 2, ::repeated_sequence, solution::repeated_sequence,
              {sequence_case(6, 5, {3}, 38), sequence_case(9, 8, {3, 5, 8}, 2),
               sequence_case(11, 6, {2, 6, 4}, 3), sequence_case(12, 9, {4, 7}, 4)},
              mistakes::kOfSequence);
}

Case<FairPeriods> fair_case(const Periods& trained, std::size_t n, std::size_t V) {
  return {fmt::format("fair_periods({}, {}, {})", listed(trained), n, V), {}, [=](FairPeriods function) {
            return Result{shown("result", function(trained, n, V))};
          }};
}

Part fair_part() {
  return part("fair_periods", 2, ::fair_periods, solution::fair_periods,
              {fair_case({5}, 12, 10), fair_case({12}, 24, 30), fair_case({12}, 32, 23),
               fair_case({5, 9}, 20, 15), fair_case({4, 7}, 15, 40)},
              mistakes::kOfFair);
}

Case<PreviousTokenScore> score_case(const Tensor& pattern) {
  return calling<PreviousTokenScore>("previous_token_score(pattern)", named("pattern", pattern));
}

Part score_part() {
  Rng rng(113);
  const auto causal = [&](std::size_t n) {
    return solution::lesson_07::masked_softmax(drawn(rng, {n, n}), solution::lesson_07::causal_mask_of(n, n));
  };
  return part("previous_token_score", 1, ::previous_token_score, solution::previous_token_score,
              {score_case(tensor({{1, 0, 0}, {0.8, 0.2, 0}, {0.1, 0.4, 0.5}})), score_case(causal(5)),
               score_case(softmax(drawn(rng, {4, 4})))},
              mistakes::kOfScore);
}

Case<CountingHead> counting_case(const Tokens& tokens, std::size_t V, std::size_t period) {
  return {fmt::format("counting_head(tokens, {}, {})", V, period),
          {shown("tokens", tokens)},
          [=](CountingHead function) { return Result{shown("result", function(tokens, V, period))}; }};
}

Part counting_part() {
  return part("counting_head", 3, ::counting_head, solution::counting_head,
              {counting_case({1, 0, 1}, 2, 2), counting_case({3, 0, 2, 3, 0, 2, 3}, 4, 3),
               counting_case({2, 4, 1, 0, 2, 4, 1, 0}, 5, 4), counting_case({0, 1, 2, 0, 1, 2}, 3, 2)},
              mistakes::kOfCounting);
}

Case<UnseenForLongest> unseen_case(const Tokens& tokens) {
  return calling<UnseenForLongest>("unseen_for_longest(tokens)", named("tokens", tokens));
}

Part unseen_part() {
  return part("unseen_for_longest", 2, ::unseen_for_longest, solution::unseen_for_longest,
              {unseen_case({0, 1, 2, 0, 1}), unseen_case({3, 1, 4, 2, 3, 1, 4, 2, 3}),
               unseen_case({5, 2, 5, 5, 1, 2, 7, 5, 1, 1, 2})},
              mistakes::kOfUnseen);
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"11_copy_tasks",
                            {sequence_part(), fair_part(), score_part(), counting_part(), unseen_part()}};
  });
}

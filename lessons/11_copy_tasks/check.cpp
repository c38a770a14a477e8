// The checker of exercise 11.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "07_scaled_dot_product_attention/kept.h"
#include "exercise.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/tasks/task.h"
#include "two_periods.h"

// The learner's.
tasks::Sequence repeated_sequence(std::size_t n, std::size_t V, const std::vector<std::size_t>& periods,
                                  Rng& rng);
std::vector<double> best_losses(std::size_t n, std::size_t V, const std::vector<std::size_t>& periods,
                                std::size_t period);
std::vector<std::size_t> fair_periods(const std::vector<std::size_t>& trained, std::size_t n, std::size_t V);
Tensor counting_head(const std::vector<std::int32_t>& tokens, std::size_t V, std::size_t period);
Tensor fading_pattern(std::size_t n);
std::vector<Trial> two_periods();

namespace solution {
namespace lesson_07 {
#include "07_scaled_dot_product_attention/solution.cpp"
}
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}  // namespace
}  // namespace solution

#include "mistakes.h"
#include "mistakes_heads.h"
#include "mistakes_losses.h"

namespace {

using namespace grader;
using mistakes::BestLosses, mistakes::CountingHead, mistakes::FadingPattern, mistakes::FairPeriods,
    mistakes::Periods, mistakes::RepeatedSequence, mistakes::Tokens;

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
  return part<RepeatedSequence>("repeated_sequence", 2, ::repeated_sequence, solution::repeated_sequence,
                                {sequence_case(6, 5, {3}, 38), sequence_case(9, 8, {3, 5, 8}, 2),
                                 sequence_case(11, 6, {2, 6, 4}, 3), sequence_case(12, 9, {4, 7}, 4)},
                                mistakes::of_sequence());
}

Case<BestLosses> losses_case(std::size_t n, std::size_t V, const Periods& periods, std::size_t period) {
  return {fmt::format("best_losses({}, {}, {}, {})", n, V, listed(periods), period),
          {},
          [=](BestLosses function) { return Result{shown("result", function(n, V, periods, period))}; }};
}

Part losses_part() {
  return part<BestLosses>(
      "best_losses", 3, ::best_losses, solution::best_losses,
      {losses_case(4, 4, {2, 3}, 3), losses_case(12, 9, {3, 5, 8}, 5), losses_case(14, 10, {4, 6, 7}, 7),
       losses_case(6, 8, {2, 8}, 8), losses_case(8, 6, {4}, 4)},
      mistakes::of_losses());
}

Case<FairPeriods> fair_case(const Periods& trained, std::size_t n, std::size_t V) {
  return {fmt::format("fair_periods({}, {}, {})", listed(trained), n, V), {}, [=](FairPeriods function) {
            return Result{shown("result", function(trained, n, V))};
          }};
}

Part fair_part() {
  return part<FairPeriods>("fair_periods", 2, ::fair_periods, solution::fair_periods,
                           {fair_case({5}, 12, 10), fair_case({12}, 24, 30), fair_case({12}, 32, 23),
                            fair_case({5, 9}, 20, 15), fair_case({4, 7}, 15, 40), fair_case({7}, 13, 12)},
                           mistakes::of_fair());
}

Case<CountingHead> counting_case(const Tokens& tokens, std::size_t V, std::size_t period) {
  return {fmt::format("counting_head(tokens, {}, {})", V, period),
          {shown("tokens", tokens)},
          [=](CountingHead function) { return Result{shown("result", function(tokens, V, period))}; }};
}

Part counting_part() {
  return part<CountingHead>(
      "counting_head", 2, ::counting_head, solution::counting_head,
      {counting_case({1, 0, 1}, 2, 2), counting_case({3, 0, 2, 3, 0, 2, 3}, 4, 3),
       counting_case({2, 4, 1, 0, 2, 4, 1, 0}, 5, 4), counting_case({0, 1, 2, 0, 1, 2}, 3, 2)},
      mistakes::of_counting());
}

// At each position: the token, of those read, to which the pattern gives least; -1 if several have as little.
std::vector<int> said_by(const Array& pattern, const Tokens& tokens) {
  std::vector<int> said;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::map<std::int32_t, double> weights;
    for (std::size_t j = 0; j <= i; ++j) weights[tokens[j]] += pattern(i, j);
    const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto least = *std::min_element(weights.begin(), weights.end(), less);
    const auto as_little = std::count_if(weights.begin(), weights.end(),
                                         [&](const auto& each) { return each.second == least.second; });
    said.push_back(as_little > 1 ? -1 : least.first);
  }
  return said;
}

Case<FadingPattern> fading_case(const Tokens& tokens) {
  const std::size_t n = tokens.size();
  return {
      fmt::format(
          "fading_pattern({})   and what it says of `tokens`; -1: several tokens have the same weight", n),
      {shown("tokens", tokens)},
      [=](FadingPattern function) {
        const Array pattern = function(n).array();
        if (pattern.shape() != Array::shape_type{n, n}) return Result{shown("pattern", pattern)};
        std::vector<double> sums(n), later(n);
        bool negative = false;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) {
            sums[i] += pattern(i, j), later[i] += j > i ? pattern(i, j) : 0;
            negative = negative || pattern(i, j) < 0;
          }
        return Result{shown("said", said_by(pattern, tokens)), shown("sum of each row", sums),
                      shown("weight on later keys", later), shown("a weight below 0", negative)};
      }};
}

Part fading_part() {
  return part<FadingPattern>("fading_pattern", 3, ::fading_pattern, solution::fading_pattern,
                             {fading_case({0, 1, 1, 2}), fading_case({0, 0, 0, 1}), fading_case({0, 0, 1, 2}),
                              fading_case({3, 1, 4, 2, 3, 1, 4, 2, 3}),
                              fading_case({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
                              fading_case({5, 2, 5, 5, 1, 2, 7, 5, 1, 1, 2})},
                             mistakes::of_fading());
}

Part two_periods_part() {
  Part made =
      experiment_part("two_periods", 2, ::two_periods, solution::two_periods,
                      [](double period) { return accuracy_with_gaps(static_cast<std::size_t>(period)); },
                      {.setting = "second period", .measured = "accuracy with gaps", .least = 8, .most = 16});
  made.seconds = 120;
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{
        "11_copy_tasks",
        {sequence_part(), losses_part(), fair_part(), counting_part(), fading_part(), two_periods_part()}};
  });
}

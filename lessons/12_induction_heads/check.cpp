// The checker of exercise 12.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "exercise.h"
#include "forming.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "setup.h"

// The learner's.
double matching_score(const Tensor& pattern, const std::vector<int>& tokens);
Tensor matching_pattern(const std::vector<int>& tokens, const Tensor& previous, double sharpness);
double step_of_change(const std::vector<double>& steps, const std::vector<double>& scores);
Outcome predicted(Change change);
std::vector<Trial> batches();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes_curve.h"

namespace {

using namespace grader;
using mistakes::MatchingPattern, mistakes::MatchingScore, mistakes::Predicted, mistakes::StepOfChange;

// A causal pattern (n,n) with weights in hundredths, so that a verdict is easy to read.
Tensor causal_pattern(std::size_t n, Rng& rng) {
  Array p = Array::from_shape({n, n});
  p.fill(0);
  for (std::size_t q = 0; q < n; ++q) {
    int left = 100;
    for (std::size_t k = 0; k < q; ++k) {
      const int part = 1 + static_cast<int>(rng.below(static_cast<std::uint64_t>(std::max(1, left / 2))));
      p(q, k) = part / 100.0;
      left -= part;
    }
    p(q, q) = left / 100.0;
  }
  return Tensor(std::move(p));
}

Case<MatchingScore> score_case(const Tensor& pattern, const std::vector<int>& tokens) {
  return calling<MatchingScore>("matching_score(pattern, tokens)", named("pattern", pattern),
                                named("tokens", tokens));
}

Part matching_score_part() {
  Rng rng(121);
  const Tensor example = tensor({{1, 0, 0, 0}, {0.5, 0.5, 0, 0}, {0.1, 0.6, 0.3, 0}, {0.1, 0.2, 0.3, 0.4}});
  std::vector<Case<MatchingScore>> cases{score_case(example, {5, 7, 5, 5})};
  for (const std::vector<int>& tokens :
       {std::vector<int>{3, 1, 4, 1, 3, 1}, {2, 2, 0, 1, 2, 5, 0}, {4, 0, 2, 1}})
    cases.push_back(score_case(causal_pattern(tokens.size(), rng), tokens));
  return part<MatchingScore>("matching_score", 2, ::matching_score, solution::matching_score,
                             std::move(cases),
                             slips_of<MatchingScore>(mistakes::matching_score, mistakes::kOfMatchingScore));
}

Case<MatchingPattern> pattern_case(const std::vector<int>& tokens, const Tensor& previous, double sharpness) {
  return calling<MatchingPattern>(fmt::format("matching_pattern(tokens, previous, {})", sharpness),
                                  named("tokens", tokens), named("previous", previous),
                                  named("sharpness", sharpness));
}

Part matching_pattern_part() {
  Rng rng(122);
  std::vector<Case<MatchingPattern>> cases{
      pattern_case({5, 7, 5}, tensor({{1, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 10)};
  for (const std::vector<int>& tokens : {std::vector<int>{3, 1, 4, 3, 1}, {2, 2, 0, 1, 2, 5}})
    cases.push_back(pattern_case(tokens, causal_pattern(tokens.size(), rng), 4));
  return part<MatchingPattern>(
      "matching_pattern", 2, ::matching_pattern, solution::matching_pattern, std::move(cases),
      slips_of<MatchingPattern>(mistakes::matching_pattern, mistakes::kOfMatchingPattern));
}

Case<StepOfChange> curve_case(const std::vector<double>& steps, const std::vector<double>& scores) {
  return calling<StepOfChange>("step_of_change(steps, scores)", named("steps", steps),
                               named("scores", scores));
}

Part step_of_change_part() {
  return part<StepOfChange>(
      "step_of_change", 2, ::step_of_change, solution::step_of_change,
      {curve_case({0, 10, 20, 30, 40, 50, 60}, {0.1, 0.1, 0.6, 0.2, 0.4, 0.8, 0.9}),
       curve_case({0, 20, 40, 60, 100, 120}, {0.125, 0.125, 0.25, 0.3, 0.5625, 0.625}),
       curve_case({0, 5, 10, 15, 20, 25, 30, 35}, {0.25, 0.2, 0.45, 0.48, 0.53, 0.7, 0.95, 0.75}),
       curve_case({0, 30, 60, 90, 120, 150}, {0.4, 0.3, 0.45, 0.55, 0.62, 0.8}),
       curve_case({0, 50, 100, 150}, {0.2, 0.21, 0.31, 0.35}),
       curve_case({0, 10, 20, 30}, {0.4, 0.2, 0.5, 0.45}),
       curve_case({0, 100, 200, 300, 400}, {0.1, 0.12, 0.15, 0.17, 0.18}),
       curve_case({0, 10, 20, 30, 40}, {0.25, 0.375, 0.5, 0.5, 0.75}),  // twice at the level
       curve_case({0, 10, 20}, {0, 0.05, 0.2})},                        // a rise of just 0.2
      slips_of<StepOfChange>(mistakes::step_of_change, mistakes::kOfStepOfChange));
}

constexpr const char* kChangeNames[] = {"no_positions", "one_head", "repeats"};

// The predictions for these changes, as answers to two questions.
Case<Predicted> prediction_case(const std::string& call, const std::vector<Change>& changes) {
  return {call + "   1 is yes, 0 is no", {}, [=](Predicted function) {
            Result answers;
            for (const Change change : changes) {
              const Outcome outcome = function(change);
              const std::string name = kChangeNames[static_cast<std::size_t>(change)];
              answers.push_back(shown(name + ": a head forms", outcome != Outcome::no_head));
              answers.push_back(shown(name + ": 90 % are right", outcome == Outcome::most_right));
            }
            return answers;
          }};
}

Part predicted_part() {
  // The first call asks for all three: no prediction is an example for another.
  Part made = part("predicted", 1, ::predicted, solution::predicted,
                   {prediction_case("predicted(change)   for each of the three changes;",
                                    {mistakes::kChanges.begin(), mistakes::kChanges.end()}),
                    prediction_case("predicted(Change::repeats)", {Change::repeats})},
                   mistakes::kOfPredicted);
  made.examples = 0;
  return made;
}

Part batches_part() {
  Part made = experiment_part("batches", 2, ::batches, solution::batches,
                              [](double batch) { return steps_to_form(static_cast<std::size_t>(batch)); },
                              {.setting = "batch", .measured = "steps to form", .least = 8, .most = 64});
  made.seconds = 120;
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"12_induction_heads",
                            {matching_score_part(), matching_pattern_part(), step_of_change_part(),
                             predicted_part(), batches_part()}};
  });
}

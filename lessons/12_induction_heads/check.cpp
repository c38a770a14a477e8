// The checker of exercise 12.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/core/rng.h"
#include "headlight/core/thread_pool.h"
#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/trainer.h"
#include "setup.h"

// The learner's.
double matching_score(const Tensor& pattern, const std::vector<int>& tokens);
std::vector<std::size_t> strongest_head(const Tensor& scores, double threshold);
double step_of_change(const std::vector<double>& steps, const std::vector<double>& scores);
Outcome predicted(Change change);
Curve watch_change(Setup setup, Change change, ThreadPool& pool);

namespace solution {
#include "solution.cpp"
}  // namespace solution

#include "mistakes_together.h"
#include "mistakes_training.h"

namespace {

using namespace grader;
using mistakes::MatchingScore, mistakes::Predicted, mistakes::StepOfChange, mistakes::StrongestHead,
    mistakes::WatchChange;

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
  return part("matching_score", 2, ::matching_score, solution::matching_score, std::move(cases),
              with_together(mistakes::kOfMatchingScore, mistakes::together_in_matching_score()));
}

Case<StrongestHead> head_case(const Tensor& scores, double threshold) {
  return calling<StrongestHead>(fmt::format("strongest_head(scores, {})", threshold), named("scores", scores),
                                named("threshold", threshold));
}

Part strongest_head_part() {
  const Tensor example = tensor({{0.1, 0.2, 0.3}, {0.9, 0.6, 0.1}});
  const Tensor wide = tensor({{0.62, 0.1, 0.05, 0.2}, {0.1, 0.3, 0.94, 0.7}, {0.5, 0.94, 0.2, 0.1}});
  return part("strongest_head", 1, ::strongest_head, solution::strongest_head,
              {head_case(example, 0.5), head_case(example, 0.95), head_case(wide, 0.5),
               head_case(tensor({{0.25, 0.5}, {0.125, 0.375}}), 0.5),
               head_case(tensor({{0.75, 0.25}, {0.5, 0.375}}), 0.3)},
              with_together(mistakes::kOfStrongestHead, mistakes::together_in_strongest_head()));
}

Case<StepOfChange> curve_case(const std::vector<double>& steps, const std::vector<double>& scores) {
  return calling<StepOfChange>("step_of_change(steps, scores)", named("steps", steps),
                               named("scores", scores));
}

Part step_of_change_part() {
  // The levels are exact in binary where a score equals them.
  return part("step_of_change", 2, ::step_of_change, solution::step_of_change,
              {curve_case({0, 10, 20, 30, 40, 50, 60}, {0.1, 0.1, 0.6, 0.2, 0.5, 1.0, 0.9}),
               curve_case({0, 20, 40, 60, 80, 100}, {0.125, 0.125, 0.375, 0.5, 0.5625, 0.625}),
               curve_case({0, 5, 10, 15, 20, 25, 30, 35}, {0.25, 0.2, 0.45, 0.48, 0.53, 0.7, 0.95, 0.75}),
               curve_case({0, 30, 60, 90, 120, 150}, {0.4, 0.3, 0.45, 0.55, 0.62, 0.8}),
               curve_case({0, 50, 100, 150}, {0.2, 0.21, 0.31, 0.35}),
               curve_case({0, 100, 200, 300, 400}, {0.1, 0.12, 0.15, 0.17, 0.18})},
              with_together(mistakes::kOfStepOfChange, mistakes::together_in_step_of_change()));
}

constexpr const char* kChangeNames[] = {"no_positions", "one_head", "repeats"};

// The predictions for these changes, as answers to the two questions that part 5 answers by a training.
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
  return part("predicted", 1, ::predicted, solution::predicted,
              {prediction_case("predicted(change)   for each of the three changes;",
                               {mistakes::kChanges.begin(), mistakes::kChanges.end()}),
               prediction_case("predicted(Change::repeats)", {Change::repeats})},
              mistakes::kOfPredicted);
}

// ---- Part 5: quick calls with numbers, then three trainings ----

// All heads together are wider than the model: 2·6 and not 8.
Setup small_setup(std::uint64_t seed) {
  return {.model = {.n_layers = 2, .d_model = 8, .n_heads = 2, .d_head = 6, .d_vocab = 10, .n_ctx = 16},
          .task = {.name = "repeat", .d_vocab = 10, .n_ctx = 16, .min_segment = 6, .max_segment = 8},
          .training = {.steps = 6, .batch = 8, .learning_rate = 2e-2, .warmup = 2, .seed = seed},
          .every = 2,
          .tested = 6};
}

Setup whole_setup() {
  return {.model = {.n_layers = 2, .d_model = 32, .n_heads = 2, .d_head = 16, .d_vocab = 32, .n_ctx = 32},
          .task = {.name = "repeat", .d_vocab = 32, .n_ctx = 32, .min_segment = 8, .max_segment = 16},
          .training = {.steps = 400, .learning_rate = 2e-2, .warmup = 50, .seed = 1},
          .every = 20,
          .tested = 32};
}

// The quick calls that a function has passed. One that failed is not trained with: that would show nothing.
constexpr std::size_t kQuickCalls = 4;
std::map<WatchChange, std::set<std::size_t>>& passed() {
  static std::map<WatchChange, std::set<std::size_t>> calls;
  return calls;
}

bool alike(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) < 1e-9; });
}

Case<WatchChange> quick_case(std::size_t number, Change change, std::uint64_t seed) {
  return {fmt::format("watch_change(setup, Change::{}, pool)   a small model, 6 steps, every = 2, seed = {}",
                      kChangeNames[static_cast<std::size_t>(change)], seed),
          {},
          [=](WatchChange function) {
            ThreadPool pool(1);
            const Curve found = function(small_setup(seed), change, pool),
                        right = solution::watch_change(small_setup(seed), change, pool);
            if (alike(found.steps, right.steps) && alike(found.scores, right.scores) &&
                alike({found.right}, {right.right}))
              passed()[function].insert(number);
            return Result{shown("steps", found.steps), shown("scores", found.scores),
                          shown("right", found.right)};
          }};
}

// One of the three experiments. What comes out was measured before: `forms` and `is_right`.
Case<WatchChange> whole_case(Change change, bool forms, bool is_right) {
  const auto place = static_cast<std::size_t>(change);
  return {
      fmt::format("watch_change(setup, Change::{}, pool)   the lesson's model, {} steps; 1 is yes, 0 is no",
                  kChangeNames[place], whole_setup().training.steps),
      {},
      [=](WatchChange function) {
        const auto result_of = [](bool head, bool most) {
          return Result{shown("an induction head formed", head), shown("90 % or more are right", most)};
        };
        if (function == solution::watch_change) return result_of(forms, is_right);
        if (passed()[function].size() < kQuickCalls) return Result{shown("not trained", 1)};
        progress(place, 3);
        ThreadPool pool;
        const Curve curve = function(whole_setup(), change, pool);
        progress(place + 1, 3);
        return result_of(!curve.scores.empty() && curve.scores.back() >= interpret::kFoundScore,
                         curve.right >= 0.9);
      }};
}

Part watch_change_part() {
  Part made = part("watch_change", 3, ::watch_change, solution::watch_change,
                   {quick_case(0, Change::one_head, 3), quick_case(1, Change::no_positions, 3),
                    quick_case(2, Change::repeats, 3), quick_case(3, Change::one_head, 4),
                    whole_case(Change::no_positions, false, false), whole_case(Change::one_head, true, true),
                    whole_case(Change::repeats, true, false)},
                   mistakes::kOfWatchChange);
  made.seconds = 60;
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  return grader::run(argc, argv, [] {
    return grader::Exercise{"12_induction_heads",
                            {matching_score_part(), strongest_head_part(), step_of_change_part(),
                             predicted_part(), watch_change_part()}};
  });
}

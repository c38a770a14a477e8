// Wrong ways to measure in part 5 of exercise 19 when two trainings are apart.
#pragma once

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "grader/trials.h"
#include "headlight/core/math.h"
#include "small_training.h"

namespace mistakes {

inline constexpr std::size_t kLongest = 100;  // steps

// The losses of a training, whose first weight was changed so. Each is trained once.
enum class Change { none, added, set, subtracted };

inline const std::vector<double>& losses_of(Change change, double by) {
  static std::map<std::pair<Change, double>, std::vector<double>> kept;
  const auto [at, is_new] = kept.try_emplace({change, by});
  if (!is_new) return at->second;
  SmallTraining training(0.03);
  double& weight = training.first_weight();
  if (change == Change::added) weight += by;
  if (change == Change::subtracted) weight -= by;
  if (change == Change::set) weight = by;
  while (at->second.size() < kLongest) at->second.push_back(training.step());
  return at->second;
}

inline double steps_with(const grader::Made& made, double k) {
  const double by = 1 / math::power(10.0, static_cast<std::size_t>(k));
  const std::vector<double>& first = losses_of(Change::none, 0);
  const std::vector<double>& second = losses_of(made("weight-set")   ? Change::set
                                                : made("subtracted") ? Change::subtracted
                                                                     : Change::added,
                                                by);
  const double limit = made("another-limit") ? 0.01 : 0.001;
  const double from = made("counted-from-0") ? 0 : made("one-too-many") ? 2 : 1;
  for (std::size_t i = 0; i < kLongest; ++i) {
    const double apart = second[i] - first[i];
    if ((made("signed") ? apart : made("signed-the-other-way") ? -apart : std::abs(apart)) > limit)
      return from + static_cast<double>(i);
  }
  return from + static_cast<double>(kLongest);
}

inline std::vector<grader::WrongMeasure> of_steps_until_apart() {
  const auto measure = [](const grader::Made& made, const std::vector<double>& all) {
    std::vector<double> steps;
    for (const double k : all) steps.push_back(steps_with(made, k));
    return steps;
  };
  return grader::wrong_measures(
      measure,
      {{"weight-set", "You set the weight to 10^-k. Add 10^-k to it."},
       {"subtracted", "You subtract 10^-k from the weight. Add it."},
       {"counted-from-0", "Your steps count from 0. They count from 1."},
       {"one-too-many", "You count one step too many: the first step is step 1."},
       {"another-limit", "Your losses are apart from 0.01 on. The limit is 0.001."},
       {"signed",
        "You compare the difference with 0.001 and not its size. The losses are apart whichever is larger."},
       {"signed-the-other-way",
        "You compare the difference with 0.001 and not its size. The losses are apart whichever is larger."}});
}

}  // namespace mistakes

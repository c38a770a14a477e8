// Wrong ways to measure the steps that descent needs in another unit.
#pragma once

#include <algorithm>
#include <cmath>

#include "grader/trials.h"
#include "scalar.h"

namespace mistakes {

using grader::Made;

constexpr int kMostSteps = 20'000;  // some mistakes never come to the loss that is asked for

// Of the curve, as the mistakes have it.
inline double unit_loss(const Made& made, const std::vector<double>& xs, Curve curve) {
  double sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i)
    sum += std::pow(curve.a * xs[i] / (xs[i] + curve.b) - kYs[i], 2);
  return made("sum-in-the-test") ? sum : sum / static_cast<double>(xs.size());
}

// The steps for these units, tried one after the other.
inline std::vector<double> steps_with_slips(const Made& made, const std::vector<double>& units) {
  std::vector<double> all;
  Curve curve{1, 3};
  int steps = 0;
  for (std::size_t trial = 0; trial < units.size(); ++trial) {
    const double unit = units[trial];
    if (trial == 0 || !made("curve-kept")) curve = {1, made("start-unscaled") ? 3 : 3 * unit};
    if (!made("count-kept")) steps = 0;
    std::vector<double> xs = kXs;
    for (double& x : xs) x *= made("divided-by-u") ? 1 / unit : unit;
    for (int step = 0; step < kMostSteps && unit_loss(made, xs, curve) > 0.01; ++step, ++steps)
      curve = solution::fit_curve(xs, kYs, curve, 1, 1);
    all.push_back(steps);
  }
  return all;
}

inline std::vector<grader::WrongMeasure> of_steps_by_unit() {
  return grader::wrong_measures(
      steps_with_slips,
      {{"start-unscaled", "The start {1, 3u} grows with u too. You begin at b = 3 in every unit."},
       {"divided-by-u", "In a unit that is u times as small, every x is u times as large: multiply by u."},
       {"sum-in-the-test", "The loss is the mean of the squared misses, and the test takes their sum."},
       {"curve-kept",
        "Each trial begins at its own start. Yours goes on from the curve of the trial before."},
       {"count-kept", "The count of steps is not set back to 0 between two trials."}});
}

}  // namespace mistakes

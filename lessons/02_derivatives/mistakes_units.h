// Wrong ways to measure the steps that descent needs in another unit.
#pragma once

#include <algorithm>
#include <cmath>

#include "grader/trials.h"
#include "mistakes_fit.h"

namespace mistakes {

constexpr int kMostSteps = 20'000;  // some mistakes never come to the loss that is asked for

// What one trial starts from.
struct UnitTrial {
  Numbers xs, ys;
  Curve curve;
  double rate;
};

inline UnitTrial trial_with_slips(const Made& made, double unit) {
  UnitTrial trial{kXs, kYs, {1, 3 * unit}, 1};
  if (made("start-unscaled")) trial.curve.b = 3;
  if (made("start-divided")) trial.curve.b = 3 / unit;
  if (made("a-scaled-too")) trial.curve.a = unit;
  if (made("only-a-scaled")) trial.curve = {unit, 3};
  for (double& x : trial.xs) x *= made("divided-by-u") ? 1 / unit : made("xs-unscaled") ? 1 : unit;
  for (double& y : trial.ys) y *= made("ys-scaled-too") ? unit : 1;
  if (made("rate-times-u")) trial.rate = unit;
  if (made("rate-divided-by-u")) trial.rate = 1 / unit;
  return trial;
}

// Of the curve, as the mistakes have it.
inline double unit_loss(const Made& made, const UnitTrial& trial) {
  const Numbers& xs = made("xs-unscaled-in-the-test") ? kXs : trial.xs;
  double sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i)
    sum += std::pow(trial.curve.a * xs[i] / (xs[i] + trial.curve.b) - trial.ys[i], 2);
  return made("sum-in-the-test") ? sum : sum / static_cast<double>(xs.size());
}

// The steps for these units, tried one after the other.
inline std::vector<double> steps_with_slips(const Made& made, const std::vector<double>& units) {
  std::vector<double> all;
  UnitTrial before;
  int steps = 0;
  for (std::size_t k = 0; k < units.size(); ++k) {
    UnitTrial trial = trial_with_slips(made, units[k]);
    if (k > 0 && made("curve-kept")) trial.curve = before.curve;
    if (k > 0 && made("xs-kept"))
      for (std::size_t i = 0; i < trial.xs.size(); ++i) trial.xs[i] = before.xs[i] * units[k];
    if (!made("count-kept")) steps = 0;
    const double enough = made("a-tenth-of-the-loss") ? 0.001 : made("ten-times-the-loss") ? 0.1 : 0.01;
    const Numbers& fitted_to = made("xs-unscaled-in-the-fit") ? kXs : trial.xs;
    for (int step = 0; step < kMostSteps && unit_loss(made, trial) > enough; ++step, ++steps) {
      const Curve g = slope({}, fitted_to, trial.ys, trial.curve);
      trial.curve = {trial.curve.a - trial.rate * g.a, trial.curve.b - trial.rate * g.b};
    }
    all.push_back(steps);
    before = trial;
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
       {"count-kept", "The count of steps is not set back to 0 between two trials."},
       {"xs-kept",
        "Each trial multiplies the xs of the trial before once more. Begin each with kXs: xs = kXs."},
       {"xs-unscaled",
        "Your xs are those of the unit 1. In a unit that is u times as small, every x is u times as large."},
       {"xs-unscaled-in-the-fit",
        "You gave kXs to fit_curve. Give it the xs in the new unit, as the test of the loss has them."},
       {"xs-unscaled-in-the-test",
        "The test of the loss takes kXs. Take the xs in the new unit, as fit_curve has them."},
       {"ys-scaled-too",
        "You multiplied the ys by u too. Only xs and b are lengths in this unit: ys and a stay."},
       {"a-scaled-too", "You begin at a = u. The a of the curve stays as it is: the start is {1, 3u}."},
       {"only-a-scaled", "You begin at {u, 3}. It is b that grows with u: the start is {1, 3u}."},
       {"start-divided", "You begin at b = 3 / u. The b of the same curve is u times as large: 3u."},
       {"rate-times-u", "You multiplied the rate by u. The rate is 1 in each unit: that is the question."},
       {"rate-divided-by-u", "You divided the rate by u. The rate is 1 in each unit: that is the question."},
       {"a-tenth-of-the-loss", "You went on until the loss was 0.001. It is to be at most 0.01."},
       {"ten-times-the-loss", "You stopped at a loss of 0.1. It is to be at most 0.01."}});
}

}  // namespace mistakes

// What people get wrong in the descent of exercise 2, part 5.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Numbers = std::vector<double>;

// How far the curve misses point i, and the derivatives of that by a and b.
struct Miss {
  double miss, by_a, by_b;
};
inline Miss miss_of(const Numbers& xs, const Numbers& ys, Curve curve, std::size_t i) {
  const double below = xs[i] + curve.b;
  return {curve.a * xs[i] / below - ys[i], xs[i] / below, -curve.a * xs[i] / (below * below)};
}

// The gradient of the loss by a and b: the sum over all points of factor · miss · its derivative.
inline Curve slope(const Numbers& xs, const Numbers& ys, Curve curve, double factor) {
  Curve sum{0, 0};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto [miss, by_a, by_b] = miss_of(xs, ys, curve, i);
    sum.a += factor * miss * by_a;
    sum.b += factor * miss * by_b;
  }
  return sum;
}

inline double of_mean(const Numbers& xs) { return 2 / static_cast<double>(xs.size()); }

inline Curve uphill(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  return solution::fit_curve(xs, ys, curve, -rate, steps);
}

inline Curve of_sum(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  return solution::fit_curve(xs, ys, curve, rate * static_cast<double>(xs.size()), steps);
}

inline Curve without_two(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  return solution::fit_curve(xs, ys, curve, rate / 2, steps);
}

inline Curve one_step_more(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  return solution::fit_curve(xs, ys, curve, rate, steps + 1);
}

inline Curve one_step(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  return solution::fit_curve(xs, ys, curve, rate, steps > 0);
}

inline Curve from_one(const Numbers& xs, const Numbers& ys, Curve, double rate, int steps) {
  return solution::fit_curve(xs, ys, {1, 1}, rate, steps);
}

// Every step from the start: the gradients of the start, as often as there are steps.
inline Curve gradients_of_start(const Numbers& xs, const Numbers& ys, Curve start, double rate, int steps) {
  const Curve g = slope(xs, ys, start, of_mean(xs));
  return {start.a - steps * rate * g.a, start.b - steps * rate * g.b};
}

inline Curve kept_gradients(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  Curve sum{0, 0};
  for (int step = 0; step < steps; ++step) {
    const Curve g = slope(xs, ys, curve, of_mean(xs));
    sum.a += g.a;
    sum.b += g.b;
    curve.a -= rate * sum.a;
    curve.b -= rate * sum.b;
  }
  return curve;
}

inline Curve a_moved_first(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  for (int step = 0; step < steps; ++step) {
    curve.a -= rate * slope(xs, ys, curve, of_mean(xs)).a;
    curve.b -= rate * slope(xs, ys, curve, of_mean(xs)).b;
  }
  return curve;
}

inline Curve a_alone(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  for (int step = 0; step < steps; ++step) curve.a -= rate * slope(xs, ys, curve, of_mean(xs)).a;
  return curve;
}

inline Curve last_point_alone(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  for (int step = 0; step < steps; ++step) {
    const Curve g = slope({xs.back()}, {ys.back()}, curve, of_mean(xs));
    curve.a -= rate * g.a;
    curve.b -= rate * g.b;
  }
  return curve;
}

inline Curve misses_not_squared(const Numbers& xs, const Numbers& ys, Curve curve, double rate, int steps) {
  for (int step = 0; step < steps; ++step) {
    Curve mean{0, 0};
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const Miss one = miss_of(xs, ys, curve, i);
      mean.a += one.by_a / static_cast<double>(xs.size());
      mean.b += one.by_b / static_cast<double>(xs.size());
    }
    curve.a -= rate * mean.a;
    curve.b -= rate * mean.b;
  }
  return curve;
}

inline std::vector<Mistake<Fit>> of_fit_curve() {
  const std::string read = "Ten steps downhill";
  return {
      {"uphill", "You added the gradients, which makes the loss larger. Subtract them.", read, uphill},
      {"sum-for-mean",
       "You used the sum of the squares. The loss is their mean: divide it by the number of points.", read,
       of_sum},
      {"half-the-gradient",
       "Your steps are half as long as they should be. The derivative of miss² has a factor 2; "
       "the tape finds it by itself, from miss * miss.",
       read, without_two},
      {"misses-not-squared",
       "You took the mean of the misses without squaring them. Misses above and below the curve then cancel.",
       read, misses_not_squared},
      {"gradients-kept",
       "You added each step's gradients to those of the steps before. Each step begins with gradients of 0.",
       read, kept_gradients},
      {"gradients-of-the-start",
       "You took the gradients at `start` in every step. They change as the curve moves: write "
       "the loss anew, on a new tape, in each step.",
       read, gradients_of_start},
      {"a-moved-first",
       "You moved a before you computed b's gradient. Take both gradients at the same curve, then move both.",
       read, a_moved_first},
      {"b-not-moved", "You moved a only. b has a gradient too, and moves in each step.", read, a_alone},
      {"last-point-alone", "Your loss holds only the last point. Add the square of each point to a sum.",
       read, last_point_alone},
      {"start-ignored", "You began at a = 1 and b = 1, whatever `start` says. Begin at `start`.", read,
       from_one},
      {"one-step-more", "You took one step more than `steps` says.", read, one_step_more},
      {"one-step-only", "You took one step, whatever `steps` says.", read, one_step}};
}

inline const std::vector<Together<Fit>> kTogetherInFits = {
    {{"uphill", "sum-for-mean"},
     [](const Numbers& xs, const Numbers& ys, Curve start, double rate, int steps) {
       return of_sum(xs, ys, start, -rate, steps);
     }},
    {{"a-moved-first", "sum-for-mean"},
     [](const Numbers& xs, const Numbers& ys, Curve start, double rate, int steps) {
       return a_moved_first(xs, ys, start, rate * static_cast<double>(xs.size()), steps);
     }},
    {{"gradients-of-the-start", "sum-for-mean"},
     [](const Numbers& xs, const Numbers& ys, Curve start, double rate, int steps) {
       return gradients_of_start(xs, ys, start, rate * static_cast<double>(xs.size()), steps);
     }},
    {{"sum-for-mean", "one-step-more"},
     [](const Numbers& xs, const Numbers& ys, Curve start, double rate, int steps) {
       return of_sum(xs, ys, start, rate, steps + 1);
     }}};

}  // namespace mistakes

// What people get wrong in the descent of exercise 2, part 6.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Numbers = std::vector<double>;

// The gradient of the loss by a and b: factor · miss · x and factor · miss, over all points.
inline Line slope(const Numbers& xs, const Numbers& ys, Line line, double factor) {
  Line sum{0, 0};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double miss = line.a * xs[i] + line.b - ys[i];
    sum.a += factor * miss * xs[i];
    sum.b += factor * miss;
  }
  return sum;
}

inline double of_mean(const Numbers& xs) { return 2 / static_cast<double>(xs.size()); }

inline Line uphill(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  return solution::fit_line(xs, ys, line, -rate, steps);
}

inline Line of_sum(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  return solution::fit_line(xs, ys, line, rate * static_cast<double>(xs.size()), steps);
}

inline Line without_two(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  return solution::fit_line(xs, ys, line, rate / 2, steps);
}

inline Line one_step_more(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  return solution::fit_line(xs, ys, line, rate, steps + 1);
}

inline Line one_step(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  return solution::fit_line(xs, ys, line, rate, steps > 0);
}

inline Line from_zero(const Numbers& xs, const Numbers& ys, Line, double rate, int steps) {
  return solution::fit_line(xs, ys, {0, 0}, rate, steps);
}

// Every step from the start: the gradients of the start, as often as there are steps.
inline Line gradients_of_start(const Numbers& xs, const Numbers& ys, Line start, double rate, int steps) {
  const Line g = slope(xs, ys, start, of_mean(xs));
  return {start.a - steps * rate * g.a, start.b - steps * rate * g.b};
}

inline Line kept_gradients(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  Line sum{0, 0};
  for (int step = 0; step < steps; ++step) {
    const Line g = slope(xs, ys, line, of_mean(xs));
    sum.a += g.a;
    sum.b += g.b;
    line.a -= rate * sum.a;
    line.b -= rate * sum.b;
  }
  return line;
}

inline Line a_moved_first(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  for (int step = 0; step < steps; ++step) {
    line.a -= rate * slope(xs, ys, line, of_mean(xs)).a;
    line.b -= rate * slope(xs, ys, line, of_mean(xs)).b;
  }
  return line;
}

inline Line a_alone(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  for (int step = 0; step < steps; ++step) line.a -= rate * slope(xs, ys, line, of_mean(xs)).a;
  return line;
}

inline Line last_point_alone(const Numbers& xs, const Numbers& ys, Line line, double rate, int steps) {
  for (int step = 0; step < steps; ++step) {
    const Line g = slope({xs.back()}, {ys.back()}, line, of_mean(xs));
    line.a -= rate * g.a;
    line.b -= rate * g.b;
  }
  return line;
}

inline Line misses_not_squared(const Numbers& xs, const Numbers&, Line line, double rate, int steps) {
  double mean = 0;
  for (const double x : xs) mean += x / static_cast<double>(xs.size());
  return {line.a - steps * rate * mean, line.b - steps * rate};
}

inline std::vector<Mistake<Fit>> of_fit_line() {
  const std::string read = "Ten steps downhill";
  return {
      {"uphill", "You added the gradients, which makes the loss larger. Subtract them.", read, uphill},
      {"sum-for-mean",
       "You used the sum of the squares. The loss is their mean: divide it by the number of points.", read,
       of_sum},
      {"half-the-gradient",
       "Your steps are half as long as they should be. The derivative of miss² has a factor 2; the tape "
       "finds it "
       "by itself, from miss * miss.",
       read, without_two},
      {"misses-not-squared",
       "You added up the misses without squaring them. Misses above and below the line then cancel.", read,
       misses_not_squared},
      {"gradients-kept",
       "You added each step's gradients to those of the steps before. Each step begins with gradients of 0.",
       read, kept_gradients},
      {"gradients-of-the-start",
       "You took the gradients at `start` in every step. They change as the line moves: write the loss anew, "
       "on a "
       "new tape, in each step.",
       read, gradients_of_start},
      {"a-moved-first",
       "You moved a before you computed b's gradient. Take both gradients at the same line, then move both.",
       read, a_moved_first},
      {"b-not-moved", "You moved a only. b has a gradient too, and moves in each step.", read, a_alone},
      {"last-point-alone", "Your loss holds only the last point. Add the square of each point to a sum.",
       read, last_point_alone},
      {"start-ignored", "You began at a = 0 and b = 0. Begin at `start`.", read, from_zero},
      {"one-step-more", "You took one step more than `steps` says.", read, one_step_more},
      {"one-step-only", "You took one step, whatever `steps` says.", read, one_step}};
}

}  // namespace mistakes

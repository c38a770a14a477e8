// What people get wrong in the descent of exercise 2, part 5.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Numbers = std::vector<double>;
using Fit = std::function<Curve(const Numbers&, const Numbers&, Curve, double, int)>;

// The value of the curve at a point, and its derivatives by a and b.
struct Bent {
  double y, by_a, by_b;
};

// The gradient of the loss by a and b.
inline Curve slope(const Made& made, const Numbers& xs, const Numbers& ys, Curve curve) {
  if (made("a-and-b-exchanged")) std::swap(curve.a, curve.b);
  Curve sum{0, 0}, plain{0, 0};
  double misses = 0;
  const double n = static_cast<double>(xs.size());
  const std::size_t begin = made("last-point-alone")       ? xs.size() - 1
                            : made("first-point-left-out") ? 1
                                                           : 0,
                    end = made("first-point-alone") ? 1 : xs.size() - (made("last-point-left-out") ? 1 : 0);
  for (std::size_t i = begin; i < end; ++i) {
    const bool exchanged = made("xs-and-ys-exchanged");
    const double x = exchanged ? ys[i] : xs[i], y = exchanged ? xs[i] : ys[i],
                 below = made("x-not-below") ? curve.b : x + curve.b, upper = made("x-not-above") ? 1 : x;
    const Bent f = made("brackets-missing")
                       ? Bent{curve.a * x / curve.b + x, x / curve.b, -curve.a * x / (curve.b * curve.b)}
                       : Bent{curve.a * upper / below, upper / below, -curve.a * upper / (below * below)};
    const double miss = made("a-left-out") ? upper / below - y : f.y - (made("y-added") ? -y : y);
    const double of_square = made("misses-not-squared") ? 1 : made("half-the-gradient") ? miss : 2 * miss;
    const Curve by{made("a-left-out") ? 0 : f.by_a, made("a-left-out") ? f.by_b / curve.a : f.by_b};
    sum = {sum.a + of_square * by.a, sum.b + of_square * by.b};
    plain = {plain.a + by.a, plain.b + by.b}, misses += miss;
  }
  if (made("squared-after-the-mean")) sum = {2 * misses * plain.a / n, 2 * misses * plain.b / n};
  if (made("a-and-b-exchanged")) std::swap(sum.a, sum.b);
  const double share = made("sum-for-mean")        ? 1
                       : made("mean-twice")        ? 1 / (n * n)
                       : made("whole-number-mean") ? (xs.size() == 1 ? 1 : 0)
                                                   : 1 / n;
  return {sum.a * share, sum.b * share};
}

inline Curve fitted(const Made& made, const Numbers& xs, const Numbers& ys, Curve start, double rate,
                    int steps) {
  if (made("start-ignored")) start = {1, 1};
  if (made("one-step-more")) ++steps;
  if (made("one-step-less") && steps > 0) --steps;
  if (made("one-step-only")) steps = std::min(steps, 1);
  if (made("no-rate")) rate = 1;
  if (made("uphill")) rate = -rate;
  Curve curve = start, kept_sum{0, 0};
  for (int step = 0; step < steps; ++step) {
    Curve g = slope(made, xs, ys, made("gradients-of-the-start") ? start : curve);
    if (made("gradients-kept")) g = kept_sum = {kept_sum.a + g.a, kept_sum.b + g.b};
    if (made("gradients-exchanged")) std::swap(g.a, g.b);
    if (made("a-by-b's-gradient")) g.a = g.b;
    if (made("b-by-a's-gradient")) g.b = g.a;
    if (made("moved-from-the-start")) curve = start;
    if (made("assigned")) curve = {0, 0};
    curve.a -= rate * g.a;
    if (made("a-moved-first")) g.b = slope(made, xs, ys, curve).b;
    if (!made("b-not-moved")) curve.b -= made("b-uphill") ? -rate * g.b : rate * g.b;
    if (made("a-not-moved")) curve.a += rate * g.a;
  }
  return made("start-returned") ? start : curve;
}

inline constexpr const char* kDownhill = "Ten steps downhill";

inline const std::vector<grader::Slip> kSlipsOfFitCurve = {
    {"uphill", "You added the gradients, which makes the loss larger. Subtract them.", kDownhill},
    {"sum-for-mean",
     "You used the sum of the squares. The loss is their mean: divide it by the number of points.",
     kDownhill},
    {"whole-number-mean",
     "Your curve moves only if there is a single point: 1 / xs.size() divides whole numbers in C++, and "
     "is 0. Write 1.0 / xs.size().",
     kDownhill},
    {"half-the-gradient",
     "Your steps are half as long as they should be. The derivative of miss² has a factor 2; "
     "the tape finds it by itself, from miss * miss.",
     kDownhill},
    {"misses-not-squared",
     "You took the mean of the misses without squaring them. Misses above and below the curve then "
     "cancel.",
     kDownhill},
    {"squared-after-the-mean",
     "You squared the mean of the misses. It is the mean of their squares: square each miss, then add.",
     kDownhill},
    {"mean-twice", "You divided by the number of points twice. The loss is the mean: divide once.",
     kDownhill},
    {"brackets-missing",
     "You wrote a * x / b + x, which divides by b alone and then adds x. It takes brackets: a * x / (x + b).",
     kDownhill},
    {"x-not-below", "You divided by b. The curve is ax / (x + b).", kDownhill},
    {"x-not-above", "You left x out above the line. The curve is ax / (x + b).", kDownhill},
    {"a-left-out", "You left a out of the curve. It is ax / (x + b).", kDownhill},
    {"a-and-b-exchanged", "You exchanged a and b in the curve. It is ax / (x + b).", kDownhill},
    {"xs-and-ys-exchanged", "You exchanged xs and ys. The curve has the value ys[i] at xs[i].", kDownhill},
    {"y-added", "You added ys[i]. The miss is the curve's value minus ys[i].", kDownhill},
    {"gradients-kept",
     "You added each step's gradients to those of the steps before. Each step begins with gradients of "
     "0.",
     kDownhill},
    {"gradients-of-the-start",
     "You took the gradients at `start` in every step. They change as the curve moves: write "
     "the loss anew, on a new tape, in each step.",
     kDownhill},
    {"moved-from-the-start", "You moved from `start` in every step. Move on from where the last step ended.",
     kDownhill},
    {"assigned",
     "You set a and b to the step, by = or =- in the place of -=. Subtract the step from what they were.",
     kDownhill},
    {"a-moved-first",
     "You moved a before you computed b's gradient. Take both gradients at the same curve, then move "
     "both.",
     kDownhill},
    {"b-not-moved", "You moved a only. b has a gradient too, and moves in each step.", kDownhill},
    {"b-uphill", "You added b's gradient. Subtract it, as a's.", kDownhill},
    {"a-not-moved", "You moved b only. a has a gradient too, and moves in each step.", kDownhill},
    {"gradients-exchanged", "You moved a by b's gradient, and b by a's.", kDownhill},
    {"a-by-b's-gradient", "You moved a by b's gradient. Each moves by its own.", kDownhill},
    {"b-by-a's-gradient", "You moved b by a's gradient. Each moves by its own.", kDownhill},
    {"last-point-alone",
     "Your loss holds only the last point: `=` stands where a sum belongs. Add the square of each point.",
     kDownhill},
    {"first-point-alone", "Your loss holds only the first point. Add the square of each point to a sum.",
     kDownhill},
    {"first-point-left-out", "Your loss lacks the first point. Count from 0.", kDownhill},
    {"last-point-left-out", "Your loss lacks the last point. Add the square of each point.", kDownhill},
    {"start-ignored", "You began at a = 1 and b = 1, whatever `start` says. Begin at `start`.", kDownhill},
    {"start-returned", "You returned `start`. Return the curve after the last step.", kDownhill},
    {"no-rate", "You moved by the gradient itself. A step is rate times the gradient.", kDownhill},
    {"one-step-more", "You took one step more than `steps` says.", kDownhill},
    {"one-step-less", "You took one step less than `steps` says.", kDownhill},
    {"one-step-only", "You took one step, whatever `steps` says.", kDownhill}};

inline std::vector<Mistake<Fit>> of_fit_curve() { return slips_of<Fit>(fitted, kSlipsOfFitCurve); }

}  // namespace mistakes

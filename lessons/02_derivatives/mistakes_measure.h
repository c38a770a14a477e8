// What people get wrong in the measured gradient of exercise 2, part 3.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Point = std::vector<double>;

// f at x with x[k] moved by d.
inline double moved(const Function& f, Point x, std::size_t k, double d) {
  x.at(k) += d;
  return f(x);
}

inline double forward(const Function& f, const Point& x, std::size_t k, double h) {
  return (moved(f, x, k, h) - f(x)) / h;
}

inline double central(const Function& f, const Point& x, std::size_t k, double h) {
  return solution::central_difference(f, x, k, h);
}

inline double all_at_once(const Function& f, const Point& x, std::size_t, double h) {
  Point above = x, below = x;
  for (double& number : above) number += h;
  for (double& number : below) number -= h;
  return (f(above) - f(below)) / (2 * h);
}

inline double brackets_missing(const Function& f, const Point& x, std::size_t k, double h) {
  return central(f, x, k, h) * h * h;
}

inline double divided_by_h(const Function& f, const Point& x, std::size_t k, double h) {
  return 2 * central(f, x, k, h);
}

// A measure that weighs the slopes of both steps. That of the half step is divided by `fold` before.
template <auto slope>
std::vector<double> measure(const Function& f, const Point& x, double h, double of_half, double of_whole,
                            double fold = 1) {
  std::vector<double> gradient;
  for (std::size_t k = 0; k < x.size(); ++k)
    gradient.push_back(of_half * slope(f, x, k, h / 2) / fold + of_whole * slope(f, x, k, h));
  return gradient;
}

template <auto slope>
std::vector<double> weighed_right(const Function& f, Point x, double h) {
  return measure<slope>(f, x, h, 4.0 / 3, -1.0 / 3);
}
template <auto slope>
std::vector<double> whole_alone(const Function& f, Point x, double h) {
  return measure<slope>(f, x, h, 0, 1);
}
template <auto slope>
std::vector<double> half_alone(const Function& f, Point x, double h) {
  return measure<slope>(f, x, h, 1, 0);
}
template <auto slope>
std::vector<double> mean_of_both(const Function& f, Point x, double h) {
  return measure<slope>(f, x, h, 0.5, 0.5);
}
template <auto slope>
std::vector<double> weights_exchanged(const Function& f, Point x, double h) {
  return measure<slope>(f, x, h, -1.0 / 3, 4.0 / 3);
}
template <auto slope>
std::vector<double> weights_of_forward(const Function& f, Point x, double h) {
  return measure<slope>(f, x, h, 2, -1);
}
template <auto slope>
std::vector<double> without_third(const Function& f, Point x, double h) {
  return measure<slope>(f, x, h, 4, -1);
}
inline std::vector<double> sum_over_five(const Function& f, Point x, double h) {
  return measure<central>(f, x, h, 0.8, 0.2);
}
inline std::vector<double> half_over_2h(const Function& f, Point x, double h) {
  return measure<central>(f, x, h, 4.0 / 3, -1.0 / 3, 2);
}

// x[k] stays at its last point when x[k + 1] is measured: x[k] − h, or x[k] − h/2 if that step comes last.
template <int Part>
std::vector<double> not_put_back(const Function& f, Point x, double h) {
  std::vector<double> gradient;
  for (std::size_t k = 0; k < x.size(); ++k) {
    gradient.push_back(measure<central>(f, x, h, 4.0 / 3, -1.0 / 3)[k]);
    x[k] -= h / Part;
  }
  return gradient;
}

inline std::vector<Mistake<Measure>> of_measured_gradient() {
  const std::string read = "How small should h be?";
  return {
      {"whole-step-alone",
       "You returned the central difference with the step h. Its error has a part with h²: measure with h/2 "
       "too, and combine both so that this part cancels.",
       read, whole_alone<central>},
      {"half-step-alone",
       "You returned the central difference with the step h/2. Its part with h² is a quarter of that with "
       "the step h, and not gone: combine both.",
       read, half_alone<central>},
      {"mean-of-both",
       "You took the mean of both slopes. Their errors have the same sign, so a mean cancels nothing. Weigh "
       "them so that the errors, 1 and 1/4, cancel.",
       read, mean_of_both<central>},
      {"weights-exchanged",
       "You gave the weight 4 to the slope with the step h. The slope with h/2 has the smaller error: 4 "
       "times its error is that of the other one.",
       read, weights_exchanged<central>},
      {"weights-of-an-error-with-h",
       "Your weights 2 and −1 cancel an error that halves when h halves, that of the forward difference. "
       "This one becomes a quarter.",
       read, weights_of_forward<central>},
      {"weights-not-divided",
       "Four slopes less one slope are three slopes. Divide by 3, so that the right slope is left.", read,
       without_third<central>},
      {"errors-added", "You added the slopes, so their errors add up too. Subtract, and divide by 3.", read,
       sum_over_five},
      {"half-step-over-2h", "You divided by 2h for the step h/2 too. There the two points are only h apart.",
       read, half_over_2h},
      {"forward-difference",
       "You measured forward differences. Their error has a part with h, which these weights do not cancel: "
       "take one point on each side of x.",
       read, weighed_right<forward>},
      {"brackets-missing",
       "You wrote / 2 * h, which divides by 2 and then multiplies by h. It takes brackets: / (2 * h).", read,
       weighed_right<brackets_missing>},
      {"divided-by-the-step",
       "You divided by the step. The two points are twice the step apart, so the slope is half of yours.",
       read, weighed_right<divided_by_h>},
      {"all-at-once", "You moved all numbers of x together. Entry k is about x[k] alone; the others stay.",
       read, weighed_right<all_at_once>},
      {"not-put-back",
       "You did not put x[k] back after measuring, so the later entries are measured at another point.", read,
       not_put_back<1>},
      {"not-put-back-from-the-half-step",
       "You did not put x[k] back after measuring, so the later entries are measured at another point.", read,
       not_put_back<2>}};
}

inline const std::vector<Together<Measure>> kTogetherInMeasures = {
    {{"whole-step-alone", "forward-difference"}, whole_alone<forward>},
    {{"whole-step-alone", "all-at-once"}, whole_alone<all_at_once>},
    {{"mean-of-both", "all-at-once"}, mean_of_both<all_at_once>},
    {{"weights-exchanged", "all-at-once"}, weights_exchanged<all_at_once>},
    {{"weights-not-divided", "all-at-once"}, without_third<all_at_once>},
    {{"weights-not-divided", "divided-by-the-step"}, without_third<divided_by_h>},
    {{"weights-exchanged", "divided-by-the-step"}, weights_exchanged<divided_by_h>}};

}  // namespace mistakes

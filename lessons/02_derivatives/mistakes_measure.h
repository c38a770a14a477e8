// What people get wrong in the measured gradient of exercise 2, part 3.
#pragma once

#include "mistakes.h"

namespace mistakes {

using Measure = std::function<std::vector<double>(const Function&, std::vector<double>, double)>;

// The slope along x[k] with the step h. x[k] stays where f was called last, if it is not put back.
inline double slope_along(const Made& made, const Function& f, std::vector<double>& x, std::size_t k,
                          double h) {
  const std::vector<double> start = x;
  const auto at = [&](double d) {
    x[made("first-number-moved") ? 0 : k] = start[made("first-number-moved") ? 0 : k] + d;
    if (made("all-at-once"))
      for (std::size_t j = 0; j < x.size(); ++j) x[j] = start[j] + d;
    return f(x);
  };
  const bool forward = made("forward-difference") || made("one-side-over-2h"),
             backward = made("backward-difference");
  const double above = at(backward ? 0 : h), below = at(forward ? 0 : -h);
  if (!made("never-put-back") && !made("never-put-back-whole-step-first")) x = start;
  const double apart =
      (forward && !made("one-side-over-2h")) || backward || made("divided-by-the-step") ? h : 2 * h;
  const double difference = made("other-sign") ? below - above : above - below;
  return made("not-divided") ? difference : difference / (made("brackets-missing") ? 2 / h : apart);
}

inline double weighed(const Made& made, double of_half, double of_whole) {
  if (made("weights-exchanged")) std::swap(of_half, of_whole);
  if (made("half-over-2h")) of_half /= 2;
  if (made("only-the-last-divided")) return 4 * of_half - of_whole / 3;
  if (made("correction-turned-round")) return of_half - (of_half - of_whole) / 3;
  if (made("whole-step-corrected")) return of_whole + (of_half - of_whole) / 3;
  if (made("whole-step-alone")) return of_whole;
  if (made("half-step-alone")) return of_half;
  if (made("mean-of-both")) return (of_half + of_whole) / 2;
  if (made("weights-of-an-error-with-h")) return 2 * of_half - of_whole;
  const double four = made("weight-16") ? 16 : 4;
  const double all = four * of_half + (made("errors-added") || made("added-over-3") ? 1 : -1) * of_whole;
  return all / (made("weights-not-divided") ? 1 : made("divided-by-4") ? 4 : made("errors-added") ? 5 : 3);
}

inline std::vector<double> measured(const Made& made, const Function& f, std::vector<double> x, double h) {
  std::vector<double> gradient;
  if (made("double-step")) h *= 2;
  const std::size_t begin = made("first-number-left-out") ? 1 : 0,
                    end = x.size() - (made("last-number-left-out") ? 1 : 0);
  for (std::size_t k = begin; k < end; ++k) {
    double of_half = 0, of_whole = 0;
    if (made("never-put-back-whole-step-first")) of_whole = slope_along(made, f, x, k, h);
    of_half = slope_along(made, f, x, k, made("quarter-step-for-half") ? h / 4 : h / 2);
    if (!made("never-put-back-whole-step-first")) of_whole = slope_along(made, f, x, k, h);
    gradient.push_back(kept(made("whole-slopes"), weighed(made, of_half, of_whole)));
    if (made("not-put-back")) x[k] -= h;
    if (made("not-put-back-from-the-half-step")) x[k] -= h / 2;
  }
  return gradient;
}

inline constexpr const char* kHowSmall = "How small should h be?";
inline constexpr const char* kPutBack =
    "You did not put x[k] back after measuring, so what comes later is measured at another point.";

inline const std::vector<grader::Slip> kSlipsOfMeasuredGradient = {
    {"whole-step-alone",
     "You returned the central difference with the step h. Its error has a part with h²: measure with h/2 "
     "too, and combine both so that this part cancels.",
     kHowSmall},
    {"half-step-alone",
     "You returned the central difference with the step h/2. Its part with h² is a quarter of that with "
     "the step h, and not gone: combine both. With whole numbers, 4 / 3 is 1 in C++, and 1 / 3 is 0.",
     kHowSmall},
    {"mean-of-both",
     "You took the mean of both slopes. Their errors have the same sign, so a mean cancels nothing. Weigh "
     "them so that the errors, 1 and 1/4, cancel.",
     kHowSmall},
    {"weights-exchanged",
     "You gave the weight 4 to the slope with the step h. The slope with h/2 has the smaller error: 4 "
     "times its error is that of the other one.",
     kHowSmall},
    {"weights-of-an-error-with-h",
     "Your weights 2 and −1 cancel an error that halves when h halves, that of the forward difference. "
     "This one becomes a quarter.",
     kHowSmall},
    {"weight-16", "You gave the slope with h/2 the weight 16. A quarter of the error takes the weight 4.",
     kHowSmall},
    {"only-the-last-divided",
     "You divided the second slope alone by 3. It takes brackets: (4 * half − whole) / 3.", kHowSmall},
    {"correction-turned-round",
     "You moved the slope with h/2 towards the slope with h, by a third of their difference. The error of "
     "the first is smaller: move it the other way.",
     kHowSmall},
    {"whole-step-corrected",
     "You corrected the slope with the step h by a third of the difference. It is the slope with h/2 that "
     "is corrected so.",
     kHowSmall},
    {"weights-not-divided",
     "Four slopes less one slope are three slopes. Divide by 3, so that the right slope is left.", kHowSmall},
    {"divided-by-4", "You divided by 4. Four slopes less one slope are three slopes: divide by 3.",
     kHowSmall},
    {"errors-added", "You added the slopes, so their errors add up too. Subtract, and divide by 3.",
     kHowSmall},
    {"added-over-3",
     "You added the slope with the step h, and divided by 3. The weights are 4 and −1: subtract it.",
     kHowSmall},
    {"half-over-2h",
     "Your slope with the step h/2 counts half. Perhaps you divided by 2h there too: its two points are "
     "only h apart.",
     kHowSmall},
    {"quarter-step-for-half", "You measured with the steps h and h/4. The weights 4 and −1 fit h and h/2.",
     kHowSmall},
    {"double-step",
     "You measured with the steps h and 2h. The two steps are h and h/2: the points lie half as far apart.",
     kHowSmall},
    {"forward-difference",
     "You measured forward differences. Their error has a part with h, which these weights do not cancel: "
     "take one point on each side of x.",
     kHowSmall},
    {"one-side-over-2h",
     "You measured from x to x + h, and divided by 2h. From x + h it is 2h down to the other point: x[k] "
     "-= 2 * h.",
     kHowSmall},
    {"backward-difference",
     "You measured from x − h to x. The error of that has a part with h, which these weights do not "
     "cancel: take one point on each side of x.",
     kHowSmall},
    {"brackets-missing",
     "You wrote / 2 * h, which divides by 2 and then multiplies by h. It takes brackets: / (2 * h).",
     kHowSmall},
    {"divided-by-the-step",
     "You divided by the step. The two points are twice the step apart, so the slope is half of yours.",
     kHowSmall},
    {"not-divided",
     "You did not divide. A slope is the difference divided by the distance of the two points, 2h.",
     kHowSmall},
    {"other-sign", "You subtracted the value above from the value below, so all signs are turned round.",
     kHowSmall},
    {"first-number-moved", "You moved x[0] for each entry. Entry k is about x[k].", kHowSmall},
    {"first-number-left-out", "Your answer lacks the entry of x[0]. Count k from 0.", kHowSmall},
    {"last-number-left-out", "Your answer lacks its last entry. It has one for each number of x.", kHowSmall},
    {"all-at-once", "You moved all numbers of x together. Entry k is about x[k] alone; the others stay.",
     kHowSmall},
    {"not-put-back", kPutBack, kHowSmall},
    {"not-put-back-from-the-half-step", kPutBack, kHowSmall},
    {"never-put-back", kPutBack, kHowSmall},
    {"never-put-back-whole-step-first", kPutBack, kHowSmall},
    {"whole-slopes", "Your slopes are whole numbers: an int holds them. Take a double.", kHowSmall}};

inline std::vector<Mistake<Measure>> of_measured_gradient() {
  return slips_of<Measure>(measured, kSlipsOfMeasuredGradient);
}

}  // namespace mistakes

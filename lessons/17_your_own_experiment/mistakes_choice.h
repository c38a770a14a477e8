// What people get wrong in parts 3 and 4 of exercise 17: the choice and the verdict.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "bench.h"
#include "exercise.h"
#include "mistakes.h"

namespace mistakes {

using ChosenAndReported = std::function<Report(Bench&)>;
using JudgedBy =
    std::function<Judged(const std::vector<double>&, const std::vector<double>&, double, double)>;

inline double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double each : x) sum += each;
  return sum / static_cast<double>(x.size());
}

inline double median_of(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return (x[x.size() / 2] + x[(x.size() - 1) / 2]) / 2;
}

inline double standard_error(const Made& made, const std::vector<double>& x) {
  const double n = static_cast<double>(x.size()), mean = mean_of(x);
  double squares = 0;
  for (const double each : x) squares += (each - mean) * (each - mean);
  const double variance = squares / (made("divided-by-n") ? n : n - 1);
  if (made("variance")) return variance;
  if (made("variance-over-n")) return variance / n;
  const double deviation = std::sqrt(variance);
  if (made("deviation")) return deviation;
  if (made("root-forgotten")) return deviation / n;
  return deviation / std::sqrt(made("root-of-n-1") ? n - 1 : n);
}

inline const std::vector<Slip> kOfErrors = {
    {"divided-by-n", "You divide the squares by n. The mean is of the same numbers, so it is n - 1.", kOnce},
    {"variance", "You return the variance: take the root, and divide by √n.", kOnce},
    {"variance-over-n", "You forget the root: your number is the square of the standard error.", kOnce},
    {"deviation",
     "You return the standard deviation, how far one seed is from the mean. The standard error "
     "of the mean is √n times smaller.",
     kOnce},
    {"root-forgotten", "You divide the deviation by n. It is √n.", kOnce},
    {"root-of-n-1", "You divide the deviation by √(n - 1). The n - 1 stands under the squares only.", kOnce}};

// ---- Part 3 ----

inline double score_of(const Made& made, Bench& bench, std::size_t setting, std::vector<double>& losses) {
  if (!made("losses-not-begun-anew")) losses.clear();
  for (std::size_t seed = 0; seed < (made("first-seed-only") ? 1 : bench.seeds()); ++seed) {
    const double loss = made("chosen-on-held-out")   ? bench.held_out_loss(setting, seed)
                        : made("chosen-on-training") ? bench.training_loss(setting, seed)
                                                     : bench.validation_loss(setting, seed);
    if (made("held-out-in-the-loop")) bench.held_out_loss(setting, seed);
    if (!made("nan-left-out") || !std::isnan(loss)) losses.push_back(loss);
  }
  if (losses.empty()) return NAN;
  if (std::ranges::any_of(losses, [](double l) { return std::isnan(l); })) return NAN;
  if (made("best-seed")) return *std::min_element(losses.begin(), losses.end());
  if (made("worst-seed")) return *std::max_element(losses.begin(), losses.end());
  if (made("median")) return median_of(losses);
  return mean_of(losses);
}

inline std::size_t choice(const Made& made, Bench& bench) {
  std::size_t best = 0;
  std::vector<double> losses;
  double least = made("nan-stays") ? score_of(made, bench, 0, losses) : NAN;
  for (std::size_t setting = 0; setting < bench.settings(); ++setting) {
    const double score = score_of(made, bench, setting, losses);
    const bool first = std::isnan(least) && !made("nan-stays");
    const bool better = made("largest") ? score > least : score < least;
    if (made("nan-displaces") && std::isnan(score)) least = score, best = setting;
    if (std::isnan(score) || !(first || better || (made("last-of-equals") && score == least))) continue;
    least = score, best = setting;
    if (made("each-better-one-recorded")) bench.choose(best);
  }
  return best;
}

inline Report chosen_and_reported(const Made& made, Bench& bench) {
  const std::size_t best = choice(made, bench);
  for (std::size_t seed = 0; made("looked-before-too") && seed < bench.seeds(); ++seed)
    bench.held_out_loss(best, seed);
  if (!made("choice-not-recorded") && !made("choice-recorded-late") && !made("each-better-one-recorded"))
    bench.choose(best);
  std::vector<double> losses, of_validation;
  for (std::size_t setting = 0; setting < bench.settings(); ++setting)
    for (std::size_t seed = 0; seed < bench.seeds(); ++seed) {
      if (setting != best && !made("all-held-out-read")) continue;
      const double loss = made("validation-reported") ? bench.validation_loss(setting, seed)
                          : made("training-reported") ? bench.training_loss(setting, seed)
                                                      : bench.held_out_loss(setting, seed);
      if (made("read-twice")) bench.held_out_loss(setting, seed);
      if (setting != best) continue;
      losses.push_back(loss);
      of_validation.push_back(bench.validation_loss(setting, seed));
    }
  if (made("choice-recorded-late")) bench.choose(best);
  double mean = mean_of(losses);
  if (made("best-held-out-seed")) mean = *std::min_element(losses.begin(), losses.end());
  if (made("median-reported")) mean = median_of(losses);
  if (made("mean-of-validation")) mean = mean_of(of_validation);
  return {made("counted-from-1") ? best + 1 : best, mean,
          standard_error(made, made("error-of-validation") ? of_validation : losses)};
}

inline const std::vector<Slip> kOfNaN = {
    {"nan-left-out",
     "You leave NaN out of the mean, so a setting that diverged for a seed may be chosen. It never is.",
     kChoice},
    {"nan-stays",
     "You begin with the mean of setting 0. If it is NaN, no number is less than it, and setting 0 stays.",
     kChoice},
    {"nan-displaces",
     "A setting with a NaN takes the place of a better one: !(mean >= least) is true for a NaN, and so is every "
     "test of what comes next. Leave such a setting out before you compare.",
     kChoice}};

inline const std::vector<Slip> kOfChoice = {
    {"losses-not-begun-anew",
     "The mean of a setting also has the losses of the settings before it. Begin anew for each setting.",
     kChoice},
    {"mean-of-validation",
     "The mean that you report is that of the validation losses. Those that chose are too good: report the "
     "mean of the held-out ones, whose standard error you give already.",
     kOnce},
    {"chosen-on-held-out",
     "You choose by the held-out losses. Then the best of them is too good: choose by the validation "
     "losses.",
     kChoice},
    {"chosen-on-training", "You choose by the training losses. They favour learning by heart.", kChoice},
    {"first-seed-only", "You choose by the first seed alone. The mean over the seeds decides.", kChoice},
    {"best-seed", "You choose by the best seed of each setting. The mean over the seeds decides.", kChoice},
    {"worst-seed", "You choose by the worst seed of each setting. The mean over the seeds decides.", kChoice},
    {"median", "You choose by the median. The mean over the seeds decides.", kChoice},
    {"largest", "You choose the largest mean. A small loss is good.", kChoice},
    {"last-of-equals", "Of equal settings you choose the last. The first is asked for.", kChoice},
    {"choice-not-recorded", "You never call bench.choose(setting).", kChoice},
    {"each-better-one-recorded",
     "You call bench.choose() at each setting that is better than those before. Call it once, at the end.",
     kChoice},
    {"error-of-validation",
     "Your standard error is that of the validation losses. It is that of the held-out losses.", kOnce},
    {"choice-recorded-late",
     "You read held-out losses before bench.choose(setting). First the choice is on record, then you look.",
     kOnce},
    {"looked-before-too",
     "You read held-out losses before bench.choose(setting) too. First the choice is on record, then you "
     "look, once.",
     kOnce},
    {"all-held-out-read", "You read the held-out losses of settings that you did not choose.", kOnce},
    {"held-out-in-the-loop",
     "You read all held-out losses while you choose. Read those of the chosen setting, after the choice.",
     kOnce},
    {"read-twice", "You read held-out losses twice. Keep them in a vector.", kOnce},
    {"validation-reported",
     "You report the validation losses. They chose the setting, so they flatter it: report the held-out "
     "ones.",
     kOnce},
    {"training-reported", "You report the training losses. The held-out ones are asked for.", kOnce},
    {"best-held-out-seed", "You report the best seed. The mean over the seeds is asked for.", kOnce},
    {"median-reported", "You report the median. The mean over the seeds is asked for.", kOnce},
    {"counted-from-1", "You count the settings from 1. The first one is 0.", kChoice}};

inline std::vector<Slip> of_chosen_and_reported() {
  std::vector<Slip> all = kOfErrors;
  all.insert(all.end(), kOfChoice.begin(), kOfChoice.end());
  all.insert(all.end(), kOfNaN.begin(), kOfNaN.end());
  return all;
}

// ---- Part 4 ----

inline bool control_within(const Made& made, const std::vector<double>& control, double low, double high,
                           double from, double to) {
  const auto inside = [&](double x) { return x >= low && x <= high; };
  if (made("control-ignored")) return false;
  if (made("control-against-ours")) return mean_of(control) >= from && mean_of(control) <= to;
  if (made("any-control")) return std::ranges::any_of(control, inside);
  if (made("all-controls")) return std::ranges::all_of(control, inside);
  if (made("control-excludes-bounds")) return mean_of(control) > low && mean_of(control) < high;
  const double m = mean_of(control), e = 2 * standard_error(made, control);
  if (made("range-of-control")) return m + e >= low && m - e <= high;
  if (made("whole-control")) return m - e >= low && m + e <= high;
  return inside(m);
}

inline RowVerdict verdict_of(const Made& made, double m, double from, double to, double low, double high) {
  if (made("mean-alone")) from = to = m;
  const bool strict = made("bounds-excluded");
  const bool within = m >= low && m <= high;
  const bool agrees = made("mean-agrees") ? within
                      : strict            ? from > low && to < high
                                          : from >= low && to <= high;
  const bool apart = made("touching-differs") ? to <= low || from >= high : to < low || from > high;
  if (made("overlap-agrees") && !apart) return RowVerdict::agrees;
  if (made("one-side-only") && from >= low) return RowVerdict::agrees;
  if (agrees) return RowVerdict::agrees;
  if (made("mean-differs") && !within) return RowVerdict::differs;
  if (apart || made("not-agreeing-differs")) return RowVerdict::differs;
  return RowVerdict::open;
}

inline Judged judged(const Made& made, const std::vector<double>& ours, const std::vector<double>& control,
                     double low, double high) {
  const double m = made("median-of-ours") ? median_of(ours)
                   : made("best-of-ours") ? *std::min_element(ours.begin(), ours.end())
                                          : mean_of(ours);
  const double e =
      standard_error(made, made("error-of-control") ? control : ours) * (made("one-error")      ? 1
                                                                         : made("three-errors") ? 3
                                                                                                : 2);
  const double from = made("smallest-to-largest") ? *std::min_element(ours.begin(), ours.end()) : m - e,
               to = made("smallest-to-largest") ? *std::max_element(ours.begin(), ours.end()) : m + e;
  RowVerdict verdict = verdict_of(made, m, from, to, low, high);
  const bool passes = control_within(made, control, low, high, from, to);
  const bool too_late = (made("control-last") && verdict != RowVerdict::agrees) ||
                        (made("control-after-differs") && verdict == RowVerdict::differs) ||
                        (made("control-where-open") && verdict != RowVerdict::open);
  if (passes && !too_late) verdict = RowVerdict::no_test;
  if (made("control-turned-around"))
    verdict = passes ? verdict_of(made, m, from, to, low, high) : RowVerdict::no_test;
  if (made("verdicts-swapped") && verdict == RowVerdict::agrees)
    verdict = RowVerdict::differs;
  else if (made("verdicts-swapped") && verdict == RowVerdict::differs)
    verdict = RowVerdict::agrees;
  return made("from-and-to-swapped") ? Judged{m, to, from, verdict} : Judged{m, from, to, verdict};
}

inline const std::vector<Slip> kOfVerdict = {
    {"control-where-open",
     "You ask for agrees and differs before no_test. If the control passes, the row can tell nothing: ask "
     "for this first.",
     kControl},
    {"control-ignored", "You do not look at the control. If it passes, the row can tell nothing.", kControl},
    {"any-control", "You let one number of the control decide. Its mean decides.", kControl},
    {"all-controls", "You ask that all numbers of the control pass. Its mean decides.", kControl},
    {"control-excludes-bounds", "You leave the bounds out for the control. low and high are included.",
     kControl},
    {"range-of-control", "You take the control's range, mean ± 2 errors. Its mean alone decides.", kControl},
    {"whole-control", "You ask that all of the control's range passes. Its mean alone decides.", kControl},
    {"control-against-ours",
     "You compare the control with from … to. It is compared with the tolerance, low … high.", kControl},
    {"control-after-differs",
     "You say differs before you look at the control. If the control passes it is no test in any case.",
     kControl},
    {"control-last",
     "You look at the control only where the row would agree. If the control passes it is no test in any "
     "case.",
     kControl},
    {"control-turned-around",
     "You say no_test where the control fails. It must fail: no_test is for a control that passes.",
     kControl},
    {"mean-alone", "You judge by the mean alone. All of from … to counts.", kOnce},
    {"mean-agrees",
     "You say agrees wherever the mean lies within the tolerance. All of from … to must lie in it.", kOnce},
    {"mean-differs",
     "You say differs wherever the mean lies outside the tolerance. All of from … to must lie outside.",
     kOnce},
    {"bounds-excluded", "Your row may not touch low and high. They are included.", kPrediction},
    {"touching-differs", "You say differs where from … to touches low or high. They are included.",
     kPrediction},
    {"overlap-agrees", "You say agrees where only a part of from … to is within the tolerance: open.", kOnce},
    {"one-side-only", "You compare with low alone. `to` must not exceed high.", kPrediction},
    {"not-agreeing-differs",
     "You say differs wherever it does not agree. If from … to crosses a bound, it is open.", kOnce},
    {"median-of-ours", "You take the median. The mean is asked for.", kOnce},
    {"best-of-ours", "You take the smallest number. The mean is asked for.", kOnce},
    {"error-of-control", "You take the standard error of the control. It is that of `ours`.", kOnce},
    {"one-error", "You go one standard error to each side. It is 2.", kOnce},
    {"three-errors", "You go three standard errors to each side. It is 2.", kOnce},
    {"smallest-to-largest",
     "You go from the smallest to the largest number. The range of the mean is m - 2e … m + 2e.", kOnce},
    {"verdicts-swapped", "You have agrees and differs swapped.", kOnce},
    {"from-and-to-swapped", "You have from and to swapped: from = m - 2e.", kOnce}};

inline std::vector<Slip> of_judged() {
  std::vector<Slip> all = kOfErrors;
  all.insert(all.end(), kOfVerdict.begin(), kOfVerdict.end());
  return all;
}

}  // namespace mistakes

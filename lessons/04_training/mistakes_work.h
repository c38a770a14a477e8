// Wrong ways to compare batch sizes.
#pragma once

#include <map>

#include "grader/trials.h"
#include "same_work.h"

namespace mistakes {

// What comes out with this batch size. Each is trained once.
inline double percent_of(double batch) {
  static std::map<double, double> kept;
  const auto [at, is_new] = kept.try_emplace(batch);
  if (is_new) at->second = percent_after_same_work(static_cast<std::size_t>(batch));
  return at->second;
}

inline std::vector<double> work_with_slips(const grader::Made& made, const std::vector<double>& batches) {
  std::vector<double> percent;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const std::size_t from = made("trial-before")  ? i - (i > 0)
                             : made("trial-after") ? i + (i + 1 < batches.size())
                                                   : i;
    const double right = percent_of(batches[from]);
    percent.push_back(made("wrong-ones") ? 100 - right : made("points") ? 10 * right : right);
  }
  return percent;
}

inline std::vector<grader::WrongMeasure> of_same_work() {
  return grader::wrong_measures(
      work_with_slips,
      {{"wrong-ones", "You measured the percentage that is wrong. How many per cent are right?"},
       {"points", "You measured how many of the 1000 points are right. The percentage is asked for."},
       {"trial-before", "Your numbers are those of the trial before. Each trial has its own batch size."},
       {"trial-after", "Your numbers are those of the next trial. Each trial has its own batch size."}});
}

}  // namespace mistakes

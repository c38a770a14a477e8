// Wrong ways to read the chosen network, in part 5 of exercise 17.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "grader/trials.h"
#include "toy.h"

namespace mistakes {

// The gaps of the start with the smallest validation loss, and nothing on record.
inline std::vector<double> gaps_at(double presence) {
  const std::size_t kept = toy::records.size();
  const toy::Starts starts(presence);
  std::size_t best = 0;
  for (std::size_t start = 1; start < starts.count(); ++start)
    if (starts.validation_loss(start) < starts.validation_loss(best)) best = start;
  const std::vector<double> all = solution::gaps(starts.look(best));
  toy::records.resize(kept);
  return all;
}

inline double read_with(const grader::Made& made, const std::vector<double>& gaps) {
  const auto count = static_cast<double>(gaps.size());
  if (made("how-many")) return count;
  if (made("smallest-gap")) return *std::ranges::min_element(gaps);
  if (made("mean-gap")) return std::accumulate(gaps.begin(), gaps.end(), 0.0) / count;
  if (made("first-gap")) return gaps.front();
  if (made("last-gap")) return gaps.back();
  if (made("without-the-last-gap")) return *std::max_element(gaps.begin(), gaps.end() - 1);
  return *std::ranges::max_element(gaps);
}

inline std::vector<grader::WrongMeasure> of_largest_gaps() {
  const auto measure = [](const grader::Made& made, const std::vector<double>& presences) {
    std::vector<double> all;
    for (const double presence : presences) {
      static std::map<double, std::vector<double>> known;
      const auto [at, is_new] = known.try_emplace(presence);
      if (is_new) at->second = gaps_at(presence);
      all.push_back(read_with(made, at->second));
    }
    return all;
  };
  return grader::wrong_measures(
      measure,
      {{"smallest-gap", "You measured the smallest gap. The largest is asked for."},
       {"mean-gap",
        "You measured the mean of the gaps, which is 360 degrees over their number. The largest is asked for."},
       {"first-gap", "You measured the first of the gaps. The largest is asked for."},
       {"last-gap", "You measured the last of the gaps. The largest is asked for."},
       {"without-the-last-gap", "You left the last of the gaps out, the one around the end. It counts too."},
       {"how-many", "You measured how many gaps there are. The largest is asked for."}});
}

}  // namespace mistakes

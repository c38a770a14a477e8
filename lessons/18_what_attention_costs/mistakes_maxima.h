// Wrong ways to count new maxima in part 5 of exercise 18.
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "blocks.h"
#include "grader/trials.h"

namespace mistakes {

// Each number of keys is drawn once.
inline const std::vector<std::vector<double>>& rows_of(std::size_t keys) {
  static std::map<std::size_t, std::vector<std::vector<double>>> kept;
  const auto [at, is_new] = kept.try_emplace(keys);
  if (is_new) at->second = random_rows(keys);
  return at->second;
}

inline double maxima_with(const grader::Made& made, std::size_t keys) {
  double count = 0, m = rows_of(keys)[0][0];
  for (const std::vector<double>& row : rows_of(keys)) {
    if (!made("carried-on"))
      m = made("from-0")                ? 0
          : made("from-minus-infinity") ? -INFINITY
          : made("from-the-end")        ? row.back()
                                        : row[0];
    for (std::size_t j = 0; j < keys; ++j) {
      const double score = made("from-the-end") ? row[keys - 1 - j] : row[j];
      const bool is_new = made("minima") ? score < m : score > m;
      if (is_new != made("others-counted")) ++count;
      if (made("one-before") || (is_new && !made("first-only"))) m = score;
    }
    if (made("one-row")) return count;
  }
  if (made("whole-numbers")) return std::floor(count / 400);
  if (made("divided-by-keys")) return count / static_cast<double>(keys);
  return count / (made("sum") ? 1 : 400) / (made("share") ? static_cast<double>(keys) : 1);
}

inline std::vector<grader::WrongMeasure> of_new_maxima() {
  const auto measure = [](const grader::Made& made, const std::vector<double>& all) {
    std::vector<double> counts;
    for (const double keys : all) counts.push_back(maxima_with(made, static_cast<std::size_t>(keys)));
    return counts;
  };
  return grader::wrong_measures(
      measure,
      {{"from-0", "Your maximum begins at 0. Scores may all be negative: begin with the first score."},
       {"from-minus-infinity",
        "You count the first score as a new maximum. The maximum begins with it: count from the second on."},
       {"first-only",
        "You compare each score with the first one. Keep the largest score so far, and compare "
        "with that."},
       {"one-before", "You compare each score with the one before it. Compare it with the largest so far."},
       {"carried-on", "Your maximum goes on from one row to the next. Begin each row with its first score."},
       {"from-the-end", "You read each row from its end. The keys come from the first one on."},
       {"minima", "You count the scores that are smaller than all before them. Count those that are larger."},
       {"others-counted", "You count the scores that are no new maximum. Count those that are."},
       {"one-row", "You count in one row. What is asked for is the mean of the 400 rows."},
       {"sum", "You added up all 400 rows. What is asked for is the mean: divide by 400."},
       {"whole-numbers", "You divide two whole numbers, which drops the rest. Count in a double."},
       {"divided-by-keys",
        "You divide by the number of keys in place of the number of rows. The mean is over the 400 rows."},
       {"share", "You divide by the number of keys. What is asked for is a count."}});
}

}  // namespace mistakes

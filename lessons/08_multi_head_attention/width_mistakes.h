// Wrong ways to count the keys that are reached.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "crowd.h"
#include "grader/trials.h"

namespace mistakes {

using grader::Made;

// The scores of all queries, (4096,64), computed once for each width.
inline const Array& scores_of(double d_head) {
  static std::map<double, Array> kept;
  const auto [at, is_new] = kept.try_emplace(d_head);
  const auto width = static_cast<std::size_t>(d_head);
  if (is_new) at->second = matmul(queries_of(width), transpose(keys_of(width))).array();
  return at->second;
}

// The largest score that is known to the next query, where a learner keeps it.
struct Best {
  std::size_t key = 0;
  double score = -std::numeric_limits<double>::infinity();
};

// The mistakes of the search through the scores of a query; there are many scores.
struct Search {
  explicit Search(const Made& made)
      : smallest(made("smallest")),
        by_size(made("by-size")),
        best_kept(made("best-kept")),
        with_the_first(made("compared-with-the-first")),
        stops(made("stops-at-a-larger-one")),
        first(made("key-0-left-out") ? 1 : 0),
        end(made("last-key-left-out") ? 63 : 64) {}

  // The key that query i is said to reach.
  std::size_t key_of(const Array& scores, std::size_t i, Best& best) const {
    const double* row = scores.data() + 64 * i;
    const auto score = [&](std::size_t j) {
      const double s = smallest ? -row[j] : row[j];
      return by_size ? std::abs(s) : s;
    };
    if (!best_kept) best = {first, score(first)};
    const double of_first = score(first);
    for (std::size_t j = first; j < end; ++j) {
      if (!(score(j) > (with_the_first ? of_first : best.score))) continue;
      best = {j, score(j)};
      if (stops) break;
    }
    return best.key;
  }

  bool smallest, by_size, best_kept, with_the_first, stops;
  std::size_t first, end;
};

// For each key the query with the largest score.
inline std::vector<bool> queries_reached(const Array& scores) {
  std::vector<bool> reached(4096, false);
  for (std::size_t j = 0; j < 64; ++j) {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < 4096; ++i)
      if (scores(i, j) > scores(largest, j)) largest = i;
    reached[largest] = true;
  }
  return reached;
}

inline std::vector<double> widths_with_slips(const Made& made, const std::vector<double>& widths) {
  std::vector<double> counts;
  const Search search(made);
  std::vector<bool> reached(64, false);
  for (const double width : widths) {
    const Array& scores = scores_of(width);
    if (!made("reached-kept")) reached.assign(64, false);
    Best best;
    const bool anew = made("reached-anew"), every = made("every-larger-key");
    const std::size_t queries = made("as-many-queries-as-keys") ? 64 : 4096;
    for (std::size_t i = 0; i < queries; ++i) {
      if (anew) reached.assign(64, false);
      if (every)
        for (std::size_t j = 0; j < 64; ++j) reached[j] = reached[j] || scores(i, j) > 0;
      else
        reached[search.key_of(scores, i, best)] = true;
    }
    if (made("queries-of-the-keys")) reached = queries_reached(scores);
    const double count = std::accumulate(reached.begin(), reached.end(), 0.0);
    counts.push_back(made("queries-counted") ? 4096 : made("others-counted") ? 64 - count : count);
  }
  return counts;
}

inline std::vector<grader::WrongMeasure> of_width_trials() {
  return grader::wrong_measures(
      widths_with_slips,
      {{"compared-with-the-first",
        "You compare each score with the first one, so the last key that beats key 0 wins. Compare with "
        "the largest so far, and let that become the new one."},
       {"by-size",
        "You compare sizes, by std::abs. A score that is far below 0 is a small score: compare as they are."},
       {"smallest", "You look for the smallest score. A query reaches the key with the largest one."},
       {"as-many-queries-as-keys",
        "You looked at the first 64 queries alone. There are 4096 of them, and 64 keys."},
       {"key-0-left-out",
        "Key 0 is never reached in your count. The search for the largest score begins at key 0."},
       {"last-key-left-out",
        "The last key is never reached in your count. The keys are 0 to 63, so count j < 64."},
       {"best-kept",
        "The largest score is not set back for the next query, so a query counts only if it beats all "
        "queries before. Begin anew with each query."},
       {"stops-at-a-larger-one",
        "You stop at the first score that is larger than that of key 0. Look at all 64 scores before you "
        "decide."},
       {"every-larger-key",
        "You count each key that some query gives a score above 0. A query reaches only its largest."},
       {"reached-kept",
        "What was reached in one trial is still marked in the next one. Begin each trial with no key "
        "reached."},
       {"reached-anew",
        "What was reached is forgotten with each query, so one key is left in the end. Make the list of "
        "keys before the loop over the queries."},
       {"queries-of-the-keys",
        "You looked for the query with the largest score of each key. It is the other way round: of each "
        "query, the key with the largest score. A row of the scores belongs to a query."},
       {"queries-counted",
        "You counted once for each query. Several queries reach the same key: mark the keys, then count "
        "the marked ones."},
       {"others-counted", "You counted the keys that are not reached. How many are reached?"}});
}

}  // namespace mistakes

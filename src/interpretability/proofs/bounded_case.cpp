#include "bounded_case.h"

#include <algorithm>
#include <limits>

namespace headlight::interpret {
namespace {

using Choices = std::vector<std::size_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Range kNothing{kInfinity, -kInfinity};  // joined to a range it changes nothing

class Bounds {
 public:
  Bounds(const TwoHeadTables& tables, const Choices& plain, const InputCase& c)
      : tables_(tables), case_(c), last_(c.tokens.size()), follower_(c.place + 1) {
    for (std::size_t p = 0; p <= last_; ++p) candidates_.push_back(c.candidates(p, plain));
    first_rows_.resize(last_ + 1);
    for (std::size_t p = 0; p <= last_; ++p)
      for (const std::size_t token : candidates_[p]) first_rows_[p].push_back(first_row(p, token));
  }

  CaseBound bound() const {
    CaseBound found{first_rows_[follower_][0][case_.place].low, kInfinity, 0, kInfinity};
    const Ranges leads = leads_over_positions();
    Ranges scores;  // less that of the follower
    for (std::size_t j = 0; j <= last_; ++j) {
      scores.push_back({-leads[j].high, -leads[j].low});
      if (j != follower_) found.lead = std::min(found.lead, leads[j].low);
    }
    const Ranges weights = softmax_ranges(scores);
    found.weight = weights[follower_].low;
    for (std::size_t other = 0; other < tables_.tokens(); ++other)
      if (other != case_.b()) found.margin = std::min(found.margin, margin_over(other, weights));
    return found;
  }

 private:
  // The tokens that may stand at position p beside a token at q.
  template <class F>
  void each_beside(std::size_t p, std::size_t q, std::size_t token, F f) const {
    if (p == q) return f(token);
    for (const std::size_t candidate : candidates_[p])
      if (candidate != token || candidates_[p].size() == 1) f(candidate);
  }

  // The weights of the first layer's head for a query of this token at position t.
  Ranges first_row(std::size_t t, std::size_t token) const {
    Ranges scores;
    for (std::size_t j = 0; j <= t; ++j) {
      Range range = kNothing;
      each_beside(j, t, token,
                  [&](std::size_t key) { range = joined(range, tables_.first_score(token, t, key, j)); });
      scores.push_back(range);
    }
    return softmax_ranges(scores);
  }

  // Range of the second layer's score on position j, which holds `key`, where the last position's first head
  // looks at position k, which holds `seen`.
  Range second_score(std::size_t k, std::size_t seen, std::size_t j, std::size_t at, std::size_t key) const {
    Ranges attended;
    for (std::size_t l = 0; l <= j; ++l) {
      Range range = kNothing;
      const auto take = [&](std::size_t token) {
        range = joined(range, tables_.second_score(false, case_.a(), last_, j, true, token, l) +
                                  tables_.second_score(true, seen, k, j, true, token, l));
      };
      if (l == k)
        take(seen);
      else
        each_beside(l, j, key, take);
      attended.push_back(range);
    }
    const Range itself = tables_.second_score(false, case_.a(), last_, j, false, key, j) +
                         tables_.second_score(true, seen, k, j, false, key, j);
    return itself + mix(attended, first_rows_[j][at]);
  }

  // For each position, by how much the follower's score is above its own.
  Ranges leads_over_positions() const {
    const Ranges nothing(last_ + 1, kNothing);
    std::vector<Ranges> leads(last_ + 1, nothing);  // by the position that the last one's first head looks at
    for (std::size_t k = 0; k <= last_; ++k)
      for (const std::size_t seen : candidates_[k]) {
        const Range follower = second_score(k, seen, follower_, 0, case_.b());
        for (std::size_t j = 0; j <= last_; ++j)
          for (std::size_t at = 0; at < candidates_[j].size(); ++at) {
            const std::size_t key = candidates_[j][at];
            const bool clash = j == k ? key != seen : key == seen && candidates_[k].size() > 1;
            if (clash) continue;
            leads[j][k] = joined(leads[j][k], follower - second_score(k, seen, j, at, key));
          }
      }
    Ranges all;
    for (const Ranges& lead : leads) all.push_back(mix(lead, first_rows_[last_][0]));
    all[follower_] = {0, 0};
    return all;
  }

  // What the stream of position j, with this token, adds to the logit of B less another's where the second
  // layer's head looks at it.
  Range attended(std::size_t j, std::size_t at, std::size_t other) const {
    const std::size_t token = candidates_[j][at], b = case_.b();
    Ranges written;
    for (std::size_t l = 0; l <= j; ++l) {
      Range range = kNothing;
      each_beside(l, j, token, [&](std::size_t seen) {
        range = joined(range, tables_.attended(true, seen, l, b) - tables_.attended(true, seen, l, other));
      });
      written.push_back(range);
    }
    return tables_.attended(false, token, j, b) - tables_.attended(false, token, j, other) +
           mix(written, first_rows_[j][at]);
  }

  double margin_over(std::size_t other, const Ranges& weights) const {
    const std::size_t a = case_.a(), b = case_.b();
    Ranges written(last_ + 1, kNothing), seen = written;
    for (std::size_t k = 0; k <= last_; ++k)
      for (std::size_t at = 0; at < candidates_[k].size(); ++at) {
        const std::size_t token = candidates_[k][at];
        written[k] =
            joined(written[k], tables_.direct(true, token, k, b) - tables_.direct(true, token, k, other));
        seen[k] = joined(seen[k], attended(k, at, other));
      }
    return (tables_.direct(false, a, last_, b) - tables_.direct(false, a, last_, other) +
            mix(written, first_rows_[last_][0]) + mix(seen, weights))
        .low;
  }

  const TwoHeadTables& tables_;
  const InputCase& case_;
  std::size_t last_, follower_;
  std::vector<Choices> candidates_;
  std::vector<std::vector<Ranges>> first_rows_;  // by position and candidate
};

}  // namespace

std::size_t InputCase::known() const {
  return static_cast<std::size_t>(
      std::count_if(tokens.begin(), tokens.end(), [](const auto& token) { return token.has_value(); }));
}

std::vector<std::size_t> InputCase::candidates(std::size_t position,
                                               const std::vector<std::size_t>& plain) const {
  if (position == tokens.size()) return {a()};
  if (tokens[position]) return {*tokens[position]};
  std::vector<std::size_t> free;
  for (const std::size_t token : plain)
    if (std::find(tokens.begin(), tokens.end(), std::optional(token)) == tokens.end()) free.push_back(token);
  return free;
}

CaseBound bound_case(const TwoHeadTables& tables, const std::vector<std::size_t>& plain, const InputCase& c) {
  return Bounds(tables, plain, c).bound();
}

}  // namespace headlight::interpret

#include "bounded_case.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "headlight/core/math.h"

namespace headlight::interpret {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Range {
  double low, high;
};
using Ranges = std::vector<Range>;
using Choices = std::vector<std::size_t>;

// The least Σ w_i x_i over weights within their ranges that add up to 1: what is left above the low ends goes
// to the least numbers first.
double least_mix(const std::vector<double>& x, const Ranges& weights) {
  double left = 1, sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) left -= weights[i].low, sum += weights[i].low * x[i];
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] < x[j]; });
  for (const std::size_t i : order) {
    const double more = std::min(left, weights[i].high - weights[i].low);
    sum += more * x[i], left -= more;
  }
  return sum;
}

double largest_mix(std::vector<double> x, const Ranges& weights) {
  for (double& number : x) number = -number;
  return -least_mix(x, weights);
}

// The weights of a softmax whose scores are within ranges.
Ranges softmax_ranges(const Ranges& scores) {
  const auto weight = [&](std::size_t i, double score, double Range::*others) {
    double sum = 1;
    for (std::size_t j = 0; j < scores.size(); ++j)
      if (j != i) sum += math::exp(scores[j].*others - score);
    return 1 / sum;
  };
  Ranges weights;
  for (std::size_t i = 0; i < scores.size(); ++i)
    weights.push_back({weight(i, scores[i].low, &Range::high), weight(i, scores[i].high, &Range::low)});
  return weights;
}

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
      Range range{kInfinity, -kInfinity};
      each_beside(j, t, token, [&](std::size_t key) {
        const double score = tables_.first_score(token, t, key, j);
        range = {std::min(range.low, score), std::max(range.high, score)};
      });
      scores.push_back(range);
    }
    return softmax_ranges(scores);
  }

  // Range of the second layer's score on position j, which holds `key`, where the last position's first head
  // looks at position k, which holds `seen`.
  Range second_score(std::size_t k, std::size_t seen, std::size_t j, std::size_t at, std::size_t key) const {
    std::vector<double> low, high;
    for (std::size_t l = 0; l <= j; ++l) {
      Range range{kInfinity, -kInfinity};
      const auto take = [&](std::size_t token) {
        const double score = tables_.second_score(false, case_.a(), last_, j, true, token, l) +
                             tables_.second_score(true, seen, k, j, true, token, l);
        range = {std::min(range.low, score), std::max(range.high, score)};
      };
      if (l == k)
        take(seen);
      else
        each_beside(l, j, key, take);
      low.push_back(range.low), high.push_back(range.high);
    }
    const double itself = tables_.second_score(false, case_.a(), last_, j, false, key, j) +
                          tables_.second_score(true, seen, k, j, false, key, j);
    const Ranges& weights = first_rows_[j][at];
    return {itself + least_mix(low, weights), itself + largest_mix(high, weights)};
  }

  // For each position, by how much the follower's score is above its own.
  Ranges leads_over_positions() const {
    const Ranges any(last_ + 1, {kInfinity, -kInfinity});
    std::vector<Ranges> leads(last_ + 1, any);  // by the position that the last one's first head looks at
    for (std::size_t k = 0; k <= last_; ++k)
      for (const std::size_t seen : candidates_[k]) {
        const Range follower = second_score(k, seen, follower_, 0, case_.b());
        for (std::size_t j = 0; j <= last_; ++j)
          for (std::size_t at = 0; at < candidates_[j].size(); ++at) {
            const std::size_t key = candidates_[j][at];
            const bool clash = j == k ? key != seen : key == seen && candidates_[k].size() > 1;
            if (clash) continue;
            const Range score = second_score(k, seen, j, at, key);
            Range& lead = leads[j][k];
            lead.low = std::min(lead.low, follower.low - score.high);
            lead.high = std::max(lead.high, follower.high - score.low);
          }
      }
    Ranges all;
    for (std::size_t j = 0; j <= last_; ++j) {
      std::vector<double> low, high;
      for (const Range& lead : leads[j]) low.push_back(lead.low), high.push_back(lead.high);
      const Ranges& weights = first_rows_[last_][0];
      all.push_back({least_mix(low, weights), largest_mix(high, weights)});
    }
    all[follower_] = {0, 0};
    return all;
  }

  // At least what the stream of position j, with this token, adds to the logit of B less another's where the
  // second layer's head looks at it.
  double attended(std::size_t j, std::size_t at, std::size_t other) const {
    const std::size_t token = candidates_[j][at], b = case_.b();
    std::vector<double> low;
    for (std::size_t l = 0; l <= j; ++l) {
      double least = kInfinity;
      each_beside(l, j, token, [&](std::size_t seen) {
        least = std::min(least, tables_.attended(true, seen, l, b) - tables_.attended(true, seen, l, other));
      });
      low.push_back(least);
    }
    return tables_.attended(false, token, j, b) - tables_.attended(false, token, j, other) +
           least_mix(low, first_rows_[j][at]);
  }

  double margin_over(std::size_t other, const Ranges& weights) const {
    const std::size_t a = case_.a(), b = case_.b();
    std::vector<double> written, seen;
    for (std::size_t k = 0; k <= last_; ++k) {
      double least = kInfinity, least_seen = kInfinity;
      for (std::size_t at = 0; at < candidates_[k].size(); ++at) {
        const std::size_t token = candidates_[k][at];
        least = std::min(least, tables_.direct(true, token, k, b) - tables_.direct(true, token, k, other));
        least_seen = std::min(least_seen, attended(k, at, other));
      }
      written.push_back(least), seen.push_back(least_seen);
    }
    return tables_.direct(false, a, last_, b) - tables_.direct(false, a, last_, other) +
           least_mix(written, first_rows_[last_][0]) + least_mix(seen, weights);
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

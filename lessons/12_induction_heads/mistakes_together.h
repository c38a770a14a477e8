// Mistakes that people make together in parts 1 to 3 of exercise 12.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mistakes_curve.h"

namespace mistakes {

using grader::Together;

// The names that belong to the numbers of the slips, without those that are right.
inline std::vector<std::string> names_of(std::initializer_list<const char*> slips) {
  std::vector<std::string> names;
  for (const char* slip : slips)
    if (*slip != 0) names.emplace_back(slip);
  return names;
}

// ---- Part 1: which key, which of several, and what the sum is divided by ----

inline constexpr std::array kKeys{"", "copy-for-follower", "token-before-the-copy"};
inline constexpr std::array kSeveral{"", "first-copy-only", "last-copy-only", "mean-within-the-row"};
inline constexpr std::array kDivisors{"", "all-queries-counted", "sum-for-mean", "no-query-counts"};

template <std::size_t key, std::size_t several, std::size_t divisor>
double score_with(const Tensor& p, const std::vector<int>& tokens) {
  double total = 0, queries = 0;
  const auto weight = [&](std::size_t q, std::size_t j) {
    if (key == 2 && j == 0) return 0.0;
    return static_cast<double>(p.array()(q, key == 0 ? j + 1 : key == 1 ? j : j - 1));
  };
  for (std::size_t q = 0; q < tokens.size(); ++q) {
    const auto found = copies(tokens, q);
    if (found.empty()) continue;
    ++queries;
    double sum = 0;
    for (const std::size_t j : found) sum += weight(q, j);
    total += several == 1   ? weight(q, found.front())
             : several == 2 ? weight(q, found.back())
             : several == 3 ? sum / static_cast<double>(found.size())
                            : sum;
  }
  if (divisor == 1) return total / static_cast<double>(tokens.size());
  if (divisor == 2) return total;
  return queries == 0 && divisor == 0 ? 0 : total / queries;
}

template <std::size_t code>
void add_score(std::vector<Together<MatchingScore>>& all) {
  constexpr std::size_t key = code / 16, several = code / 4 % 4, divisor = code % 4;
  const auto names = names_of({kKeys[key], kSeveral[several], kDivisors[divisor]});
  if (names.size() > 1) all.push_back({names, score_with<key, several, divisor>});
}
template <std::size_t... codes>
std::vector<Together<MatchingScore>> scores_of(std::index_sequence<codes...>) {
  std::vector<Together<MatchingScore>> all;
  (add_score<codes>(all), ...);
  return all;
}
inline std::vector<Together<MatchingScore>> together_in_matching_score() {
  return scores_of(std::make_index_sequence<48>());
}

// ---- Part 2: what is compared, and what is done with the scores ----

template <Matched matched>
void add_patterns(std::vector<Together<MatchingPattern>>& all, const std::string& name) {
  all.push_back({{name, "no-mask"}, pattern_with<Careless{.matched = matched, .no_mask = true}>});
  all.push_back(
      {{name, "softmax-over-queries"}, pattern_with<Careless{.matched = matched, .over_queries = true}>});
  all.push_back({{name, "sharpness-ignored"},
                 pattern_with<Careless{.matched = matched, .sharpness = Careless::ignored}>});
}
inline std::vector<Together<MatchingPattern>> together_in_matching_pattern() {
  std::vector<Together<MatchingPattern>> all;
  add_patterns<Matched::tokens>(all, "matches-the-token-itself");
  add_patterns<Matched::queries_note>(all, "the-query's-note");
  add_patterns<Matched::transposed>(all, "previous-transposed");
  add_patterns<Matched::token_before>(all, "previous-not-used");
  return all;
}

// ---- Part 3: a level that is wrong, and what is done with it ----

inline constexpr std::array kLevels{"half-of-the-largest", "half-of-the-last", "half-of-the-rise",
                                    "fixed-level"};
inline constexpr std::array kUses{"first-crossing", "index-for-step", "always-a-step", "last-for-rise"};

template <std::size_t level_slip, std::size_t use>
double step_with(const Numbers& steps, const Numbers& s) {
  const double largest_score = *std::max_element(s.begin(), s.end());
  const double level = level_slip == 0   ? (s.front() + largest_score) / 2
                       : level_slip == 1 ? s.back() / 2
                       : level_slip == 2 ? (s.back() - s.front()) / 2
                                         : 0.5;
  const bool formed = use == 2 || (use == 3 ? s.back() >= 0.2 : rises(s));
  if (!formed) return -1;
  if (use == 0) return between(steps, s, first_at(s, level), level);
  return use == 1 ? static_cast<double>(settled(s, level)) : between(steps, s, settled(s, level), level);
}

template <std::size_t... codes>
std::vector<Together<StepOfChange>> steps_of(std::index_sequence<codes...>) {
  return {{{kLevels[codes / 4], kUses[codes % 4]}, step_with<codes / 4, codes % 4>}...};
}
inline std::vector<Together<StepOfChange>> together_in_step_of_change() {
  return steps_of(std::make_index_sequence<16>());
}

}  // namespace mistakes

// Wrong ways to measure what only a copy tells, in part 5 of exercise 16.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "grader/trials.h"
#include "name_tokens.h"

namespace mistakes {

// A text with the predictions of both kinds, which are made once for each length.
struct CopiedText {
  std::vector<int> tokens, copies;
  std::size_t counted;  // tokens of which pairs are counted
};

inline const CopiedText& copied_text(std::size_t length) {
  static std::map<std::size_t, CopiedText> kept;
  const auto [at, is_new] = kept.try_emplace(length);
  CopiedText& text = at->second;
  if (is_new)
    text.tokens = name_tokens(length), text.copies = solution::copied(text.tokens, 32),
    text.counted = 9 * text.tokens.size() / 10;
  return text;
}

// Of each token the one that most often came right after it.
inline std::map<int, int> by_pairs(const grader::Made& made, const std::vector<int>& tokens,
                                   std::size_t counted) {
  std::map<int, std::map<int, int>> pairs;
  for (std::size_t i = 1; i < counted; ++i)
    if (made("backwards"))
      ++pairs[tokens[i]][tokens[i - 1]];
    else
      ++pairs[tokens[i - 1]][tokens[i]];
  std::map<int, int> most;
  for (const auto& [token, after] : pairs)
    most[token] = std::max_element(after.begin(), after.end(), [&](const auto& a, const auto& b) {
                    return made("rarest") ? a.second > b.second : a.second < b.second;
                  })->first;
  return most;
}

inline double copies_with(const grader::Made& made, std::size_t length) {
  const auto& [tokens, copies, counted] = copied_text(length);
  const std::map<int, int> pairs =
      by_pairs(made, tokens, made("pairs-of-the-whole-text") ? tokens.size() : counted);
  const bool early = made("in-the-counted-part"), whole = made("in-the-whole-text");
  const std::size_t first = early || whole ? 0 : counted, end = early ? counted - 1 : tokens.size() - 1;
  double hits = 0, right = 0, seen = 0, missed = 0;
  for (std::size_t t = first; t < end; ++t) {
    const bool copy = copies[t] == tokens[t + 1], pair = pairs.at(tokens[t]) == tokens[t + 1];
    right += copy ? 1 : 0, seen += copies[t] >= 0 ? 1 : 0, missed += pair ? 0 : 1;
    const bool hit = made("copies-alone")        ? copy
                     : made("pairs-alone")       ? pair
                     : made("both-right")        ? copy && pair
                     : made("either-right")      ? copy || pair
                     : made("pairs-right-alone") ? pair && !copy
                                                 : copy && !pair;
    hits += hit ? 1 : 0;
  }
  if (made("number")) return hits;
  const double all = made("of-right-copies")         ? right
                     : made("of-copies")             ? seen
                     : made("of-missed-pairs")       ? missed
                     : made("of-the-counted-tokens") ? static_cast<double>(counted)
                     : made("of-all-tokens")         ? static_cast<double>(tokens.size())
                     : made("one-position-more")     ? static_cast<double>(end - first + 1)
                                                     : static_cast<double>(end - first);
  return hits / all * (made("share") ? 1 : 100);
}

inline std::vector<grader::WrongMeasure> of_only_a_copy() {
  const auto measure = [](const grader::Made& made, const std::vector<double>& lengths) {
    std::vector<double> all;
    for (const double length : lengths) all.push_back(copies_with(made, static_cast<std::size_t>(length)));
    return all;
  };
  return grader::wrong_measures(
      measure,
      {{"of-right-copies",
        "You divide by the positions at which the copy is right. The per cent are of all positions N … size-2."},
       {"of-copies",
        "You divide by the positions at which copied() says something. The per cent are of all positions N … "
        "size-2."},
       {"of-missed-pairs",
        "You divide by the positions at which the pairs are wrong. The per cent are of all positions N … "
        "size-2."},
       {"of-all-tokens",
        "You divide by the tokens of the whole text. The per cent are of the positions N … size-2."},
       {"one-position-more", "You divide by one position too many. The last one, size-1, has no target."},
       {"share", "You measured a share. Per cent are asked for: times 100."},
       {"number", "You measured a number of positions. Per cent are asked for."},
       {"copies-alone",
        "You count where the copy is right, whatever the pairs say. The pairs must be wrong there."},
       {"pairs-alone",
        "You count where the pairs are right. Count where they are wrong and the copy is right."},
       {"both-right", "You count where both are right. The pairs must be wrong."},
       {"either-right",
        "You count where one of the two is right. The copy must be right, and the pairs wrong."},
       {"pairs-right-alone",
        "You count where the pairs are right and the copy is wrong. It is the other way round."},
       {"backwards",
        "Your pairs are counted backwards: what came before a token. Count what came right after it."},
       {"rarest",
        "Your prediction by pairs is the rarest of the tokens that followed. Take the most frequent."},
       {"of-the-counted-tokens",
        "You divide by N, the tokens of which pairs are counted. The per cent are of the positions N … size-2."},
       {"pairs-of-the-whole-text",
        "You count pairs in the whole text. Both tokens of a pair must be among 0 … N-1, or what is held out is "
        "known before."},
       {"in-the-counted-part",
        "You measure where the pairs were counted. Measure at the positions N … size-2."},
       {"in-the-whole-text", "You measure in the whole text. Measure at the positions N … size-2."}});
}

}  // namespace mistakes

// The tables that lesson 12 prints.
#pragma once

#include <string>
#include <vector>

#include "lesson_program.h"
#include "runs.h"

namespace headlight::lesson {

inline void print_followers(const std::vector<char>& tokens, std::size_t query,
                            const std::vector<std::size_t>& earlier) {
  std::string copies, followers;
  for (std::size_t at : earlier) {
    const char* before = copies.empty() ? "" : "  ";
    copies += fmt::format("{}{}", before, at);
    followers += fmt::format("{}{} ({})", before, at + 1, tokens[at + 1]);
  }
  if (copies.empty()) copies = followers = "-";
  say("  {:5}   {:>5}   {:<14}   {}", query, tokens[query], copies, followers);
}

// The weights of these queries.
inline void print_rows(const Array& pattern, const std::vector<std::size_t>& queries) {
  say("\n  key         0     1     2     3     4     5");
  for (std::size_t query : queries) {
    std::string row;
    for (std::size_t key = 0; key < 6; ++key) row += fmt::format("   {:.1f}", pattern(0, query, key));
    say("  query {}  {}", query, row);
  }
}

// One training, with most lines where most happens.
inline void print_curves(const Watched& w) {
  say("  step   loss   right   previous-token score   induction score");
  for (std::size_t i = 0; i < w.steps.size(); ++i) {
    const auto step = static_cast<int>(w.steps[i]);
    if (step != 0 && step != 50 && step != 100 && step != 320 && (step < 120 || step > 220 || step % 10 != 0))
      continue;
    say("  {:4}   {:4.2f}   {:3.0f} %   {:20.2f}   {:15.2f}", step, w.loss[i], 100 * w.accuracy[i],
        w.previous[i], w.induction[i]);
  }
}

inline void print_heads(const std::vector<interpret::HeadScores>& heads) {
  say("  layer   head   previous token   duplicate token   induction   itself");
  for (const interpret::HeadScores& head : heads)
    say("  {:5}   {:4}   {:14.2f}   {:15.2f}   {:9.2f}   {:6.2f}", head.layer, head.head,
        head[interpret::kPreviousToken], head[interpret::kDuplicateToken], head[interpret::kInduction],
        head[interpret::kSelf]);
}

// "185  225  never", if a training of `most` steps has not formed a head.
inline std::string listed(const std::vector<double>& steps, double most) {
  std::string text;
  for (double step : steps)
    text +=
        fmt::format("{}{}", text.empty() ? "" : "  ", step < most ? fmt::format("{:.0f}", step) : "never");
  return text;
}

}  // namespace headlight::lesson

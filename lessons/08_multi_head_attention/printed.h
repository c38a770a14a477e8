// How lesson 8 prints what it computes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headlight/interpret/scores.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"

namespace headlight::lesson {

// "[1, 2]"
inline std::string written(const Tensor& x, int decimals = 0) {
  std::string row;
  for (Real number : x.array()) row += fmt::format("{}{:.{}f}", row.empty() ? "" : ", ", number, decimals);
  return "[" + row + "]";
}

inline std::string first_row(const Tensor& x) { return written(slice(x, 0, 0, 1), 4); }

inline bool equal_but_for_rounding(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && max(abs(a - b)).item() < 1e-12;
}

inline void print_shapes(const std::vector<std::pair<std::string, Tensor>>& tensors) {
  for (const auto& [name, x] : tensors) say("  {:<26} {}", name, x.shape());
}

// "layer 1, head 0: induction head"
inline std::string title_of(const interpret::HeadScores& s) {
  const interpret::ScoreKind* kind = interpret::known_kind(s);
  return fmt::format("layer {}, head {}{}{}", s.layer, s.head, kind == nullptr ? "" : ": ",
                     kind == nullptr ? "" : kind->role);
}

inline void print_scores(const std::vector<interpret::HeadScores>& heads) {
  say("  layer   head   previous token   duplicate token   induction   itself");
  for (const interpret::HeadScores& s : heads) {
    const interpret::ScoreKind* kind = interpret::known_kind(s);
    say("  {:>5}   {:>4}   {:>14.2f}   {:>15.2f}   {:>9.2f}   {:>6.2f}{}{}", s.layer, s.head,
        s["previous_token"], s["duplicate_token"], s["induction"], s["self"], kind == nullptr ? "" : "   ",
        kind == nullptr ? "" : kind->role);
  }
}

}  // namespace headlight::lesson

#include "headlight/report/head_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace headlight::report {
namespace {

using interpret::HeadScores;

std::string bar(double value, ColorMode mode) {
  constexpr int kWidth = 16;
  const int filled = static_cast<int>(std::lround(clamped(value) * kWidth));
  std::string out;
  for (int i = 0; i < kWidth; ++i) out += i < filled ? "█" : "·";
  return foreground(heat_color(0.3 + 0.6 * value, mode), mode) + out + reset(mode);
}

}  // namespace

std::string head_name(const HeadScores& head) { return fmt::format("{}.{}", head.layer, head.head); }

std::string head_table(const std::vector<HeadScores>& scores, ColorMode mode) {
  std::string out = "head    previous  duplicate  induction\n";
  std::size_t layer = scores.empty() ? 0 : scores.front().layer;
  for (const HeadScores& s : scores) {
    if (s.layer != layer) out += "\n";
    layer = s.layer;
    const interpret::ScoreKind kind = interpret::strongest(s);
    const double strongest = s.*kind.score;
    out += fmt::format("{:<6}  {:>8.3f}  {:>9.3f}  {:>9.3f}   {}", head_name(s), s.previous_token,
                       s.duplicate_token, s.induction, bar(strongest, mode));
    if (strongest >= interpret::kFoundScore) out += fmt::format("  {} head", kind.name);
    out += "\n";
  }
  return out;
}

}  // namespace headlight::report

#include "headlight/report/head_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace headlight::inline HEADLIGHT_PRECISION::report {
namespace {

using interpret::HeadScores;
using interpret::ScoreKind;

// Wide enough for a number of three decimals.
std::string heading(const ScoreKind& kind) { return fmt::format("{:>5}", kind.column); }

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
  std::string out = "head  ";
  for (const ScoreKind& kind : interpret::score_kinds()) out += fmt::format("  {}", heading(kind));
  out += "\n";
  std::size_t layer = scores.empty() ? 0 : scores.front().layer;
  for (const HeadScores& s : scores) {
    if (s.layer != layer) out += "\n";
    layer = s.layer;
    out += fmt::format("{:<6}", head_name(s));
    for (const ScoreKind& kind : interpret::score_kinds())
      out += fmt::format("  {:>{}.3f}", s[kind.key], heading(kind).size());
    const ScoreKind& strongest = interpret::strongest(s);
    const double value = s[strongest.key];
    out += "   " + bar(value, mode);
    if (value >= interpret::kFoundScore) out += fmt::format("  {}", strongest.role);
    out += "\n";
  }
  return out;
}

std::string heads_csv(const std::vector<HeadScores>& scores) {
  std::string out = "layer,head";
  for (const ScoreKind& kind : interpret::score_kinds()) out += fmt::format(",{}", kind.key);
  out += "\n";
  for (const HeadScores& s : scores) {
    out += fmt::format("{},{}", s.layer, s.head);
    for (const ScoreKind& kind : interpret::score_kinds()) out += fmt::format(",{}", s[kind.key]);
    out += "\n";
  }
  return out;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::report

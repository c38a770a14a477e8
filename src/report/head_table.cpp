#include "headlight/report/head_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

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

// Those that were measured.
std::span<const ScoreKind> kinds_of(const std::vector<HeadScores>& scores) {
  return std::span(interpret::score_kinds()).first(scores.empty() ? 0 : scores.front().values.size());
}

}  // namespace

std::string head_name(const HeadScores& head) { return fmt::format("L{}H{}", head.layer, head.head); }
std::string head_words(const HeadScores& head) {
  return fmt::format("layer {}, head {}", head.layer, head.head);
}

std::string head_role(const HeadScores& head) {
  const ScoreKind& kind = interpret::strongest(head);
  return interpret::known_kind(head) != nullptr
             ? fmt::format("{}, score {:.2f}", kind.role, head[kind.key])
             : fmt::format("no known kind ({} {:.2f})", kind.name, head[kind.key]);
}

std::string head_table(const std::vector<HeadScores>& scores, ColorMode mode) {
  std::string out = "head  ";
  for (const ScoreKind& kind : kinds_of(scores)) out += fmt::format("  {}", heading(kind));
  out += "\n";
  std::size_t layer = scores.empty() ? 0 : scores.front().layer;
  for (const HeadScores& s : scores) {
    if (s.layer != layer) out += "\n";
    layer = s.layer;
    out += fmt::format("{:<6}", head_name(s));
    for (const ScoreKind& kind : kinds_of(scores))
      out += fmt::format("  {:>{}.3f}", s[kind.key], heading(kind).size());
    out += "   " + bar(s[interpret::strongest(s).key], mode);
    if (const ScoreKind* kind = interpret::known_kind(s)) out += fmt::format("  {}", kind->role);
    out += "\n";
  }
  return out;
}

std::string heads_csv(const std::vector<HeadScores>& scores) {
  std::string out = "layer,head";
  for (const ScoreKind& kind : kinds_of(scores)) out += fmt::format(",{}", kind.key);
  out += "\n";
  for (const HeadScores& s : scores) {
    out += fmt::format("{},{}", s.layer, s.head);
    for (const double value : s.values) out += fmt::format(",{}", value);
    out += "\n";
  }
  return out;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::report

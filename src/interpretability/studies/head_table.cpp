#include "headlight/studies/head_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace headlight::studies {
namespace {

using interpret::HeadScores;
using interpret::ScoreKind;

// Wide enough for a number of three decimals.
std::string heading(const ScoreKind& kind) { return fmt::format("{:>5}", kind.column); }

std::string bar(double value, draw::ColorMode mode) {
  constexpr int kWidth = 16;
  const int filled = static_cast<int>(std::lround(draw::clamped(value) * kWidth));
  std::string out;
  for (int i = 0; i < kWidth; ++i) out += i < filled ? "█" : "·";
  return foreground(heat_color(0.3 + 0.6 * value, mode), mode) + out + reset(mode);
}

// The lines of one stack, with the scores that its heads have.
std::string stack_table(const std::vector<HeadScores>& scores, draw::ColorMode mode) {
  const std::vector<const ScoreKind*> kinds = interpret::measured_kinds(scores);
  std::string out = "head  ";
  for (const ScoreKind* kind : kinds) out += fmt::format("  {}", heading(*kind));
  out += "\n";
  std::size_t layer = scores.empty() ? 0 : scores.front().layer;
  for (const HeadScores& s : scores) {
    if (s.layer != layer) out += "\n";
    layer = s.layer;
    out += fmt::format("{:<6}", interpret::head_code(s.at()));
    for (const ScoreKind* kind : kinds) {
      const std::size_t width = heading(*kind).size();
      out += s.has(kind->key) ? fmt::format("  {:>{}.3f}", s[kind->key], width)
                              : fmt::format("  {:>{}}", "", width);
    }
    out += "   " + bar(s[interpret::strongest(s).key], mode);
    if (const ScoreKind* kind = interpret::known_kind(s)) out += fmt::format("  {}", kind->role);
    out += "\n";
  }
  return out;
}

}  // namespace

std::string head_table(const std::vector<HeadScores>& scores, draw::ColorMode mode) {
  const std::vector<std::vector<HeadScores>> stacks = interpret::by_stack(scores);
  if (stacks.size() <= 1) return stack_table(scores, mode);
  std::string out;
  for (const std::vector<HeadScores>& stack : stacks)
    out += fmt::format("{}{}\n{}", out.empty() ? "" : "\n", interpret::names_of(stack.front().stack).title,
                       stack_table(stack, mode));
  return out;
}

std::string heads_csv(const std::vector<HeadScores>& scores) {
  const std::vector<const ScoreKind*> kinds = interpret::measured_kinds(scores);
  const bool stacks = interpret::by_stack(scores).size() > 1;
  std::string out = stacks ? "stack,layer,head" : "layer,head";
  for (const ScoreKind* kind : kinds) out += fmt::format(",{}", kind->key);
  out += "\n";
  for (const HeadScores& s : scores) {
    if (stacks) out += fmt::format("{},", interpret::names_of(s.stack).key);
    out += fmt::format("{},{}", s.layer, s.head);
    for (const ScoreKind* kind : kinds)
      out += s.has(kind->key) ? fmt::format(",{}", s[kind->key]) : std::string(",");
    out += "\n";
  }
  return out;
}

}  // namespace headlight::studies

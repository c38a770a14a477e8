#include "verdict/verdict.h"

#include <algorithm>

#include "headlight/core/check.h"

namespace headlight::grader {

const char* word_of(Kind kind) {
  for (const auto& [each, word] : kind_names())
    if (each == kind) return word;
  fail("a verdict of kind {} has no word.", static_cast<int>(kind));
}

bool Verdict::all_solved() const { return !parts.empty() && std::ranges::all_of(parts, &PartState::solved); }

Verdict whole_verdict(const std::vector<Verdict>& of_parts) {
  check(!of_parts.empty(), "there is no part to judge.");
  auto first = std::ranges::find_if(of_parts, &Verdict::is_wrong);
  if (first == of_parts.end()) first = std::ranges::find(of_parts, Kind::not_written, &Verdict::kind);
  Verdict whole = first == of_parts.end() ? of_parts.back() : *first;
  for (const Verdict& each : of_parts) {
    if (each.part < whole.parts.size()) {
      whole.parts[each.part].kind = each.kind;
      whole.parts[each.part].mistake = each.mistake;
      whole.parts[each.part].after = each.parts[each.part].after;
    }
    if (!each.trials.empty()) whole.trials = each.trials;
  }
  if (whole.all_solved()) whole.part = whole.parts.size();
  return whole;
}

}  // namespace headlight::grader

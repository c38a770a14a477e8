#include "grader/verdict_line.h"

#include <algorithm>

namespace headlight::grader {
namespace {

constexpr std::string_view kVerdictMark = "\n\x1everdict ";

}  // namespace

std::string verdict_line(const Verdict& verdict) {
  return std::string(kVerdictMark) + to_json(verdict) + "\n";
}

Followed followed(std::string_view output) {
  Followed all;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t begin = std::min(output.find(kVerdictMark, at), output.size());
    const std::string_view printed = output.substr(at, begin - at);
    const bool in_call = !all.last || all.last->kind == Kind::running;
    if (in_call) all.printed = printed;
    if (begin == output.size()) break;
    const std::size_t json = begin + kVerdictMark.size(), end = output.find('\n', json);
    if (end == std::string_view::npos) break;  // it ended in the middle of a line
    all.last = verdict_from_json(output.substr(json, end - json));
    at = end + 1;
  }
  return all;
}

}  // namespace headlight::grader

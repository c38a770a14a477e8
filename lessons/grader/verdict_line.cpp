#include "grader/verdict_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

namespace headlight::grader {
namespace {

constexpr std::string_view kVerdictMark = "\n\x1everdict ", kProgressMark = "\n\x1eprogress ";

std::string without_progress(std::string_view printed) {
  std::string rest;
  while (!printed.empty()) {
    const std::size_t begin = std::min(printed.find(kProgressMark), printed.size());
    rest += printed.substr(0, begin);
    if (begin == printed.size()) break;
    const std::size_t end = printed.find('\n', begin + 1);
    printed.remove_prefix(std::min(end, printed.size() - 1) + 1);
  }
  return rest;
}

}  // namespace

std::string verdict_line(const Verdict& verdict) {
  return std::string(kVerdictMark) + to_json(verdict) + "\n";
}

std::string progress_line(std::size_t done, std::size_t all) {
  return fmt::format("{}{} {}\n", kProgressMark, done, all);
}

std::optional<std::pair<std::size_t, std::size_t>> last_progress(std::string_view output) {
  for (std::size_t at = output.rfind(kProgressMark); at != std::string_view::npos && at > 0;
       at = output.rfind(kProgressMark, at - 1)) {
    const std::string_view line = output.substr(at + kProgressMark.size());
    std::size_t done = 0, all = 0;
    if (line.find('\n') == std::string_view::npos) continue;  // the rest is still to arrive
    if (std::sscanf(std::string(line.substr(0, 40)).c_str(), "%zu %zu", &done, &all) == 2)
      return std::pair{done, all};
  }
  return {};
}

Followed followed(std::string_view output) {
  Followed all;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t begin = std::min(output.find(kVerdictMark, at), output.size());
    const std::string_view printed = output.substr(at, begin - at);
    const bool in_call = !all.last || all.last->kind == Kind::running;
    if (in_call) all.printed = without_progress(printed);
    if (begin == output.size()) break;
    const std::size_t json = begin + kVerdictMark.size(), end = output.find('\n', json);
    if (end == std::string_view::npos) break;  // it ended in the middle of a line
    all.last = verdict_from_json(output.substr(json, end - json));
    at = end + 1;
  }
  return all;
}

}  // namespace headlight::grader

#include "test_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "headlight/system/text.h"

namespace headlight::course {
namespace {

// What stands between `before` and `after`, with XML's entities as characters; empty when there is none.
std::string unescaped_between(const std::string& xml, const std::string& before, const std::string& after) {
  const std::size_t begin = xml.find(before);
  if (begin == std::string::npos) return "";
  const std::size_t end = xml.find(after, begin + before.size());
  std::string text = xml.substr(begin + before.size(), end - begin - before.size());
  constexpr std::array<std::pair<const char*, const char*>, 5> kEntities{
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}}};
  for (const auto& [entity, character] : kEntities)
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
      text.replace(at, std::char_traits<char>::length(entity), character);
  return text;
}

// ctest gives tests that could not be run the same status as those that skipped themselves.
TestResult::State state_of(const std::string& status, const std::string& skipped) {
  if (status == "run") return TestResult::passed;
  if (status == "disabled") return TestResult::disabled;
  return status == "notrun" && skipped.starts_with("SKIP_") ? TestResult::skipped : TestResult::failed;
}

}  // namespace

std::vector<TestResult> test_results(const std::string& junit) {
  const std::string open = "<testcase ";
  std::vector<TestResult> results;
  for (std::size_t at = junit.find(open); at != std::string::npos;) {
    const std::size_t next = junit.find(open, at + 1);
    const std::string test = junit.substr(at, next - at);
    results.push_back({unescaped_between(test, " name=\"", "\""),
                       state_of(unescaped_between(test, " status=\"", "\""),
                                unescaped_between(test, "<skipped message=\"", "\"")),
                       unescaped_between(test, "<system-out>", "</system-out>")});
    at = next;
  }
  return results;
}

std::size_t count(const std::vector<TestResult>& results, TestResult::State state) {
  return static_cast<std::size_t>(std::ranges::count(results, state, &TestResult::state));
}

std::string count_line(const std::vector<TestResult>& results) {
  const std::string line = fmt::format("{} passed, {} failed", count(results, TestResult::passed),
                                       count(results, TestResult::failed));
  const std::size_t skipped = count(results, TestResult::skipped);
  return skipped == 0 ? line : fmt::format("{}, {} skipped", line, skipped);
}

std::string failures_text(const std::vector<TestResult>& results, std::size_t most_lines) {
  std::string text, list;
  for (const TestResult& result : results) {
    if (result.state != TestResult::failed) continue;
    text += fmt::format("--- {}\n", result.name);
    list += fmt::format("  {}\n", result.name);
    const std::vector<std::string> lines = text_lines(result.output);
    for (std::size_t i = lines.size() - std::min(lines.size(), most_lines); i < lines.size(); ++i)
      text += lines[i] + "\n";
  }
  return list.empty() ? "" : text + "\nFailed:\n" + list;
}

std::vector<std::string> reasons_of_skipped(const std::vector<TestResult>& results) {
  const std::string opening = "skipped: ";
  std::vector<std::string> reasons;
  for (const TestResult& result : results) {
    if (result.state != TestResult::skipped || !result.output.starts_with(opening)) continue;
    const std::string reason =
        result.output.substr(opening.size(), result.output.find('\n') - opening.size());
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
  }
  return reasons;
}

}  // namespace headlight::course

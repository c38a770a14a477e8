#include "test_run.h"

#include <fmt/core.h>

#include <array>
#include <regex>
#include <sstream>

#include "headlight/core/check.h"

namespace headlight::course {
namespace {

constexpr const char* kSkipped = "***Skipped";

template <class Use>
void for_each_line(const std::string& text, Use use) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) use(line);
}

bool has(const std::string& line, const char* part) { return line.find(part) != std::string::npos; }

}  // namespace

TestCount count_tests(const std::string& log) {
  static const std::regex total("^\\d+% tests passed, (\\d+) tests failed out of (\\d+)$");
  TestCount count;
  bool ended = false;
  for_each_line(log, [&](const std::string& line) {
    std::smatch match;
    if (has(line, kSkipped)) ++count.skipped;
    if (line.starts_with("No tests were found")) ended = true;
    // std::regex needs stack space for each character of a line, so long lines are sorted out first.
    if (!has(line, "tests failed out of") || !std::regex_match(line, match, total)) return;
    count.failed = std::stoi(match[1]);
    count.passed = std::stoi(match[2]) - count.failed;
    ended = true;
  });
  check(ended, "ctest did not finish (above).");
  count.passed -= count.skipped;
  return count;
}

std::string in_words(const TestCount& count) {
  const std::string words = fmt::format("{} passed, {} failed", count.passed, count.failed);
  return count.skipped == 0 ? words : fmt::format("{}, {} skipped", words, count.skipped);
}

std::string without_passed(const std::string& log, std::size_t most_lines) {
  std::string kept;
  for_each_line(log, [&](const std::string& line) {
    const bool starts = line.find_first_not_of(' ') != std::string::npos &&
                        line.compare(line.find_first_not_of(' '), 6, "Start ") == 0;
    if (most_lines == 0 || starts || has(line, "   Passed  ")) return;
    kept += line + "\n";
    --most_lines;
  });
  return kept;
}

std::vector<std::string> reasons_of_skipped(const std::string& log) {
  struct Reason {
    const char *test, *sentence;
    bool given = false;
  };
  std::array<Reason, 4> known{
      {{" browser: ",
        "the report was not tested in a browser, which needs Chromium, chromedriver and Selenium (apt-get "
        "install chromium chromium-driver python3-selenium)"},
       {" torch: ", "exported models were not compared with PyTorch (apt-get install python3-torch)"},
       {" hostile: ", "the hostile trials were left out, which need Python (apt-get install python3)"},
       {" mutants: ", "the mutants were not checked, which needs Python (apt-get install python3)"}}};
  std::vector<std::string> reasons;
  for_each_line(log, [&](const std::string& line) {
    for (Reason& reason : known)
      if (!reason.given && has(line, reason.test) && has(line, kSkipped)) {
        reason.given = true;
        reasons.emplace_back(reason.sentence);
      }
  });
  return reasons;
}

}  // namespace headlight::course

// The results of a run of ctest, from the JUnit file that it writes.
#pragma once

#include <string>
#include <vector>

namespace headlight::course {

struct TestResult {
  enum State { passed, failed, skipped, disabled };
  std::string name;
  State state;
  std::string output;  // what the test printed; ctest cuts it where it is long
};

std::vector<TestResult> test_results(const std::string& junit);

std::size_t count(const std::vector<TestResult>& results, TestResult::State state);

// "12 passed, 0 failed, 1 skipped"
std::string count_line(const std::vector<TestResult>& results);

// What each failed test printed, at most its last `most_lines` lines, and then a list of the failed tests.
// Empty when none failed.
std::string failures_text(const std::vector<TestResult>& results, std::size_t most_lines);

// Why tests were skipped, each reason once: a test that skips itself prints "skipped: " and a sentence.
std::vector<std::string> reasons_of_skipped(const std::vector<TestResult>& results);

}  // namespace headlight::course

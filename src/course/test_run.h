// Reads the log of ctest.
#pragma once

#include <string>
#include <vector>

namespace headlight::course {

struct TestCount {
  int passed = 0, failed = 0, skipped = 0;
};

// Counts the tests in the log. Throws Error when the log is incomplete.
TestCount count_tests(const std::string& log);

// "12 passed, 0 failed, 1 skipped"
std::string in_words(const TestCount& count);

// The lines of the log without those about tests that passed; at most `most_lines`.
std::string without_passed(const std::string& log, std::size_t most_lines);

// What the skipped tests need, one sentence for each.
std::vector<std::string> reasons_of_skipped(const std::string& log);

}  // namespace headlight::course

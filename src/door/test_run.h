// What ctest has to say about a run of the tests.
#pragma once

#include <string>
#include <vector>

namespace headlight::inline HEADLIGHT_PRECISION::door {

struct TestCount {
  int passed = 0, failed = 0, skipped = 0;
};

// Reads the log of ctest. Throws Error when it has no end.
TestCount count_tests(const std::string& log);

// "12 passed, 0 failed, 1 skipped"
std::string in_words(const TestCount& count);

// The lines of the log that are not about tests that passed; at most so many.
std::string without_passed(const std::string& log, std::size_t most_lines);

// What the tests that were skipped would have taken, a sentence each.
std::vector<std::string> reasons_of_skipped(const std::string& log);

}  // namespace headlight::inline HEADLIGHT_PRECISION::door

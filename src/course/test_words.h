// The words of `./headlight test` that go to ctest.
#pragma once

#include <string>
#include <vector>

namespace headlight::course {

// ctest ignores what it does not know, and then runs every test. Throws Error for a word that is none of the
// options in `help`, what `ctest --help` prints, for one that belongs to no option, and for an option without
// its value.
void check_ctest_words(const std::vector<std::string>& words, const std::string& help);

}  // namespace headlight::course

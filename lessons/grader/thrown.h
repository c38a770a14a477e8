// Where a learner's code threw.
#pragma once

#include <string>
#include <vector>

namespace headlight::grader {

// "0x4011f6": where this thread has thrown its last exception, then what called that, and so on. Empty where
// the library of exceptions cannot be asked.
std::vector<std::string> thrown_at();

}  // namespace headlight::grader

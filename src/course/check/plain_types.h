// Types as a learner writes them, out of what compilers print.
#pragma once

#include <string>

namespace headlight::course {

// A message of g++ or clang with the types of this library by the names that learners use: without the
// namespace headlight, default template arguments, what a name stands for ("aka"), and the function in which
// a lambda stands. Quotes are ' in it.
//   "no match for call to '(const f(const headlight::f64::Tensor&)::<lambda(double)>) (int, int)'"
//   → "no match for a call of 'const lambda(double)' with '(int, int)'"
std::string plain_types(std::string message);

}  // namespace headlight::course

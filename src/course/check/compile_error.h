// What a learner is shown when a file does not compile: the first error in that file, short.
#pragma once

#include <optional>
#include <string>

namespace headlight::course {

struct CompileError {
  int line = 0, column = 0;  // in the learner's file; 0: unknown
  std::string message;       // the compiler's words, with types as a learner writes them
  std::string explanation;   // what they mean, when that is known
};

// The first error of the learner's file (named as the compiler names it, by its last two parts:
// "my/01_tensors.cpp") in what g++ or clang printed. An error inside the library is one of the line that led
// there. A function that the linker misses is a part whose name or signature was changed, and one that it
// finds twice has the name of one in the checker. Nothing when there is no error.
std::optional<CompileError> first_error(const std::string& log, const std::string& file);

// In at most ten lines of at most `width` columns: where, what in up to four lines, the line with a caret,
// and the explanation.
std::string error_text(const CompileError& error, const std::string& file, const std::string& source,
                       std::size_t width);

}  // namespace headlight::course

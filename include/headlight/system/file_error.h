// The errors of files, which a program may catch apart from its own mistakes.
#pragma once

#include <utility>

#include "headlight/core/check.h"

namespace headlight {

// An Error whose cause is outside the program: a file or folder that is missing, cut short, damaged, of
// another kind or another model than was asked for, in use, or that cannot be written. Another file may do.
class FileError : public Error {
 public:
  using Error::Error;
};

// fail() of core/check.h, but throws FileError.
template <class... Args>
[[noreturn]] void fail_file(fmt::format_string<Args...> message, Args&&... args) {
  throw FileError(fmt::format(message, std::forward<Args>(args)...));
}

// The same unless `ok`. The message is formatted only on failure.
template <class... Args>
void check_file(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]]
    fail_file<Args...>(message, std::forward<Args>(args)...);
}

}  // namespace headlight

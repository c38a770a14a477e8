// The one way to report an error.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace headlight {

// The exception of every part of Headlight. The message is one sentence for the user. It names the op, what
// was expected, what was given, and a hint if there is one.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws Error with the sentence that the message and its values make.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) {
  throw Error(fmt::format(message, std::forward<Args>(args)...));
}

// The same unless `ok`. The message is formatted only on failure.
//   check(a.cols == b.rows, "[matmul] inner dimensions differ: {} x {}", a.shape(), b.shape());
template <class... Args>
void check(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]]
    fail<Args...>(message, std::forward<Args>(args)...);
}

}  // namespace headlight

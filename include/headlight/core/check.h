// The one way to report an error.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace headlight::inline HEADLIGHT_PRECISION {

// The exception of every part of Headlight. The message is one sentence for the user. It names the op, what
// was expected, what was given, and a hint if there is one.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The message with its values, in one line that is safe to print, whatever a file or a user wrote into a
// value: each value is made printable() (core/text.h), and one between quotes, '{}', is cut to 80 columns in
// its middle. The text of the message itself stays as it is.
std::string error_text(fmt::string_view message, fmt::format_args values);

// Throws Error with the sentence that the message and its values make.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) {
  throw Error(error_text(message, fmt::make_format_args(args...)));
}

// The same unless `ok`. The message is formatted only on failure.
//   check(a.cols == b.rows, "[matmul] inner dimensions differ: {} x {}", a.shape(), b.shape());
template <class... Args>
void check(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]]
    fail<Args...>(message, std::forward<Args>(args)...);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION

// The one way to report an error.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace headlight::inline HEADLIGHT_PRECISION {

// The exception of every part of Headlight. The message is one sentence for the user. It names the op, what
// was expected, what was given, and a hint if there is one.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) {
  throw Error(fmt::format(message, std::forward<Args>(args)...));
}

// Throws Error with the formatted message unless `ok`. The message is formatted only on failure.
//   check(a.cols == b.rows, "[matmul] inner dimensions differ: {} x {}", a.shape(), b.shape());
template <class... Args>
void check(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]]
    fail(message, std::forward<Args>(args)...);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION

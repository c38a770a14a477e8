// The guard around a program: an error ends it with a sentence instead of an abort.
#pragma once

#include <concepts>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "headlight/core/check.h"
#include "headlight/system/text.h"

namespace headlight {

// The exit status after an error; bad input is the usual cause.
inline constexpr int kError = 2;

// Prints to standard error, where notes and progress go. That it is closed or full is no error.
void print_note(std::string_view text) noexcept;

// The sentence that the message and its values make as a line on standard error that is safe to print:
//   note("headlight: no test matches '{}'.", name);
template <class... Args>
void note(fmt::format_string<Args...> message, Args&&... args) {
  print_note(printable(fmt::format(message, std::forward<Args>(args)...)) + "\n");
}

// Runs a program's body and returns its exit status: what the body returns, 0 when it returns nothing. For
// what the body throws, and for output that could not be written, a sentence on standard error and kError. A
// file beyond the limit of file sizes is such an error too (system::report_size_limit()). The sentence is one
// line that is safe to print, of at most 1,000 columns.
//   int main() {
//     return headlight::run_main([] { … });
//   }
int run_main(const std::function<int()>& body);

// The same for a body that returns nothing.
template <class Body>
requires std::is_void_v<std::invoke_result_t<Body>>
int run_main(Body body) {
  return run_main(std::function<int()>([&] {
    body();
    return 0;
  }));
}

}  // namespace headlight

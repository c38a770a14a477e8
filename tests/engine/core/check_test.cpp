// The texts of errors.
#include "headlight/core/check.h"

#include <fmt/format.h>

#include "catch.h"

using namespace headlight;

namespace {

template <class... Args>
std::string message(fmt::format_string<Args...> format, Args&&... args) {
  return error_of([&] { fail<Args...>(format, std::forward<Args>(args)...); });
}

}  // namespace

TEST_CASE("values of an error are formatted as by fmt", "[core]") {
  CHECK(message("no values") == "no values");
  CHECK(message("{} and {:.2f}, {:>5}|{:<{}}|", 3, 0.5, "ab", "x", 3) == "3 and 0.50,    ab|x  |");
  CHECK(message("{{{}}} }}{{", 1) == "{1} }{");
  CHECK(message("({})", fmt::join(std::vector{1, 2, 3}, ", ")) == "(1, 2, 3)");
  CHECK(message("[op] {}", Shape{2, 3}) == fmt::format("[op] {}", Shape{2, 3}));
  CHECK_NOTHROW(check(true, "never said: {}", 1));
  CHECK(error_of([] { check(false, "said: '{}'", true); }) == "said: 'true'");
}

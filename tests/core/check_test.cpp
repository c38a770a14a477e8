// The texts of errors: whatever stands in their values, they are one line that is safe to print.
#include "headlight/core/check.h"

#include <fmt/format.h>

#include "catch.h"
#include "headlight/system/text.h"

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

TEST_CASE("values of an error cannot write to the terminal", "[core]") {
  const std::string hostile = "a\x1b[2Jb\nc\rd\xff";
  const std::string shown = "a␛[2Jb↵c␍d\xEF\xBF\xBD";
  CHECK(message("there is no file '{}'.", hostile) == "there is no file '" + shown + "'.");
  CHECK(message("{}: no", hostile) == shown + ": no");
  CHECK(message("{}", fmt::join(std::vector<std::string>{hostile, hostile}, ",")) == shown + "," + shown);
  CHECK(message("{}", hostile.c_str()) == shown);
  CHECK(message("two\nlines, {}", 1) == "two\nlines, 1");  // the message itself is ours
}

TEST_CASE("a value between quotes is cut in its middle, and others are not", "[core]") {
  const std::string eighty(80, 'x'), longer = std::string(60000, 'a') + "end";
  CHECK(message("got '{}'.", eighty) == "got '" + eighty + "'.");
  CHECK(message("got '{}'.", eighty + "x") ==
        "got '" + std::string(40, 'x') + "…" + std::string(39, 'x') + "'.");
  const std::string cut = message("got '{}'", longer);
  CHECK(display_width(cut) == 80 + std::string("got ''").size());
  CHECK(cut.ends_with("aend'"));
  CHECK(message("{}", eighty + eighty) == eighty + eighty);
  CHECK(message("'{} '", eighty + eighty) == "'" + eighty + eighty + " '");
  CHECK(message("with '{}': {}", "f", eighty + eighty) == "with 'f': " + eighty + eighty);
}

TEST_CASE("a text cut in its middle has whole characters and fits", "[core]") {
  CHECK(cut_in_middle("abcde", 5) == "abcde");
  CHECK(cut_in_middle("abcdef", 5) == "ab…ef");
  CHECK(cut_in_middle("äöüßäöüß", 5) == "äö…üß");
  CHECK(cut_in_middle("世界世界", 6) == "世…界");
  CHECK(cut_in_middle("世界世界", 4) == "世…");
  CHECK(cut_in_middle("", 3).empty());
  std::string marks = "e";
  for (int i = 0; i < 1000; ++i) marks += "\xCC\x81";  // accents, which have no width
  CHECK(cut_in_middle(marks, 80).size() < 200);
}

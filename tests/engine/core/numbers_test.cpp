// Numbers that people write.
#include "headlight/core/numbers.h"

#include <cstdint>
#include <limits>

#include "catch.h"

using namespace headlight;

namespace {

template <class Number>
std::string refusal(const std::string& text) {
  return error_of([&] { (void)number_from_text<Number>(text); });
}

}  // namespace

TEST_CASE("whole numbers are decimal and exact", "[core]") {
  CHECK(number_from_text<std::int64_t>("700") == 700);
  CHECK(number_from_text<std::int64_t>("010") == 10);
  CHECK(number_from_text<std::int64_t>("08") == 8);
  CHECK(number_from_text<std::int64_t>("-5") == -5);
  CHECK(number_from_text<std::int64_t>("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(number_from_text<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(number_from_text<int>("2147483647") == 2147483647);
}

TEST_CASE("what is no whole number is refused", "[core]") {
  for (const std::string text : {"", " ", "5 ", " 5", "+5", "--5", "0x10", "1e3", "1.0", "1_000", "1'000",
                                 "1,000", "nan", "inf", "x", "5x", "5\n", "\xEF\xBC\x95", "-"}) {
    INFO(text);
    CHECK(contains(refusal<std::int64_t>(text), "expected a whole number, got '"));
    CHECK(contains(refusal<std::uint64_t>(text), "expected a whole number of at least 0, got '"));
  }
  CHECK(refusal<std::uint64_t>("-5") == "expected a whole number of at least 0, got '-5'");
  CHECK(refusal<std::uint64_t>("18446744073709551616") ==
        "expected a whole number of at most 18446744073709551615, got '18446744073709551616'");
  CHECK(contains(refusal<std::int64_t>("9223372036854775808"), "of at most 9223372036854775807, got"));
  CHECK(contains(refusal<std::int64_t>("-9223372036854775809"), "of at least -9223372036854775808, got"));
  CHECK(contains(refusal<int>("2147483648"), "of at most 2147483647, got"));
  CHECK(contains(refusal<std::int64_t>(std::string(60000, '9')), "of at most 9223372036854775807, got '99"));
}

TEST_CASE("other numbers are decimal and finite", "[core]") {
  CHECK(number_from_text<double>("0.007") == 0.007);
  CHECK(number_from_text<double>("1e-3") == 1e-3);
  CHECK(number_from_text<double>("-2.5") == -2.5);
  CHECK(number_from_text<double>("0") == 0);
  CHECK(number_from_text<double>("-0e-999") == 0);
  CHECK(number_from_text<double>(".5") == 0.5);
  CHECK(number_from_text<double>("5.") == 5);
  CHECK(number_from_text<double>("1E+5") == 1e5);
  CHECK(number_from_text<double>(std::string_view("1.25").substr(0, 3)) == 1.2);
  CHECK(number_from_text<double>("2.2250738585072014e-308") == std::numeric_limits<double>::min());
  CHECK(number_from_text<double>("1.7976931348623157e308") == std::numeric_limits<double>::max());
  for (const std::string text : {"", "nan", "-nan", "inf", "-inf", "infinity", "0x1p3", "1_000", "1,5", " 1",
                                 "1 ", "+1", "-+1", "1e", "e3", ".", "one", "1\t", "0X1"}) {
    INFO(text);
    CHECK(contains(refusal<double>(text), "expected a number, got '"));
  }
  for (const std::string text : {"1e999", "-1e999", "1e-999", "1e-310"}) {
    INFO(text);
    CHECK(contains(refusal<double>(text), "expected 0, or a number of size 2e-308 to 2e+308, got '" + text));
  }
}

// JSON from elsewhere: what is refused before a tree is built, and numbers that come back exactly.
#include "headlight/system/json.h"

#include <fmt/format.h>

#include <clocale>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/core/numbers.h"
#include "headlight/system/process.h"
#include "temporary_folder.h"

using namespace headlight;
using Json = nlohmann::ordered_json;

namespace {

std::string refused(const std::string& text, const JsonLimits& limits = {}) {
  return error_of([&] { check_json(text, limits); });
}

// Empty if it is read.
std::string refusal_of(const std::string& text) {
  try {
    check_json(text);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
  std::string text, end;
  for (std::size_t i = 0; i < depth; ++i) text += open, end += close;
  return text + end;
}

}  // namespace

TEST_CASE("json: depth is limited before a tree is built", "[core]") {
  CHECK_NOTHROW(check_json(nested(64, "[", "]")));
  CHECK(refused(nested(65, "[", "]")) == "line 1 nests more than 64 arrays and objects");
  CHECK(refused(std::string(1'000'000, '[')) == "line 1 nests more than 64 arrays and objects");
  CHECK_NOTHROW(check_json(nested(63, "{\"a\":", "").append("1").append(63, '}')));
  CHECK(contains(refused(nested(100'000, "{\"a\":[", "")), "nests more than 64"));
  CHECK_NOTHROW(check_json("[[1],[2],[[3]]]", {.depth = 3}));
  CHECK(contains(refused("[[1],[2],[[3]]]", {.depth = 2}), "nests more than 2"));
}

TEST_CASE("json: a key that is repeated is named, at every depth and in any spelling", "[core]") {
  CHECK(refused("{\"a\": 1,\n \"a\": 2}") == "line 2 repeats the key 'a'");
  CHECK(refused("{\"a\": 1, \"\\u0061\": 1}") == "line 1 repeats the key 'a'");
  CHECK(refused("{\"x\": [0, {\"b\": {}, \"c\": 1, \"b\": 2}]}") == "line 1 repeats the key 'b'");
  CHECK_NOTHROW(check_json("{\"a\": {\"a\": [{\"a\": 1}, {\"a\": 2}]}, \"b\": {\"a\": 3}}"));
}

TEST_CASE("json: a hundred thousand keys are read, where they are allowed", "[core]") {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += fmt::format("\"{}\":{},", i, i);
  text.back() = '}';
  CHECK_NOTHROW(check_json(text, {.keys = 100'000}));
  CHECK(refused(text) == "line 1 has an object with more than 100 keys");
}

TEST_CASE("json: values are counted before a tree is built", "[core]") {
  const std::string values = "[1,-1,0.5,true,null,\"a\",[],{}]";  // nine with the array around them
  CHECK_NOTHROW(check_json(values, {.values = 9}));
  CHECK(refused(values, {.values = 8}) == "line 1 is in a text with more than 8 values");
  std::string many = "[0";
  for (int i = 0; i < 500'000; ++i) many += ",0";
  CHECK(contains(refused(many + "]"), "more than 500000 values"));
}

TEST_CASE("json: numbers are exact or refused", "[core]") {
  CHECK(refused("[18446744073709551616]") ==
        "line 1 has the whole number 18446744073709551616, which 64 bits cannot hold");
  CHECK(contains(refused("[\n-9223372036854775809]"), "line 2 has the whole number -9223372036854775809"));
  CHECK(refused("[1e400]") == "line 1 has the number 1e400, which is too large");
  CHECK(refused("[1e-400]") == "line 1 has the number 1e-400, which is too small");
  CHECK_NOTHROW(check_json("[0e5, 0.0, -0.0, 5e-324, 1e308, 18446744073709551615, -9223372036854775808]"));
  CHECK(number_of<std::uint64_t>(Json::parse("18446744073709551615")) == ~std::uint64_t{0});
  CHECK(number_of<std::int64_t>(Json::parse("-9223372036854775808")) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(contains(error_of([] { number_of<std::int64_t>(Json::parse("9223372036854775808")); }), "that fits"));
  for (const char* text : {"10.5", "1e3", "1.0", "true", "\"1\"", "null", "[1]"})
    CHECK(error_of([&] { number_of<std::int64_t>(Json::parse(text)); }) ==
          fmt::format("expected a whole number, got {}", Json::parse(text).dump()));
  CHECK(contains(error_of([] { number_of<std::uint64_t>(Json::parse("-1")); }), "at least 0"));
  CHECK(contains(error_of([] { number_of<std::int32_t>(Json::parse("2147483648")); }), "that fits"));
  CHECK(number_of<double>(Json::parse("0.1")) == 0.1);
  CHECK(number_of<double>(Json::parse("-7")) == -7);
  CHECK(number_of<double>(Json::parse("9007199254740992")) == 9007199254740992.0);
  CHECK(contains(error_of([] { number_of<double>(Json::parse("9007199254740993")); }), "holds exactly"));
  CHECK(contains(error_of([] { number_of<double>(Json::parse("18446744073709551615")); }), "holds exactly"));
  CHECK(contains(error_of([] { number_of<double>(Json::parse("true")); }), "expected a number, got true"));
}

TEST_CASE("numbers have a point in every locale", "[core]") {
  const TemporaryFolder folder;
  const std::string name = "comma_locale", target = (folder.path() / name).string();
  const std::vector<std::string> words{"localedef", "-i", "de_DE", "-f", "UTF-8", target};
  if (!run_process({.words = words}).ok()) return;  // a machine without the sources of locales
  ::setenv("LOCPATH", folder.path().c_str(), 1);
  const bool is_set = std::setlocale(LC_ALL, name.c_str()) != nullptr;
  ::unsetenv("LOCPATH");
  const std::string sign = std::localeconv()->decimal_point, refusal = refusal_of("-1.5"),
                    written = Json(0.5).dump();
  const double number = refusal.empty() ? number_of<double>(json_from<Json>("-1.5")) : 0;
  const auto of_text = number_from_text<double>("-1.5");
  const std::string sign_after = std::localeconv()->decimal_point;
  std::setlocale(LC_ALL, "C");
  REQUIRE(is_set);
  CHECK(sign == ",");
  CHECK(sign_after == ",");
  CHECK(refusal == "");
  CHECK(number == -1.5);
  CHECK(of_text == -1.5);
  CHECK(written == "0.5");
}

TEST_CASE("json: an error of syntax names its line", "[core]") {
  for (const char* text :
       {"", "{", "[1,]", "{\"a\" 1}", "nope", "[01]", "[+1]", "[NaN]", "[.5]", "['a']", "[1]]"})
    CHECK(refused(text) == "line 1 is not valid JSON");
  CHECK(refused("{\n\"a\": 1,\n}") == "line 3 is not valid JSON");
  CHECK(refused("x", {.line = 7}) == "line 7 is not valid JSON");
  CHECK(refused("[\"\xff\"]") == "line 1 is not valid JSON: it is not UTF-8");
  CHECK(refused("[\"\xed\xa0\x80\"]") == "line 1 is not valid JSON: it is not UTF-8");  // half of a pair
  CHECK(refused(std::string("{}\0{", 4)) == "line 1 is not valid JSON: it has a NUL");
  CHECK(json_from<Json>("{\"b\": [1, \"é\"], \"a\": null}").dump() == R"({"b":[1,"é"],"a":null})");
}

// Tokens and names from elsewhere, drawn as themselves.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/draw/chart.h"
#include "headlight/draw/sheet.h"
#include "headlight/system/text.h"

using namespace headlight;
using namespace headlight::draw;
using namespace headlight::draw;

namespace {

// Bytes that are no UTF-8, written as hexadecimal digits so that a compiler need not read them.
const std::vector<std::string> kTokens = {"</script>",    "\"'&",         "a b",    " ",
                                          "\x1b[31m",     "\n\x7f",       "🎉",      "e\u0301",
                                          "\xff\xc0\xaf", "\xed\xa0\x80", "\u202e", "\ufffe"};

Heatmap map_of(const std::vector<std::string>& tokens) {
  const std::size_t n = tokens.size();
  Array weights = Array::from_shape({n, n});
  std::fill(weights.begin(), weights.end(), Real(0.5));
  return {weights, tokens, tokens, tokens.front()};
}

// nlohmann::json refuses to write what is no UTF-8.
void check_xml(const std::string& svg) {
  CHECK_NOTHROW(nlohmann::json(svg).dump());
  CHECK(std::all_of(svg.begin(), svg.end(), [](unsigned char c) { return c == '\n' || c >= 0x20; }));
  for (const char* forbidden : {"</script>", "\u202e", "\ufffe", "\x7f"})
    CHECK_FALSE(contains(svg, forbidden));
}

}  // namespace

TEST_CASE("a text that comes byte by byte is shown character by character", "[report]") {
  const auto shown = [](const std::string& bytes) {
    std::string waiting;
    std::vector<std::string> pieces;
    for (const char byte : bytes) pieces.push_back(take_printable(waiting += byte));
    pieces.push_back(printable(waiting));
    return pieces;
  };
  using Pieces = std::vector<std::string>;
  CHECK(shown("a\n\t") == Pieces{"a", "\n", "\t", ""});
  CHECK(shown("\x1b[m\r\a") == Pieces{"␛", "[", "m", "␍", "␇", ""});
  CHECK(shown("ä€🎉") == Pieces{"", "ä", "", "", "€", "", "", "", "🎉", ""});
  CHECK(shown("\x9b\xff") == Pieces{"�", "�", ""});
  CHECK(shown("\xc2\x9b") == Pieces{"", "�", ""});
  CHECK(shown("\xe2\202a") == Pieces{"", "", "��a", ""});
  CHECK(shown("\xe2\x82") == Pieces{"", "", "��"});
  std::string several = "b\xe2\x82";
  CHECK(take_printable(several) == "b");
  CHECK(several == "\xe2\x82");
}

TEST_CASE("tokens are drawn as text in SVG", "[report]") {
  const std::string svg = svg_heatmap(map_of(kTokens));
  check_xml(svg);
  for (const char* shown : {">&lt;/script&gt;<", ">&quot;&#39;&amp;<", ">a␣b<", ">␣<", ">␛[31m<", ">↵␡<",
                            ">🎉<", ">e\u0301<", ">���<", ">�<"})
    CHECK(contains(svg, shown));
}

TEST_CASE("a token that cannot be seen has its number, and the symbols of others have theirs", "[report]") {
  CHECK(printable_token(" ") == "␣");
  CHECK(printable_token("\n") == "↵");
  CHECK(printable_token("␣↵␛") == "U+2423U+21B5U+241B");
  CHECK(printable_token("\u00a0\u200b\u2060\u180e\ufeff") == "U+00A0U+200BU+2060U+180EU+FEFF");
  CHECK(display_width("a\u200b\u2060\ufeff") == 1);
}

TEST_CASE("titles, axes and names of series are drawn as text in SVG", "[report]") {
  Sheet sheet{"", {}, 4};
  Chart chart{"", {}, {}, {}};
  for (const std::string& token : kTokens) {
    sheet.title = chart.title = chart.x.label = chart.y.label = token;
    sheet.maps = {map_of({token})};
    chart.series = {{token, {0, 1}, {0, 1}}};
    check_xml(svg_sheet(sheet));
    check_xml(svg_chart(chart));
    for (const std::string& text :
         {terminal_sheet(sheet, ColorMode::none), terminal_table(chart_table(chart)),
          terminal_heatmap(map_of({token}), ColorMode::none)}) {
      CHECK_FALSE(contains(text, "\x1b"));
      CHECK_NOTHROW(nlohmann::json(text).dump());
    }
  }
}

TEST_CASE("whether labels fit is a matter of characters", "[report]") {
  const std::string text = terminal_heatmap(map_of({"é", " ", "\n"}), ColorMode::none);
  INFO(text);
  CHECK(contains(text, "\n  é␣↵\né "));
  CHECK_FALSE(
      contains(terminal_heatmap(map_of({"🎉", "a", "b"}), ColorMode::none), "a "));  // two columns wide
}

TEST_CASE("labels wider than a column of the map stand upright", "[report]") {
  std::vector<std::string> numbers;
  for (int i = 100; i < 164; ++i) numbers.push_back(std::to_string(i));
  CHECK(contains(svg_heatmap(map_of(numbers)), "monospace\" transform=\"rotate(-90 "));
  numbers[5] = std::string(100, 'x');
  CHECK_FALSE(contains(svg_heatmap(map_of(numbers)), ">103<"));
}

TEST_CASE("of many tokens every k-th has its label", "[report]") {
  std::vector<std::string> letters;
  for (int i = 0; i < 128; ++i) letters.push_back(i % 2 == 0 ? "q" : "w");
  letters[4] = "e";
  const std::string svg = svg_heatmap(map_of(letters));
  const auto count = [&](const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++found;
    return found;
  };
  CHECK(count("ui-monospace") == 2 * 64);
  CHECK(count(">e<") == 2);
  CHECK(count(">w<") == 0);
  CHECK(contains(svg, "1 token of 2 with its label"));
  CHECK_FALSE(contains(svg_heatmap(map_of({"a", "b"})), "with its label"));
}

TEST_CASE("a text is cut at a whole character, with room for the dots", "[core]") {
  CHECK(cut_to("abcd", 4) == "abcd");
  CHECK(cut_to("abcde", 4) == "abc…");
  CHECK(cut_to("äöüß", 3) == "äö…");
  CHECK(cut_to("世界世界", 5) == "世界…");
  CHECK(cut_to("世界世界", 4) == "世…");
  CHECK(text_lines("a\n\nb") == std::vector<std::string>{"a", "", "b"});
  CHECK(text_lines("").empty());
}

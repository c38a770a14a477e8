// Matrices of numbers of both signs, and bars.
#include <limits>

#include "catch.h"
#include "headlight/draw/signed_map.h"
#include "headlight/system/files.h"

using namespace headlight;

namespace {

draw::SignedMap small_signed() {
  draw::SignedMap map;
  map.values = {{0.5, -1.0, std::nullopt}, {-0.001, 0.25, 0.0}};
  map.rows = {"a", "bb"};
  map.columns = {"x", "y", "z"};
  map.title = "Effects";
  map.row_name = "from", map.column_name = "to", map.unit = "nats";
  return map;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("signed colours grow brighter on both sides", "[signed]") {
  const auto sum = [](draw::Color c) { return c.red + c.green + c.blue; };
  for (int i = 0; i < 20; ++i)
    for (const int side : {-1, 1})
      CHECK(sum(draw::signed_color(side * (i + 1) / 20.0)) > sum(draw::signed_color(side * i / 20.0)));
  CHECK(draw::signed_color(0.7).green > draw::signed_color(0.7).blue);
  CHECK(draw::signed_color(-0.7).green < draw::signed_color(-0.7).blue);
}

TEST_CASE("signed maps and bars as SVG", "[signed]") {
  const std::string svg = draw::svg_signed_map(small_signed());
  CHECK(times(svg, "<rect") == 1 + 5 + 1);  // the paper, the numbers that there are, and the colour bar
  CHECK(contains(svg, ">-1.00</text>"));
  CHECK(times(svg, ">+0.25<") == 1);
  CHECK(contains(svg, "row = from, column = to"));
  draw::SignedMap norms = small_signed();
  norms.magnitudes = true;
  CHECK_THROWS_WITH(draw::svg_signed_map(norms), "[signed map] expected finite numbers from 0 on, got -1.");
  norms.values = {{0.5, 1.0, std::nullopt}, {0.0, 0.25, 0.0}};
  CHECK(contains(draw::svg_signed_map(norms), ">0.25<"));
  CHECK(!contains(draw::svg_signed_map(norms), ">-1.00</text>"));
  CHECK(contains(draw::svg_signed_map(norms), "fill=\"" + draw::hex(draw::heat_color(0.25)) + "\""));
  const std::string bars = draw::svg_bars({"Rises", "nats", {"one", "two"}, {1.5, -0.5}, 1});
  CHECK(times(bars, "<rect") == 1 + 2);
  CHECK(contains(bars, "Rises (nats)"));
  CHECK(contains(bars, ">+1.5<"));
  CHECK(contains(bars, ">-0.5<"));
}

TEST_CASE("signed maps and bars that do not fit are refused", "[signed]") {
  draw::SignedMap map = small_signed();
  map.rows.pop_back();
  CHECK(contains(error_of([&] { draw::svg_signed_map(map); }), "expected a label for each of 2 rows"));
  map = small_signed();
  map.values[1].pop_back();
  CHECK(contains(error_of([&] { draw::svg_signed_map(map); }), "expected 3 numbers in each row, got 2"));
  map = small_signed();
  map.values[0][0] = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(error_of([&] { draw::svg_signed_map(map); }), "finite"));
  CHECK(contains(error_of([] { draw::svg_bars({}); }), "a bar at least"));
  CHECK(contains(error_of([] { draw::svg_bars({"t", "", {"a"}, {HUGE_VAL}, 1}); }), "finite"));
}

TEST_CASE("signed maps and bars are those that were looked at", "[signed]") {
  const auto kept = [](const std::string& name) {
    return read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/" + name);
  };
  draw::SignedMap map = small_signed();
  CHECK(draw::svg_signed_map(map) == kept("small_signed_map.svg"));
  map.values = {{0.5, 1.0, std::nullopt}, {0.0, 0.25, 0.75}};
  map.magnitudes = map.numbers = true, map.decimals = 3;
  CHECK(draw::svg_signed_map(map) == kept("small_magnitudes.svg"));
  map.numbers = false, map.columns = {"x", "a long name", "z"}, map.unit = "";
  CHECK(draw::svg_signed_map(map) == kept("small_names.svg"));
  CHECK(draw::svg_bars({"Rises", "nats", {"one", "two", "three"}, {1.5, -0.5, 0.001}, 2}) ==
        kept("small_bars.svg"));
}

TEST_CASE("a map of numbers may have words in its cells", "[signed]") {
  draw::SignedMap map{{{0.25, 1}}, {"L0"}, {"A", "B"}, "Guesses", "layer", "token", ""};
  map.numbers = false, map.magnitudes = true;
  map.texts = {{"yes", " "}};
  const std::string svg = draw::svg_signed_map(map);
  CHECK(svg.find(">yes</text>") != std::string::npos);
  CHECK(svg.find(">␣</text>") != std::string::npos);
  CHECK(svg.find(">0.25</text>") == std::string::npos);
  map.texts = {{"yes"}};
  CHECK_THROWS_WITH(draw::svg_signed_map(map), "[signed map] expected 2 texts in each row, got 1.");
  map.texts = {{"a", "b"}, {"c", "d"}};
  CHECK_THROWS_WITH(draw::svg_signed_map(map), "[signed map] expected 1 rows of texts, got 2.");
}

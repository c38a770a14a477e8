// Matrices of numbers of both signs, and bars.
#include <limits>

#include "catch.h"
#include "headlight/draw/signed_map.h"

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

TEST_CASE("a signed map with numbers is a table", "[signed]") {
  const draw::SignedMap map = small_signed();
  CHECK(draw::terminal_signed_map(map, draw::ColorMode::none, 80) ==
        "Effects\n"
        "       x     y     z\n"
        "a  +0.50 -1.00     ·\n"
        "bb  0.00 +0.25  0.00\n"
        "-1.00 … +1.00 nats; row = from, column = to\n");
  CHECK(draw::terminal_signed_map(map, draw::ColorMode::none, 16) ==
        "Effects\n"
        "       x     y\n"
        "a  +0.50 -1.00\n"
        "bb  0.00 +0.25\n"
        "\n"
        "       z\n"
        "a      ·\n"
        "bb  0.00\n"
        "-1.00 … +1.00 nats;\n"
        "row = from, column =\n"
        "to\n");
  CHECK(contains(draw::terminal_signed_map(map, draw::ColorMode::truecolor, 80),
                 draw::background(draw::signed_color(-1), draw::ColorMode::truecolor)));
}

TEST_CASE("a signed map without numbers has levels of a ninth", "[signed]") {
  draw::SignedMap map = small_signed();
  map.numbers = false, map.rows[1] = "b", map.title = "";
  CHECK(draw::terminal_signed_map(map, draw::ColorMode::none, 80) ==
        "  xyz\n"
        "a 5i \n"
        "b .2.\n"
        "1 … 9: above 0; a … i: below 0, in steps of a ninth of the largest\n"
        "-1.00 … +1.00 nats; row = from, column = to\n");
  // Two by two cells as one: the strongest, whatever its sign.
  CHECK(draw::terminal_signed_map(map, draw::ColorMode::none, 4).starts_with("i.\n"));
  CHECK(contains(draw::terminal_signed_map(map, draw::ColorMode::none, 4), "strongest of 2 × 2"));
}

TEST_CASE("signed colours grow brighter on both sides", "[signed]") {
  const auto sum = [](draw::Color c) { return c.red + c.green + c.blue; };
  for (int i = 0; i < 20; ++i)
    for (const int side : {-1, 1})
      CHECK(sum(draw::signed_color(side * (i + 1) / 20.0)) > sum(draw::signed_color(side * i / 20.0)));
  CHECK(draw::signed_color(0.7).red > draw::signed_color(0.7).blue);
  CHECK(draw::signed_color(-0.7).red < draw::signed_color(-0.7).blue);
}

TEST_CASE("signed maps and bars as SVG", "[signed]") {
  const std::string svg = draw::svg_signed_map(small_signed());
  CHECK(times(svg, "<rect") == 1 + 5);  // the paper, and the numbers that there are
  CHECK(times(svg, ">+0.25<") == 1);
  CHECK(contains(svg, "row = from, column = to"));
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
  CHECK(contains(error_of([&] { draw::terminal_signed_map(map, draw::ColorMode::none, 80); }),
                 "expected 3 numbers in each row, got 2"));
  map = small_signed();
  map.values[0][0] = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(error_of([&] { draw::svg_signed_map(map); }), "finite"));
  CHECK(contains(error_of([] { draw::svg_bars({}); }), "a bar at least"));
  CHECK(contains(error_of([] { draw::svg_bars({"t", "", {"a"}, {HUGE_VAL}, 1}); }), "finite"));
}

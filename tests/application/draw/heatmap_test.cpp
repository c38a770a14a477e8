#include <algorithm>

#include "catch.h"
#include "headlight/draw/heatmap.h"
#include "headlight/draw/sheet.h"
#include "headlight/studies/head_table.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::draw;
using namespace headlight::interpret;
using namespace headlight::studies;

namespace {

Heatmap small_map() {
  return {tensor({{1, 0, 0}, {0.25, 0.75, 0}, {0, 0.5, 0.5}}).array(),
          {"a", "b", "<"},
          {"a", "b", "<"},
          "Head \"1.2\" & co"};
}

}  // namespace

TEST_CASE("a heatmap without colour is plain text", "[report]") {
  CHECK(terminal_heatmap(small_map(), ColorMode::none) ==
        "Head \"1.2\" & co\n"
        "  ab<\n"
        "a @  \n"
        "b :# \n"
        "<  ++\n"
        "  0   ..::--==+++**##%%@@ 1  attention; row = query, column = key\n");
}

TEST_CASE("a terminal's heatmap tells a key that is not seen from a weight of 0", "[report]") {
  Heatmap map = small_map();
  map.seen = BoolArray{{true, false, false}, {true, true, false}, {true, true, true}};
  const std::string text = terminal_heatmap(map, ColorMode::none);
  CHECK(contains(text, "a @//\nb :#/\n<  ++\n"));
  CHECK(contains(text, "; / = not seen\n"));
  CHECK(contains(terminal_heatmap(map, ColorMode::truecolor), foreground(kUnseen, ColorMode::truecolor)));
  CHECK(contains(terminal_sheet({"", {map}, 1}, ColorMode::none, 2),
                 "@/\n+"));  // a block with a cell that is seen
}

TEST_CASE("a coloured heatmap has two rows a line and resets its colours", "[report]") {
  const std::string text = terminal_heatmap(small_map(), ColorMode::truecolor);
  CHECK(contains(text, "ab \x1b[38;2;252;245;180m"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 5);
  CHECK(contains(text, "\x1b[49m"));  // the odd last row has nothing below it
  CHECK(text.rfind("\x1b[0m") > text.rfind("█"));
}

TEST_CASE("long labels are left out of the terminal", "[report]") {
  Heatmap map = small_map();
  map.keys[1] = "12";
  CHECK_FALSE(contains(terminal_heatmap(map, ColorMode::none), "12"));
}

TEST_CASE("an SVG heatmap is deterministic, escaped and complete", "[report]") {
  const std::string svg = svg_heatmap(small_map());
  CHECK(svg == svg_heatmap(small_map()));
  CHECK(contains(svg, "<title>Head &quot;1.2&quot; &amp; co</title>"));
  CHECK(contains(svg, "query (attending)"));
  CHECK(contains(svg, "key (attended to)"));
  CHECK(contains(svg, "attention weight"));
  CHECK(contains(svg, ">&lt;</text>"));
  CHECK(contains(svg, "d=\"M0 0h1v1h-1z\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg == read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/small_map.svg"));
}

TEST_CASE("an SVG heatmap tells a key that is not seen from a weight of 0", "[report]") {
  Heatmap map = small_map();
  CHECK_FALSE(contains(svg_heatmap(map), hex(kUnseen)));
  map.seen = BoolArray{{true, false, false}, {true, true, false}, {true, true, true}};
  for (const std::string& svg : {svg_heatmap(map), svg_sheet({"", {map}, 1})}) {
    CHECK(contains(svg, "fill=\"" + hex(kUnseen) + "\" d=\"M1 0h1v1h-1zM2 0h1v1h-1zM2 1h1v1h-1z\""));
    CHECK(contains(svg, ">not seen</text>"));
  }
  map.seen = BoolArray{true};
  CHECK_THROWS_WITH(svg_heatmap(map), "[heatmap] expected (3,3) for what is seen, got (1).");
}

TEST_CASE("a long title of a sheet is not cut", "[report]") {
  const std::string svg =
      svg_sheet({"The heads of the first model, on a segment of 10 tokens that repeats", {small_map()}, 1});
  CHECK(contains(svg, ">The heads of the first model, on a segment of 10</text>"));
  CHECK(contains(svg, ">tokens that repeats</text>"));
}

TEST_CASE("weights that are spread out are drawn by powers of 10", "[report]") {
  Heatmap map{full_array({1, 500}, 0.002), {}, {}, ""};
  CHECK(contains(svg_heatmap(map), "d=\"M0 0h1v1h-1zM1 0h1"));
  CHECK(contains(svg_heatmap(map), ">0.0001</text>"));
  map.weights(0, 7) = Real(0.5);
  CHECK_FALSE(contains(svg_heatmap(map), ">0.0001</text>"));
  CHECK_FALSE(contains(svg_heatmap(map), "M0 0h1v1h-1z"));
}

TEST_CASE("the head table names what it finds", "[report]") {
  const std::string table = head_table(
      {{0, 0, {0.81, 0.02, 0.01}}, {1, 2, {0.05, 0.01, 0.97}}, {1, 3, {0.1, 0.2, 0.3}}}, ColorMode::none);
  CHECK(table.starts_with("head    previous  duplicate  induction\n"));
  CHECK(contains(table, "L0H0       0.810      0.020      0.010   █████████████···  previous-token head\n"));
  CHECK(contains(table, "L1H2       0.050      0.010      0.970   ████████████████  induction head\n"));
  CHECK(contains(table, "L1H3       0.100      0.200      0.300   █████···········\n"));
}

TEST_CASE("a head is called by its role from the threshold on", "[report]") {
  CHECK(head_role({1, 2, {.05, .01, .976, 0, 0}}) == "induction head, score 0.98");
  CHECK(head_role({1, 2, {.05, .01, .333, 0, 0}}) == "no known kind (induction 0.33)");
  CHECK(head_role({1, 2, {.05, .01, .4996, 0, 0}}) == "no known kind (induction <0.50)");
  CHECK(head_words({1, 2, {}}) == "layer 1, head 2");
}

TEST_CASE("head scores as CSV have the table's keys for a header and all digits", "[report]") {
  CHECK(heads_csv({{1, 2, {0.05, 0.01, 0.9712345678901}}}) ==
        "layer,head,previous_token,duplicate_token,induction\n1,2,0.05,0.01,0.9712345678901\n");
}

TEST_CASE("a map wider than the terminal is drawn smaller", "[report]") {
  Heatmap map{zeros({10, 10}).array(), {}, {}, ""};
  map.keys = map.queries = std::vector<std::string>(10, "a");
  map.weights(3, 7) = Real(0.5);
  map.weights(2, 6) = 1;
  CHECK(contains(terminal_heatmap(map, ColorMode::none, 12), "\na         "));
  const std::string unlabelled = terminal_heatmap(map, ColorMode::none, 10);
  CHECK(contains(unlabelled, "aaaaaaaaaa\n          \n"));
  CHECK_FALSE(contains(unlabelled, "each cell"));
  CHECK(terminal_heatmap(map, ColorMode::none, 9) ==
        "     \n"
        "   @ \n"
        "     \n"
        "     \n"
        "     \n"
        "0   ..::--==+++**##%%@@ 1\nattention; row = query, column = key\n"
        "each cell is the largest of 2 × 2 attention weights\n");
  for (const ColorMode mode : {ColorMode::palette256, ColorMode::truecolor}) {
    const std::string text = terminal_heatmap(map, mode, 4);
    CHECK(contains(text, "largest of 3 × 3 attention weights"));
    CHECK(text.find("▀") != std::string::npos);
  }
}

TEST_CASE("a sheet sets maps side by side", "[report]") {
  Sheet sheet{"All heads", {}, 2};
  for (const char* title : {"Head 0.0, induction 0.98", "b", "c"}) {
    sheet.maps.push_back(small_map());
    sheet.maps.back().title = title;
  }
  CHECK(terminal_sheet(sheet, ColorMode::none, 30) ==
        "All heads\n\n"
        "Head 0.0,       b\n"
        "induction 0.98\n"
        "@               @  \n"
        ":#              :# \n"
        " ++              ++\n"
        "\n"
        "c\n"
        "@  \n"
        ":# \n"
        " ++\n"
        "\n"
        "0   ..::--==+++**##%%@@ 1\nattention; row = query, column = key\n");
  CHECK(contains(terminal_sheet(sheet, ColorMode::none, 20), "98\n@"));  // one below the other
  const std::string svg = svg_sheet(sheet);
  CHECK(svg == svg_sheet(sheet));
  CHECK(contains(svg, ">Head 0.0, induction 0.98</text>"));
  CHECK(contains(svg, ">All heads</text>"));
  CHECK(contains(svg, "attention weight"));
  CHECK(!contains(svg, ">2</text>"));
  sheet.numbered = 2;
  CHECK(contains(svg_sheet(sheet), ">2</text>"));
  CHECK_THROWS_WITH(svg_sheet({"", {}, 2}), "[sheet] there are no maps to draw.");
  CHECK_THROWS_WITH(terminal_sheet({"", {}, 2}, ColorMode::none), "[sheet] there are no maps to draw.");
}

TEST_CASE("a map of more tokens than labels have room is the one that was looked at", "[report]") {
  Heatmap map{full_array({3, 120}, 0.5), {"one", "␣", "th<ree"}, {}, "A wide map"};
  for (int i = 0; i < 120; ++i) map.keys.push_back(std::to_string(i));
  map.weights(1, 7) = 1;
  CHECK(svg_heatmap(map) ==
        read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/wide_map.svg"));
}

TEST_CASE("a sheet as SVG is the one that was looked at", "[report]") {
  Sheet sheet{"All heads of <it>", {}, 2, 2};
  for (const char* title : {"Layer 0, head 0", "Layer 0, head 1, which has a title of two lines", "L1H0"}) {
    sheet.maps.push_back(small_map());
    sheet.maps.back().title = title;
  }
  sheet.maps[1].weights(2, 0) = Real(0.125);
  sheet.maps[2].seen = BoolArray{{true, false, false}, {true, true, false}, {true, true, true}};
  CHECK(svg_sheet(sheet) ==
        read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/small_sheet.svg"));
  sheet.maps.resize(1);
  sheet.maps[0].weights = full_array({2, 40}, 0.025);  // by powers of 10
  CHECK(svg_sheet(sheet) ==
        read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/spread_sheet.svg"));
}

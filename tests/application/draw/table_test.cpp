// Tables, pages of text and tables, and curves drawn in groups.
#include "headlight/draw/table.h"

#include "catch.h"
#include "headlight/draw/figure.h"
#include "headlight/draw/text_page.h"
#include "headlight/system/text.h"

using namespace headlight;
using namespace headlight::draw;

namespace {

const Table kTable{{"name", "value", "unit"},
                   {{"é", "10.5", "s"}, {"long name", "-", ""}, {"<b>", "3", "a,\"b\""}}};

constexpr std::size_t kWide = 1000;

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Figure figure_of(std::size_t runs) {
  Figure figure{"", {"step", false, 0.0}, "", {}, {{"", {}, {"loss"}, {}}}};
  for (std::size_t i = 0; i < runs; ++i)
    figure.charts[0].series.push_back({"run " + std::to_string(i), {0, 10}, {1, static_cast<double>(i)}});
  return figure;
}

}  // namespace

TEST_CASE("a table on a terminal aligns numbers on the right", "[report]") {
  CHECK(terminal_table(kTable, kWide) ==
        "name       value  unit\n"
        "é           10.5  s\n"
        "long name      -\n"
        "<b>            3  a,\"b\"\n");
  CHECK(terminal_table({{"part", "key"}, {{">99.9 %", "<b"}, {"7.5 %", "<"}}}) ==
        "   part  key\n"
        ">99.9 %  <b\n"
        "  7.5 %  <\n");
  CHECK(contains(terminal_table({{"a"}, {{"b\x1b[2J"}}}), "b␛[2J"));
  CHECK(contains(error_of([] {
                   terminal_table({{"a", "b"}, {{"1"}}});
                 }),
                 "a row has 1 cells, and the head 2"));
}

TEST_CASE("a table wider than the terminal is divided, and each part begins with the keys", "[report]") {
  const Table table{{"run", "accuracy", "loss", "settings"},
                    {{"a/b", "99.1 %", "1.5", "--layers 1"}, {"long", "-", "12", "--heads 2 --seed 3"}}};
  CHECK(terminal_table(table, 40) == terminal_table(table, kWide));
  CHECK(terminal_table(table, 39) ==
        "run   accuracy  loss\n"
        "a/b     99.1 %   1.5\n"
        "long         -    12\n\n"
        "run   settings\n"
        "a/b   --layers 1\n"
        "long  --heads 2 --seed 3\n");
  CHECK(terminal_table(table, 17) ==
        "run   accuracy\n"
        "a/b     99.1 %\n"
        "long         -\n\n"
        "run   loss\n"
        "a/b    1.5\n"
        "long    12\n\n"
        "run   settings\n"
        "a/b   --layers 1\n"
        "long  --heads 2\n"
        "      --seed 3\n");
}

TEST_CASE("a column that must be broken stays beside others where half of its width is left", "[report]") {
  const Table table{{"run", "loss", "settings"}, {{"a", "1.5", "--layers 1 --heads 2 --seed 3 --steps 5"}}};
  CHECK(terminal_table(table, 30) ==
        "run  loss  settings\n"
        "a     1.5  --layers 1 --heads\n"
        "           2 --seed 3 --steps\n"
        "           5\n");
  CHECK(terminal_table(table, 16).starts_with("run  loss\na     1.5\n\nrun  settings\n"));
}

TEST_CASE("keys that leave no room for numbers are numbered, and break where a path does", "[report]") {
  Table table{{"run", "loss"}, {{"runs/heads=2_seed=10", "1"}, {"x", "2"}}};
  CHECK(terminal_table(table, 20) ==
        "#  run\n"
        "1  runs/heads=2_\n"
        "   seed=10\n"
        "2  x\n\n"
        "#  loss\n"
        "1     1\n"
        "2     2\n");
  table.keys = 0;
  CHECK(terminal_table(table, 20).find("\n\nloss\n") != std::string::npos);
  table.keys = 2;
  CHECK(terminal_table(table, 26).starts_with("run                   loss\n"));
}

TEST_CASE("no line of a table is wider than the terminal", "[report]") {
  Table table{{"run", "positions"}, {}, 2};
  for (int i = 0; i < 9; ++i) table.head.push_back("number " + std::to_string(i));
  for (const char* name : {"runs/größer 数字", "b"}) {
    table.rows.push_back({name, "rotary"});
    for (int i = 0; i < 9; ++i) table.rows.back().push_back("98.1 % (0.3 … 99.9)");
  }
  for (const std::size_t columns : {20, 40, 80, 200, 400})
    for (const std::string& line : text_lines(terminal_table(table, columns)))
      CHECK(display_width(line) <= columns);
}

TEST_CASE("a table as CSV quotes what needs it", "[report]") {
  CHECK(csv(kTable) == "name,value,unit\né,10.5,s\nlong name,-,\n<b>,3,\"a,\"\"b\"\"\"\n");
  CHECK(csv({{"a"}, {{"1\n2"}}}) == "a\n\"1\n2\"\n");
}

TEST_CASE("a page of tables escapes its texts and allows no script", "[report]") {
  const std::string page = text_page(
      "<runs>", {{"Results & more", {"x < y"}, kTable}, {"Curves", {}, {}, svg_figure(figure_of(2))}});
  CHECK(contains(page, "default-src 'none'; style-src 'sha256-"));
  CHECK(contains(page, "='; base-uri 'none'; form-action 'none'"));
  for (const char* part : {"<title>&lt;runs&gt;</title>", "<h2>Results &amp; more</h2>", "<p>x &lt; y</p>",
                           "<th scope=\"row\">&lt;b&gt;</th>", "<th scope=\"col\">name</th>",
                           "<td class=\"number\">10.5</td>", "<svg xmlns="})
    CHECK(contains(page, part));
  for (const char* part : {"<script", "<b>", "href", "src=", " style=", "unsafe-"})
    CHECK_FALSE(contains(page, part));
}

TEST_CASE("curves without a name are drawn in their group's style and not listed", "[report]") {
  Figure figure = figure_of(2);
  figure.charts[0].series.push_back({"", {0, 10}, {3, 4}, false, LineWeight::faint, 1});
  figure.charts[0].series.push_back({"median", {0, 10}, {2, 4}, false, LineWeight::bold, 0});
  const std::string svg = svg_figure(figure);
  CHECK(times_in(svg, "<polyline") == 4);
  CHECK(times_in(svg, "stroke=\"#0072b2\"") == 2);
  CHECK(times_in(svg, "stroke=\"#d55e00\"") == 2);
  CHECK(times_in(svg, "stroke-opacity=\"0.45\"") == 1);
  CHECK(times_in(svg, "stroke-width=\"3.2\"") == 1);
  CHECK(times_in(svg, "></text>") == 0);
}

TEST_CASE("more than eight names are listed once above all charts", "[report]") {
  for (const std::size_t runs : {8, 9}) {
    Figure figure = figure_of(runs);
    figure.charts.push_back(figure.charts[0]);
    CHECK(times_in(svg_figure(figure), ">run 3<") == (runs == 8 ? 2 : 1));
  }
}

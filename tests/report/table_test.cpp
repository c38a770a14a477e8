// Tables, pages of text and tables, and curves drawn in groups.
#include "headlight/report/table.h"

#include "catch.h"
#include "headlight/report/figure.h"
#include "headlight/report/text_page.h"

using namespace headlight;
using namespace headlight::report;

namespace {

const Table kTable{{"name", "value", "unit"},
                   {{"é", "10.5", "s"}, {"long name", "-", ""}, {"<b>", "3", "a,\"b\""}}};

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
  CHECK(terminal_table(kTable) ==
        "name       value  unit\n"
        "é           10.5  s\n"
        "long name      -\n"
        "<b>            3  a,\"b\"\n");
  CHECK(contains(terminal_table({{"a"}, {{"b\x1b[2J"}}}), "b␛[2J"));
  CHECK(contains(error_of([] {
                   terminal_table({{"a", "b"}, {{"1"}}});
                 }),
                 "a row has 1 cells, and the head 2"));
}

TEST_CASE("a table as CSV quotes what needs it", "[report]") {
  CHECK(csv(kTable) == "name,value,unit\né,10.5,s\nlong name,-,\n<b>,3,\"a,\"\"b\"\"\"\n");
  CHECK(csv({{"a"}, {{"1\n2"}}}) == "a\n\"1\n2\"\n");
}

TEST_CASE("a page of tables escapes its texts and allows no script", "[report]") {
  const std::string page = text_page(
      "<runs>", {{"Results & more", {"x < y"}, kTable}, {"Curves", {}, {}, svg_figure(figure_of(2))}});
  CHECK(contains(page, "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"));
  for (const char* part :
       {"<title>&lt;runs&gt;</title>", "<h2>Results &amp; more</h2>", "<p>x &lt; y</p>", "<td>&lt;b&gt;</td>",
        "<th scope=\"col\">name</th>", "<td class=\"number\">10.5</td>", "<svg xmlns="})
    CHECK(contains(page, part));
  for (const char* part : {"<script", "<b>", "href", "src="}) CHECK_FALSE(contains(page, part));
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
  Chart chart = figure.charts[0];
  chart.series.erase(chart.series.begin(), chart.series.begin() + 2);
  CHECK(contains(terminal_chart(chart, ColorMode::none), "a median\n"));
}

TEST_CASE("more than eight names are listed once above all charts", "[report]") {
  for (const std::size_t runs : {8, 9}) {
    Figure figure = figure_of(runs);
    figure.charts.push_back(figure.charts[0]);
    CHECK(times_in(svg_figure(figure), ">run 3<") == (runs == 8 ? 2 : 1));
  }
}

#include "headlight/draw/chart.h"

#include <algorithm>
#include <limits>

#include "catch.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::draw;

namespace {

Chart small_chart() {
  return {"Loss <of> \"two\" runs",
          {"step"},
          {"loss (nats)", true},
          {{"first & foremost", {0, 100, 200, 300}, {4, 3.5, 0.2, 0.02}},
           {"second", {0, 150, 300}, {4.1, 1, 0.3}},
           {"one point", {250}, {2}}}};
}

void check_error(const Chart& chart, const std::string& message) {
  CHECK_THROWS_WITH(svg_chart(chart), message);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("an SVG chart is deterministic, escaped and complete", "[report]") {
  const std::string svg = svg_chart(small_chart());
  CHECK(svg == svg_chart(small_chart()));
  CHECK(contains(svg, "<title>Loss &lt;of&gt; &quot;two&quot; runs</title>"));
  CHECK(contains(svg, ">first &amp; foremost</text>"));
  CHECK(contains(svg, ">step</text>"));
  CHECK(contains(svg, ">loss (nats)</text>"));
  CHECK(contains(svg, ">10⁻²</text>"));
  CHECK(contains(svg, ">300</text>"));
  CHECK(count(svg, "<polyline") == 2);
  CHECK(count(svg, "<circle") == 1);
  CHECK(svg == read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/small_chart.svg"));
}

TEST_CASE("an axis of numbers that are hardly numbers has ticks, or says why not", "[report]") {
  for (const double hardly : {5e-324, 3e-322, 1e-310}) {
    for (const Axis& y : {Axis{"y"}, Axis{.label = "y", .first = 0}}) {
      const std::string svg = svg_chart({"", {"x"}, y, {{"one", {0, 1}, {0, hardly}}}});
      INFO(svg);
      CHECK(!contains(svg, "nan"));
      CHECK(contains(svg, ">1.0<"));
    }
  }
  check_error({"", {"x"}, {"y"}, {{"one", {0, 1}, {0, 1.7e308}}}},
              "[chart] the axis 'y' cannot go from 0 to 1.7e+308.");
}

TEST_CASE("a series of dots has no line", "[report]") {
  const Chart chart{"", {"x"}, {"y"}, {{"line", {0, 1}, {0, 1}}, {"dots", {0, 0.5, 1}, {1, 1, 1}, true}}};
  const std::string svg = svg_chart(chart);
  CHECK(count(svg, "<polyline") == 1);
  CHECK(count(svg, "<circle") == 3 + 1);  // one in the legend
}

TEST_CASE("thirty-two curves differ by colour or dash", "[report]") {
  Chart chart{"", {"x"}, {"y"}, {}};
  for (int i = 0; i < 32; ++i) chart.series.push_back({std::to_string(i), {0, 1}, {0, 1.0 * i}});
  const std::string svg = svg_chart(chart);
  std::vector<std::string> styles;
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1))
    styles.push_back(svg.substr(at, svg.find("points", at) - at));
  REQUIRE(styles.size() == 32);
  std::sort(styles.begin(), styles.end());
  CHECK(std::unique(styles.begin(), styles.end()) == styles.end());
}

TEST_CASE("a sample in the legend has the style of its curve", "[report]") {
  const Chart chart{"",
                    {"x"},
                    {"y"},
                    {{"a", {0, 1}, {0, 1}, false, LineWeight::normal, 5},
                     {"b", {0, 1}, {1, 0}, false, LineWeight::normal, 2}}};
  const std::string svg = svg_chart(chart);
  const auto strokes = [&](const std::string& element) {
    std::vector<std::string> found;
    for (std::size_t at = svg.find("<" + element); at != std::string::npos;
         at = svg.find("<" + element, at + 1)) {
      const std::string all = svg.substr(at, svg.find("/>", at) - at);
      if (const std::size_t stroke = all.find("stroke="); stroke != std::string::npos)
        found.push_back(all.substr(stroke, all.find('"', stroke + 8) - stroke));
    }
    return found;
  };
  const std::vector<std::string> curves = strokes("polyline");
  std::vector<std::string> samples = strokes("line");
  std::erase_if(samples, [&](const std::string& s) {
    return std::find(curves.begin(), curves.end(), s) == curves.end();
  });
  REQUIRE(curves.size() == 2);
  CHECK(curves[0] != curves[1]);
  CHECK(samples == curves);
}

TEST_CASE("ticks stand at round numbers", "[report]") {
  const auto ticks = [](double first, double last) {
    const std::string svg =
        svg_chart({"", {"", false, 0, 1}, {"", false, {}, {}}, {{"", {0, 1}, {first, last}}}});
    std::string found;
    for (std::size_t at = svg.find("\"end\">"); at != std::string::npos; at = svg.find("\"end\">", at + 1))
      found += svg.substr(at + 6, svg.find('<', at) - at - 6) + " ";
    return found;
  };
  CHECK(ticks(0, 1) == "0 0.2 0.4 0.6 0.8 1.0 ");
  CHECK(ticks(0.013, 3.9) == "0 1 2 3 4 ");
  CHECK(ticks(-2, 7) == "−2 0 2 4 6 8 ");
  CHECK(ticks(0, 3e6) == "0 1×10⁶ 2×10⁶ 3×10⁶ ");
  CHECK(ticks(2e-5, 1e-4) == "0.2×10⁻⁴ 0.4×10⁻⁴ 0.6×10⁻⁴ 0.8×10⁻⁴ 1.0×10⁻⁴ ");
  CHECK(ticks(5, 5) == "2 3 4 5 6 7 8 ");  // a curve without rise or fall
  // What is counted has no halves.
  const std::string hops = svg_chart({"", {"hops"}, {""}, {{"", {1, 2, 4}, {0, 0.5, 1}}}});
  CHECK(contains(hops, ">3</text>"));
  CHECK_FALSE(contains(hops, ">2.5</text>"));
}

TEST_CASE("a chart as a table has what its lines have at a few places", "[report]") {
  const Table table = chart_table({"",
                                   {"step"},
                                   {"loss"},
                                   {{"line", {0, 2, 4}, {1, 2, 0}},
                                    {"level", {0, 4}, {0.5, 0.5}},
                                    {"dots", {1, 2}, {7, 8}, true},
                                    {"late", {3}, {9}}}});
  CHECK(table.head == std::vector<std::string>{"step", "line", "level", "dots", "late"});
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"0", "1.000", "0.500", "", ""},
                                                            {"1", "1.500", "0.500", "7.000", ""},
                                                            {"2", "2.000", "0.500", "8.000", ""},
                                                            {"3", "1.000", "0.500", "", "9.000"},
                                                            {"4", "0.000", "0.500", "", ""}});
  const Table uneven =
      chart_table({"", {"step"}, {"loss"}, {{"line", {0, 4}, {0, 4}}, {"dots", {1}, {7}, true}}});
  CHECK(uneven.rows[1] == std::vector<std::string>{"1", "1.000", "7.000"});
  CHECK(chart_table({}).rows.empty());
  Chart chart{"", {"x"}, {"y"}, {{"long", {}, {}}}};
  for (int i = 0; i < 100; ++i) chart.series[0].x.push_back(i), chart.series[0].y.push_back(i);
  const Table longest = chart_table(chart);
  REQUIRE(longest.rows.size() == 12);
  CHECK(longest.rows.front() == std::vector<std::string>{"0", "0.000"});
  CHECK(longest.rows[1] == std::vector<std::string>{"9", "9.000"});
  CHECK(longest.rows.back() == std::vector<std::string>{"99", "99.000"});
}

TEST_CASE("a segment far beyond an axis with given ends is cut off", "[report]") {
  Chart chart = small_chart();
  chart.y = {"loss", false, 0, 1};
  chart.series[0].y[1] = 1e15;
  CHECK(contains(svg_chart(chart), "viewBox=\""));
}

TEST_CASE("a chart that cannot be drawn says why", "[report]") {
  check_error({}, "[chart] there are no points to draw.");
  Chart chart = small_chart();
  chart.series[1].y.pop_back();
  check_error(chart, "[chart] the series 'second' has 3 values of x and 2 of y.");
  chart = small_chart();
  chart.series[0].y[2] = std::numeric_limits<double>::quiet_NaN();
  check_error(chart, "[chart] the series 'first & foremost' has a number that is not finite.");
  chart = small_chart();
  chart.series[1].y[2] = 0;
  check_error(
      chart,
      "[chart] the series 'second' has 0 on the logarithmic axis 'loss (nats)': expected positive numbers.");
  chart = small_chart();
  chart.x = {"step", false, 3, 3};
  check_error(chart, "[chart] the axis 'step' cannot go from 3 to 3.");
}

#include "headlight/draw/figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <regex>

#include "catch.h"
#include "draw/svg/series_style.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::draw;

namespace {

Figure small_figure() {
  const Array one = tensor({{1, 0}, {0.5, 0.5}}).array();
  return {
      "A <run>",
      {"step"},
      "Where head 1.0 looks",
      {{0, {one, {}, {}, "step 0"}}, {30, {one, {}, {}, "step 30"}}},
      {{"", {}, {"loss"}, {{"predictable", {0, 50, 100}, {4, 2, 0}}, {"unpredictable", {0, 100}, {4, 4}}}},
       {"", {}, {"score", false, 0.0, 1.0}, {{"a", {0, 100}, {0, 1}}, {"b", {0, 100}, {0, 1}}}}}};
}

}  // namespace

TEST_CASE("a figure is deterministic and complete", "[report]") {
  const std::string svg = svg_figure(small_figure());
  CHECK(svg == svg_figure(small_figure()));
  for (const char* part : {"<title>A &lt;run&gt;</title>", ">Where head 1.0 looks<", ">step 0<", ">step 30<",
                           ">loss<", ">score<", ">predictable<", ">step<", ">100<"})
    CHECK(contains(svg, part));
  CHECK(svg == read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/small_figure.svg"));
}

TEST_CASE("a long title of a figure is broken into lines", "[report]") {
  Figure figure = small_figure();
  figure.title =
      "lr=10_seed=0 and 3 more runs diverged: their curves stay below the largest value of the others";
  const std::string svg = svg_figure(figure);
  CHECK(contains(svg, ">lr=10_seed=0 and 3 more runs diverged: their curves stay below the<"));
  CHECK(contains(svg, ">largest value of the others<"));
}

TEST_CASE("a figure without a title has a name for who cannot see it", "[report]") {
  Figure figure = small_figure();
  figure.title.clear();
  CHECK(contains(svg_figure(figure), "<title>loss; score</title>"));
}

TEST_CASE("with same units a square of a figure is a square", "[report]") {
  const Series square{"", {-1, 3, 3, -1, -1}, {0, 0, 4, 4, 0}};
  const std::string svg = svg_figure({"", {"x"}, "", {}, {{"", {}, {"y"}, {square}}}, true});
  std::smatch points;
  REQUIRE(std::regex_search(svg, points,
                            std::regex("points=\"([\\d.]+),([\\d.]+) ([\\d.]+),\\S+ \\S+,([\\d.]+) ")));
  const double width = std::stod(points[3]) - std::stod(points[1]);
  const double height = std::stod(points[2]) - std::stod(points[4]);
  CHECK(std::abs(height - width) < 0.2);
  CHECK(width > 100);
}

TEST_CASE("the name beside a curve has the colour of the curve's style", "[report]") {
  Figure figure = small_figure();
  figure.charts = {
      {"", {}, {"loss"}, {{"third", {0, 1}, {4, 2}}, {"last", {0, 1}, {4, 1}}, {"own", {0, 1}, {4, 3}}}}};
  figure.charts[0].series[0].style = 3;
  figure.charts[0].series[1].style = 13;
  const std::string svg = svg_figure(figure);
  for (const auto& [name, style] : {std::pair{"third", 3}, {"last", 13}, {"own", 2}}) {
    INFO(name);
    const std::size_t end = svg.rfind(std::string(">") + name + "<");
    REQUIRE(end != std::string::npos);
    const std::string label = svg.substr(svg.rfind("<text", end), end - svg.rfind("<text", end));
    CHECK(contains(label, "fill=\"" + hex(series_text_color(static_cast<std::size_t>(style))) + "\""));
    CHECK(contains(svg, "stroke=\"" + hex(series_color(static_cast<std::size_t>(style))) + "\""));
  }
}

namespace {

// The right end of each text that begins at its place, in DejaVu Sans, which is wider than other fonts.
std::vector<double> right_ends(const std::string& svg) {
  static const std::regex text(
      R"re(<text x="([0-9.]+)" y="[0-9.]+" font-size="([0-9.]+)" text-anchor="start"[^>]*>([^<]*)<)re");
  static const std::map<char, double> widths{{'W', 0.99}, {'M', 0.86}, {'m', 0.97}, {'w', 0.82},
                                             {'=', 0.84}, {'_', 0.5},  {'.', 0.32}, {'r', 0.41},
                                             {'t', 0.39}, {'l', 0.28}, {'i', 0.28}, {' ', 0.32}};
  std::vector<double> ends;
  for (std::sregex_iterator at(svg.begin(), svg.end(), text), none; at != none; ++at) {
    double em = 0;
    for (const char letter : (*at)[3].str()) {
      const auto found = widths.find(letter);
      em += found == widths.end() ? 0.63 : found->second;
    }
    ends.push_back(std::stod((*at)[1]) + em * std::stod((*at)[2]));
  }
  return ends;
}

}  // namespace

TEST_CASE("the names of curves stay inside the figure", "[report]") {
  const std::string thirty = "rate=0.007_batch=32_warmup=100";
  for (const std::string& name : {std::string("a"), std::string("WWWMMMmmmWWWMMM"), thirty, thirty + thirty,
                                  thirty + thirty + thirty + thirty}) {
    INFO(name);
    Figure figure = small_figure();
    figure.strip.clear();
    for (Chart& chart : figure.charts) chart.series[0].name = name;
    const std::string svg = svg_figure(figure);
    const std::vector<double> ends = right_ends(svg);
    CHECK(ends.size() >= 3);
    CHECK(*std::max_element(ends.begin(), ends.end()) <= 800);
    CHECK(contains(svg, name) == (name.size() < 100));
    const std::size_t first = svg.find(">" + name.substr(0, 20)), last = svg.rfind(">" + name.substr(0, 20));
    CHECK((first == last) == (name.size() >= 30));  // once above, or beside each chart
  }
}

TEST_CASE("names that are listed above are those of all charts", "[report]") {
  Figure figure = small_figure();
  figure.strip.clear();
  const std::string wide = "rate=0.007_batch=32_warmup=100_of_one";
  for (std::size_t i = 0; i < figure.charts.size(); ++i)
    figure.charts[i].series[0].name = wide + std::to_string(i);
  const std::string svg = svg_figure(figure);
  for (std::size_t i = 0; i < figure.charts.size(); ++i) CHECK(contains(svg, wide + std::to_string(i)));
}

TEST_CASE("a figure without snapshots is its charts", "[report]") {
  Figure figure = small_figure();
  figure.strip.clear();
  const std::string svg = svg_figure(figure);
  CHECK_FALSE(contains(svg, "Where head"));
  CHECK(contains(svg, ">loss<"));
}

TEST_CASE("a figure that cannot be drawn says why", "[report]") {
  Figure figure = small_figure();
  figure.strip[0].map.weights = zeros({3}).array();
  CHECK_THROWS_WITH(svg_figure(figure), "[figure] expected weights (n,m), got (3).");
  figure = small_figure();
  figure.charts[1].series[0].y[1] = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(svg_figure(figure), "[chart] the series 'a' has a number that is not finite.");
  figure.charts.clear();
  CHECK_THROWS_WITH(svg_figure(figure), "[figure] there are no charts to draw.");
}

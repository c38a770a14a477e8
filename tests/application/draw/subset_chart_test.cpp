// Charts of all subsets of a few parts.
#include <limits>

#include "catch.h"
#include "headlight/draw/subset_chart.h"

using namespace headlight;

namespace {

draw::SubsetChart two_parts() {
  return {"Sets", "worth", "accuracy", {"a", "b"}, {0.5, -0.25}, {0, 0.5, 0.25, 1}, {1, 2}, 0.2};
}

}  // namespace

TEST_CASE("a chart of subsets has a bar for each part and a row for each set", "[draw][subsets]") {
  const std::string svg = draw::svg_subset_chart(two_parts());
  const auto times = [&](const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++found;
    return found;
  };
  CHECK(times("width=\"26\"") == 2);
  CHECK(times("r=\"7.00\"") == 2);  // of each row one part
  CHECK(times("r=\"3.00\"") == 2);
  CHECK(times("fill-opacity=\"0.55\"") == 4);  // the sets have four different values
  CHECK(contains(svg, ">enough: 0.20<"));
  CHECK(contains(svg, ">-0.25<"));
  draw::SubsetChart many = two_parts();
  many.sets.assign(30, 3);
  CHECK(contains(draw::svg_subset_chart(many), "… and 6 more"));
}

TEST_CASE("a chart of subsets refuses numbers that do not fit", "[draw][subsets]") {
  draw::SubsetChart chart = two_parts();
  chart.values.pop_back();
  CHECK(
      error_of([&] { draw::svg_subset_chart(chart); }) ==
      "[subset chart] expected 1 to 16 parts, a bar for each and a value for each subset, got 2 parts, 2 bars and 3 "
      "values.");
  chart = two_parts();
  chart.sets = {4};
  CHECK(contains(error_of([&] { draw::svg_subset_chart(chart); }), "got the bits 4"));
  chart = two_parts();
  chart.bars[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(error_of([&] { draw::svg_subset_chart(chart); }), "expected finite numbers"));
}

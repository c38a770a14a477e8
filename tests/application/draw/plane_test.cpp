#include "headlight/draw/plane.h"

#include "catch.h"
#include "headlight/autograd/tensor.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::draw;

namespace {

Plane small_plane() {
  return {{"A <plane>",
           {"a", false, 0, 2},
           {"b", false, 0, 1},
           {{"a path", {0.5, 1, 3}, {0.5, 0.25, 0.5}}, {"points", {1, 2}, {1, 0}, true}}},
          tensor({{0, 0, 0.5}, {0.5, 1, 7}}).array()};
}

std::string drawn(const std::vector<Plane>& planes) { return svg_planes("Two", planes, 2, "low", "high"); }

}  // namespace

TEST_CASE("a plane shows its heights, points and paths", "[report]") {
  const std::string svg = drawn({small_plane(), small_plane()});
  CHECK(svg == drawn({small_plane(), small_plane()}));
  for (const char* part : {"<title>Two</title>", ">A &lt;plane&gt;<", ">a path<", ">points<", ">low<",
                           ">high<", "M0 1h2v1h-2z", "M1 0h2v1h-2z"})
    CHECK(contains(svg, part));
  CHECK(svg == read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/small_planes.svg"));
}

TEST_CASE("heights are those in the middle of the cells, lowest row first", "[report]") {
  const Axis x{"x", false, 0, 4}, y{"y", false, 10, 12};
  const Array heights = heights_over(x, y, 2, [](double a, double b) { return 100 * a + b; });
  CHECK(to_string(Tensor(heights), 1) == "[[110.5, 310.5],\n [111.5, 311.5]]");
  CHECK_THROWS_WITH(heights_over({"x"}, y, 2, [](double, double) { return 0.0; }),
                    "[heights_over] expected axes with both ends given.");
}

TEST_CASE("a plane that cannot be drawn says why", "[report]") {
  Plane plane = small_plane();
  plane.heights = tensor({1, 2}).array();
  CHECK_THROWS_WITH(drawn({plane}), "[planes] expected heights (rows,columns), got (2).");
  CHECK_THROWS_WITH(drawn({}), "[planes] there are no planes to draw.");
}

#include <algorithm>

#include "catch.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/graph.h"
#include "headlight/system/files.h"

using namespace headlight;
using namespace headlight::draw;

namespace {

// Compared byte by byte with the pictures beside this file, which were looked at.
void check_golden(const std::string& svg, const std::string& name) {
  INFO(name);
  CHECK(svg == read_file(std::string(HEADLIGHT_SOURCE_DIR) + "/tests/application/draw/" + name));
}

}  // namespace

TEST_CASE("matrices stand side by side with operators between them", "[report]") {
  const Array x = tensor({{1}, {-20}}).array(), y = tensor({0.25, 0.5, 1}).array();
  DrawnMatrix sum = matrix_of("=", "x + y", tensor({{1.25, 1.5, 2}, {-19.75, -19.5, -19}}).array(), 2);
  sum.rows[1][2].style = CellStyle::strong;
  sum.rows[0][0].style = CellStyle::faint;
  const std::vector<DrawnMatrix> row = {matrix_of("", "x", x),
                                        matrix_of("+", "y & \"z\"", y, 2, CellStyle::copied), sum};
  const std::string svg = svg_matrices("A column < a row", row);
  CHECK(contains(svg, "<title>A column &lt; a row</title>"));
  CHECK(contains(svg, ">y &amp; &quot;z&quot;</text>"));
  CHECK(contains(svg, ">(2,1)</text>"));
  CHECK(contains(svg, ">(3)</text>"));
  CHECK(contains(svg, "url(#hatch)"));
  CHECK(std::count(svg.begin(), svg.end(), '\n') > 20);
  check_golden(svg, "small_matrices.svg");
}

TEST_CASE("a scalar is a matrix of one cell", "[report]") {
  const DrawnMatrix m = matrix_of("", "s", Tensor(2.5).array(), 1);
  REQUIRE(m.rows.size() == 1);
  CHECK(m.rows[0][0].text == "2.5");
  CHECK(m.note == "()");
}

TEST_CASE("lines of matrices stand below each other", "[report]") {
  const Array x = tensor({1, 2}).array(), y = tensor({{1, 2}, {1, 2}}).array();
  const std::string svg = svg_matrix_lines("Forward and backward pass",
                                           {{matrix_of("", "x", x), matrix_of("→ copies →", "y", y)},
                                            {matrix_of("", "a longer name", x), matrix_of("←", "z", y)}});
  CHECK(contains(svg, ">→ copies →</text>"));
  check_golden(svg, "small_matrix_lines.svg");
}

TEST_CASE("a buffer shows how it is walked", "[report]") {
  const std::string svg =
      svg_buffer("Hops", {{"10", CellStyle::strong}, {"11"}, {"12"}, {"13"}},
                 {{"by two", {0, 2}}, {"back", {3, 1, 0}}, {"the same three times", {1, 1, 1, 2}}});
  CHECK(contains(svg, ">the same three times</text>"));
  check_golden(svg, "small_buffer.svg");
}

TEST_CASE("a graph's nodes stand right of what leads to them", "[report]") {
  const std::string svg =
      svg_boxes("Two paths", {{"a", "a = 3"}, {"k", "", 1}, {"b = a + a", "6"}, {"c", "12\ngradient 1"}},
                {{0, 2, "1"}, {0, 2, "1"}, {2, 3, "2"}, {1, 3, ""}});
  check_golden(svg, "small_graph.svg");
}

TEST_CASE("a graph's edges can point back, and part where they meet", "[report]") {
  const std::string svg = svg_boxes("Back", {{"x", ""}, {"y", "", 1}, {"z", "", 1}, {"f", ""}},
                                    {{0, 2, "0.25", true}, {1, 2, "-1.5"}, {0, 3, ""}, {2, 3, "1", true}});
  check_golden(svg, "small_graph_back.svg");
}

TEST_CASE("a graph of operations is the one that was looked at", "[report]") {
  const OpGraph graph{{"W \"1\"", "(2,3)", OpNode::parameter, {}},
                      {"x", "(4,2)", OpNode::constant, {}},
                      {"matmul", "(4,3)", OpNode::op, {1, 0}},
                      {"tanh", "(4,3)", OpNode::op, {2}},
                      {"add", "(4,3)", OpNode::op, {3, 2}}};
  CHECK(dot_graph(graph, "of \\ two") ==
        "digraph \"of \\\\ two\" {\n"
        "  node [shape=box, fontname=\"sans-serif\"];\n"
        "  n0 [label=\"W \\\"1\\\"\\n(2,3)\", style=filled, fillcolor=\"#ffe3c7\"];\n"
        "  n1 [label=\"x\\n(4,2)\", style=dashed];\n"
        "  n2 [label=\"matmul\\n(4,3)\"];\n"
        "  n1 -> n2;\n"
        "  n0 -> n2;\n"
        "  n3 [label=\"tanh\\n(4,3)\"];\n"
        "  n2 -> n3;\n"
        "  n4 [label=\"add\\n(4,3)\"];\n"
        "  n3 -> n4;\n"
        "  n2 -> n4;\n"
        "}\n");
  check_golden(svg_graph(graph, "of two"), "small_operations.svg");
}

TEST_CASE("diagrams refuse what they cannot draw", "[report]") {
  CHECK(error_of([] { svg_matrices("none", {}); }) == "[svg_matrices] 'none' has no matrix to draw.");
  CHECK(contains(error_of([] { svg_matrix_lines("empty", {{}}); }), "'empty' has no matrix to draw."));
  CHECK(contains(error_of([] { svg_matrix_lines("none", {}); }), "'none' has no matrix to draw."));
  CHECK(error_of([] {
          svg_matrices("t", {{"", "m", {{{"1"}}, {{"1"}, {"2"}}}, ""}});
        }) == "[svg_matrices] the rows of 'm' differ in length: 1 and 2 cells.");
  CHECK(error_of([] {
          matrix_of("", "x", zeros({2, 2, 2}).array());
        }) == "[matrix_of] expected at most two axes, got shape (2,2,2).");
  CHECK(error_of([] {
          svg_buffer("t", {{"1"}}, {{"w", {1}}});
        }) == "[svg_buffer] the walk 'w' reads offset 1 of a buffer of 1 numbers.");
  CHECK(error_of([] {
          svg_buffer("t", {{"1"}}, {{"w", {}}});
        }) == "[svg_buffer] the walk 'w' has no offsets.");
  CHECK(error_of([] {
          svg_boxes("t", {{"a"}, {"b"}}, {{1, 0, ""}});
        }) == "[svg_boxes] an edge leads from node 1 to node 0 of 2; edges lead to later nodes.");
  CHECK(contains(error_of([] { svg_boxes("t", {{"a"}}, {{0, 1, ""}}); }), "from node 0 to node 1 of 1"));
}

// The figures of lesson 2.
#pragma once

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "lesson_program.h"

namespace headlight::lesson {

// The curve with its tangent at 2 and its secants to 3 and 2.5, which have these slopes.
inline void draw_secants(const Pictures& pictures, double (*curve)(double), double to_3, double to_2_5,
                         double tangent) {
  draw::Series drawn{"x³", {}, {}},
      points{"points at 2, 2.5, 3", {2, 2.5, 3}, {curve(2), curve(2.5), curve(3)}, true};
  for (int i = 10; i <= 32; ++i) {
    drawn.x.push_back(0.1 * i);
    drawn.y.push_back(curve(0.1 * i));
  }
  const auto line = [&](const char* name, double slope) {  // through the point of the curve at 2
    return draw::Series{name, {1.4, 3.2}, {curve(2) + slope * (1.4 - 2), curve(2) + slope * (3.2 - 2)}};
  };
  pictures.write("secant.svg",
                 draw::svg_chart({"The secant turns into the tangent",
                                  {"x"},
                                  {"x³"},
                                  {drawn, line("secant, h = 1", to_3), line("secant, h = 0.5", to_2_5),
                                   line("tangent", tangent), points}}));
}

// The errors of both measurements for the steps h = 10⁻¹, 10⁻², …
inline void draw_errors(const Pictures& pictures, const std::vector<double>& h,
                        const std::vector<double>& forward, const std::vector<double>& central) {
  pictures.write("error.svg",
                 draw::svg_chart({"Error of the measured slope of x³ at x = 0.9",
                                  {.label = "step h", .logarithmic = true, .first = 1e-17, .last = 1},
                                  {.label = "error", .logarithmic = true},
                                  {{"forward difference", h, forward},
                                   {"central difference", h, central},
                                   {"steps 10⁻⁸ and 10⁻⁵", {h[7], h[4]}, {forward[7], central[4]}, true}}}));
}

// The tape of f as a graph, forward and backward.
template <class Tape>
void draw_tape(const Pictures& pictures, const Tape& tape, const std::vector<double>& gradient) {
  const std::vector<std::string> names = {"x", "y", "x·y", "tanh(x·y)", "x·x", "f"};
  std::vector<draw::GraphNode> forward, backward;
  std::vector<draw::GraphEdge> local, passed;
  for (std::size_t i = 0; i < tape.size(); ++i) {
    for (const auto& [input, derivative] : tape[i].edges) {
      local.push_back({input, i, fmt::format("{:.4g}", derivative)});
      passed.push_back({input, i, fmt::format("{:.4g}", gradient[i] * derivative), true});
    }
    forward.push_back({names[i], fmt::format("value {:.4g}", tape[i].value)});
    backward.push_back({names[i], fmt::format("gradient {:.4g}", gradient[i])});
  }
  for (auto* nodes : {&forward, &backward}) {  // f in the middle, x and x·x below
    (*nodes)[0].row = (*nodes)[4].row = 1;
    (*nodes)[5].row = 0.5;
  }
  pictures.write("tape.svg",
                 draw::svg_boxes("Forward pass: values, and on the edges local derivatives", forward, local));
  pictures.write("backward_pass.svg",
                 draw::svg_boxes("Backward pass: gradients, and on the edges what each passes to its inputs",
                                 backward, passed));
}

// The tape of b = a + a; c = b + b.
template <class Tape>
void draw_paths(const Pictures& pictures, const Tape& tape, const std::vector<double>& gradient) {
  const auto note = [&](std::size_t place) {
    return fmt::format("value {}\ngradient {}", tape[place].value, gradient[place]);
  };
  pictures.write("paths.svg",
                 draw::svg_boxes("b = a + a; c = b + b: four paths from a to c",
                                 {{"a", note(0)}, {"b = a + a", note(1)}, {"c = b + b", note(2)}},
                                 {{0, 1, "1"}, {0, 1, "1"}, {1, 2, "1"}, {1, 2, "1"}}));
}

// The points, and the line ax + b after some of the steps.
template <class Step>
void draw_descent(const Pictures& pictures, const std::vector<double>& xs, const std::vector<double>& ys,
                  const std::vector<Step>& steps) {
  std::vector<draw::Series> drawn = {{"points", xs, ys, true}};
  for (const std::size_t k : {0, 1, 2, 10}) {
    const double a = steps[k].a, b = steps[k].b;
    drawn.push_back({fmt::format("after step {}", k), {-1.5, 2.5}, {b - 1.5 * a, b + 2.5 * a}});
  }
  pictures.write("descent.svg",
                 draw::svg_chart({"The line ax + b comes to the points", {"x"}, {"y"}, drawn}));
}

}  // namespace headlight::lesson

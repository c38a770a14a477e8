// What lesson 4 draws.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/draw/plane.h"
#include "lesson_program.h"
#include "printed.h"
#include "spiral.h"

namespace headlight::lesson {

using Model = std::function<Tensor(const Tensor& x)>;

inline draw::Series curve(const std::string& name, const std::vector<double>& values, double every = 1) {
  draw::Series series{name, {}, values};
  for (std::size_t i = 0; i < values.size(); ++i) series.x.push_back(every * static_cast<double>(i));
  return series;
}

// Each path on a landscape of its own: the loss over slope and intercept of a line.
inline std::string svg_paths(const std::string& title, const Model& line_loss,
                             const std::vector<draw::Series>& paths) {
  const draw::Axis slope{"slope", false, -2, 5}, intercept{"intercept", false, -5, 4};
  const Array heights = heights_over(slope, intercept, 60, [&](double a, double b) {
    const double loss = line_loss(tensor({a, b})).item();
    return loss / (loss + 3);  // from 0 to 1
  });
  const draw::Series best{"the best line", {2.014}, {-1.036}, true};
  std::vector<draw::Plane> planes;
  for (const draw::Series& path : paths)
    planes.push_back(
        {{path.name, slope, intercept, {{"the line, step by step", path.x, path.y}, best}}, heights});
  return draw::svg_planes(title, planes, paths.size() == 4 ? 2 : 3, "low loss", "high loss");
}

// The loss along each path; and all but the first on the landscape, the start and 15 steps of each.
inline void draw_rates(const Pictures& pictures, const Model& line_loss, const std::vector<Path>& paths) {
  std::vector<draw::Series> on_landscape, curves;
  for (const Path& path : paths) {
    const std::string name = "rate " + path.name;
    curves.push_back(curve(name, path.loss));
    on_landscape.push_back({name,
                            {path.slope.begin(), path.slope.begin() + 16},
                            {path.intercept.begin(), path.intercept.begin() + 16}});
  }
  on_landscape.erase(on_landscape.begin());
  pictures.write("landscape.svg",
                 svg_paths("The loss of a line, and 15 steps down its slope", line_loss, on_landscape));
  pictures.write(
      "rates.svg",
      draw::svg_chart(
          {"Too small, good, large, too large", {"step"}, {.label = "loss", .logarithmic = true}, curves}));
}

inline void draw_rules(const Pictures& pictures, const Model& line_loss, const std::vector<Path>& paths) {
  std::vector<draw::Series> drawn;
  for (const Path& path : paths) drawn.push_back({path.name, path.slope, path.intercept});
  pictures.write("rules.svg", svg_paths("Four rules on the same landscape, 60 steps each", line_loss, drawn));
}

inline bool in_figure(std::size_t step) { return step == 25 || in_table(step); }

// What the model says at each place, and the points.
inline draw::Plane drawn_model(std::size_t step, const Model& model, const Data& points) {
  const draw::Axis x{"x[0]", false, -1.15, 1.15}, y{"x[1]", false, -1.15, 1.15};
  draw::Series arms[]{{"arm 1, output above 0", {}, {}, true}, {"arm 2, output below 0", {}, {}, true}};
  for (std::size_t i = 0; i < points.y.size(); ++i) {
    arms[i % 2].x.push_back(points.x.array()(i, 0));
    arms[i % 2].y.push_back(points.x.array()(i, 1));
  }
  const auto height = [&](double a, double b) { return 0.5 - 0.5 * model(tensor({{a, b}})).item(); };
  return {{fmt::format("step {}", step), x, y, {arms[0], arms[1]}}, heights_over(x, y, 64, height)};
}

inline void draw_training(const Pictures& pictures, const std::vector<draw::Series>& curves,
                          const std::vector<draw::Plane>& planes) {
  pictures.write(
      "curves.svg",
      draw::svg_chart(
          {"Loss on all 200 points, three rules", {"step"}, {.label = "loss", .logarithmic = true}, curves}));
  pictures.write("boundary.svg",
                 draw::svg_planes("What the network says at each place, along AdamW's training", planes, 3,
                                  "output above 1", "below -1"));
}

}  // namespace headlight::lesson

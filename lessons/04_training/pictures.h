// What lesson 4 draws.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/draw/plane.h"
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

// What the model says at each place, and the points.
inline draw::Plane drawn_model(const std::string& title, const Model& model, const Data& points) {
  const draw::Axis x{"x[0]", false, -1.15, 1.15}, y{"x[1]", false, -1.15, 1.15};
  draw::Series arms[]{{"arm 1, output above 0", {}, {}, true}, {"arm 2, output below 0", {}, {}, true}};
  for (std::size_t i = 0; i < points.y.size(); ++i) {
    arms[i % 2].x.push_back(points.x.array()(i, 0));
    arms[i % 2].y.push_back(points.x.array()(i, 1));
  }
  const auto height = [&](double a, double b) { return 0.5 - 0.5 * model(tensor({{a, b}})).item(); };
  return {{title, x, y, {arms[0], arms[1]}}, heights_over(x, y, 64, height)};
}

}  // namespace headlight::lesson

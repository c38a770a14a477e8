// What lesson 5 draws.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

using draw::CellStyle;

inline std::string svg_softmax() {
  std::vector<draw::Series> curves = {{"p₀", {}, {}}, {"p₁", {}, {}}, {"p₂", {}, {}}};
  for (int i = -24; i <= 24; ++i) {
    const Tensor p = softmax(tensor({0.25 * i, 1, 0}));
    for (std::size_t k = 0; k < 3; ++k) {
      curves[k].x.push_back(0.25 * i);
      curves[k].y.push_back(p.array()(k));
    }
  }
  return draw::svg_chart(
      {"Softmax of the scores [x, 1, 0]", {"x"}, {.label = "probability", .first = 0, .last = 1}, curves});
}

// The probabilities p, the targets 0, 0 and 2, and the gradient of the scores.
inline std::string svg_cross_entropy(const Tensor& p, const Tensor& gradient) {
  const Tensor one_hot = tensor({{1, 0, 0}, {1, 0, 0}, {0, 0, 1}});
  return draw::svg_matrices(
      "The gradient of cross-entropy, here times 3 because the mean is over 3 rows",
      {draw::matrix_of("", "softmax", p.array(), 2), draw::matrix_of("-", "targets", one_hot.array()),
       draw::matrix_of("=", "3 · gradient", (gradient * 3).array(), 2, CellStyle::strong)});
}

// The cotangent g of a layer norm's output y, and the two parts that its backward pass removes.
inline std::string svg_three_parts(const Tensor& g, const Tensor& y) {
  const Tensor mean_part = ones({4}) * mean(g), y_part = y * mean(g * y);
  const auto row = [](const char* before, const char* name, const Tensor& t,
                      CellStyle style = CellStyle::plain) {
    return draw::matrix_of(before, name, reshape(t, {-1, 1}).array(), 1, style);
  };
  return draw::svg_matrices("What arrives at a layer norm, in three parts",
                            {row("", "ȳ", g), row("=", "along ones", mean_part, CellStyle::faint),
                             row("+", "along y", y_part, CellStyle::faint),
                             row("+", "the rest", g - mean_part - y_part, CellStyle::strong)});
}

// The circle where RMS norm puts all points of a plane, inputs outside of it, and the gradients there.
inline std::string svg_circle(const Tensor& g, Tensor (*vjp)(const Tensor& g, const Tensor& x)) {
  draw::Series circle{"outputs y", {}, {}}, ray{"inputs with one y", {}, {}},
      inputs{"three of them", {}, {}, true};
  for (int i = 0; i <= 36; ++i) {
    const double angle = i * std::acos(-1) / 72;
    circle.x.push_back(std::sqrt(2) * std::cos(angle));
    circle.y.push_back(std::sqrt(2) * std::sin(angle));
  }
  std::vector<draw::Series> gradients;
  for (double scale : {0.0, 1.0, 2.0, 3.0}) {
    const double x = 1.6 * scale, y = 0.8 * scale;
    ray.x.push_back(x);
    ray.y.push_back(y);
    if (scale == 0) continue;
    inputs.x.push_back(x);
    inputs.y.push_back(y);
    const Tensor d = vjp(g, tensor({x, y}));
    gradients.push_back(
        {fmt::format("gradient at {}x", scale), {x, x + d.array()(0)}, {y, y + d.array()(1)}});
  }
  std::vector<draw::Series> all = {circle, ray, inputs};
  all.insert(all.end(), gradients.begin(), gradients.end());
  return draw::svg_chart({"RMS norm in a plane: the gradient is at right angles to x",
                          {.label = "first number", .first = 0, .last = 6},
                          {.label = "second number", .first = 0, .last = 3},
                          all});
}

}  // namespace headlight::lesson

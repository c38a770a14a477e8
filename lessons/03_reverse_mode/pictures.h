// What lesson 3 draws.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/ops/ops.h"
#include "lesson_program.h"

namespace headlight::lesson {

using draw::CellStyle;

// A matrix with the cells emphasised for which `strong(row, column)` is true.
inline draw::DrawnMatrix drawn(const std::string& before, const std::string& name, const Tensor& x,
                               const std::function<bool(std::size_t, std::size_t)>& strong) {
  draw::DrawnMatrix matrix = draw::matrix_of(before, name, x.array());
  for (std::size_t i = 0; i < matrix.rows.size(); ++i)
    for (std::size_t j = 0; j < matrix.rows[i].size(); ++j)
      if (strong(i, j)) matrix.rows[i][j].style = CellStyle::strong;
  return matrix;
}

// Y = X W and the cotangents.
struct Product {
  Tensor X, W, Y, X_bar, W_bar, Y_bar;
};

inline void draw_matmul(const Pictures& pictures, const Product& p) {
  const auto row = [](std::size_t r) { return [r](std::size_t i, std::size_t) { return i == r; }; };
  const auto column = [](std::size_t c) { return [c](std::size_t, std::size_t j) { return j == c; }; };
  const auto cell = [](std::size_t r, std::size_t c) {
    return [r, c](std::size_t i, std::size_t j) { return i == r && j == c; };
  };
  pictures.write(
      "to_X.svg",
      draw::svg_matrix_lines(
          "Forward, X[0,1] reaches row 0 of Y; backward, row 0 of Ȳ reaches X̄[0,1]",
          {{drawn("", "X", p.X, cell(0, 1)), drawn("·", "W", p.W, row(1)), drawn("=", "Y", p.Y, row(0))},
           {drawn("", "X̄", p.X_bar, cell(0, 1)), drawn("=", "Ȳ", p.Y_bar, row(0)),
            drawn("·", "Wᵀ", transpose(p.W), column(1))}}));
  pictures.write(
      "to_W.svg",
      draw::svg_matrix_lines("Forward, W[1,0] reaches column 0 of Y; backward, column 0 of Ȳ reaches W̄[1,0]",
                             {{drawn("", "X", p.X, column(1)), drawn("·", "W", p.W, cell(1, 0)),
                               drawn("=", "Y", p.Y, column(0))},
                              {drawn("", "Xᵀ", transpose(p.X), row(1)), drawn("·", "Ȳ", p.Y_bar, column(0)),
                               drawn("=", "W̄", p.W_bar, cell(1, 0))}}));
}

inline void draw_back_to_b(const Pictures& pictures, const Tensor& z_bar, const Tensor& X,
                           const Tensor& to_copies, const Tensor& b_bar) {
  pictures.write(
      "back_to_b.svg",
      draw::svg_matrices("Back to b: multiply, then add up what came to its copies",
                         {draw::matrix_of("", "z̄", z_bar.array()), draw::matrix_of("*", "X", X.array()),
                          draw::matrix_of("=", "to the copies of b", to_copies.array()),
                          draw::matrix_of("→ adds up →", "b̄", b_bar.array(), 0, CellStyle::strong)}));
}

inline void draw_softmax(const Pictures& pictures, const Tensor& J, const Tensor& y_bar,
                         const Tensor& x_bar) {
  pictures.write("softmax.svg",
                 draw::svg_matrices("Softmax: the transposed Jacobian takes ȳ to x̄",
                                    {draw::matrix_of("", "64 Jᵀ", (64 * transpose(J)).array()),
                                     draw::matrix_of("·", "ȳ", reshape(y_bar, {3, 1}).array()),
                                     draw::matrix_of("=", "64 x̄", (64 * reshape(x_bar, {3, 1})).array(), 0,
                                                     CellStyle::strong)}));
}

inline void draw_check(const Pictures& pictures, const std::vector<draw::Series>& claims) {
  draw::Chart chart{"Softmax, a random cotangent, 16 directions",
                    {"measured"},
                    {"claimed"},
                    {{"claimed = measured", {-1.5, 1.5}, {-1.5, 1.5}}}};
  chart.series.insert(chart.series.end(), claims.begin(), claims.end());
  pictures.write("check.svg", draw::svg_chart(chart));
}

inline void draw_derivatives(const Pictures& pictures, std::vector<draw::Series> derivatives) {
  pictures.write("derivatives.svg",
                 draw::svg_chart({"x³ and its derivatives", {"x"}, {"value"}, std::move(derivatives)}));
}

}  // namespace headlight::lesson

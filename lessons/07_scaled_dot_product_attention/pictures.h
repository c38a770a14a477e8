// What lesson 7 draws.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/sheet.h"
#include "headlight/ops/ops.h"
#include "masks.h"

namespace headlight::lesson {

using draw::CellStyle;

// A matrix to be drawn, with the names of its lengths below it.
inline draw::DrawnMatrix drawn(const char* before, const char* name, const Tensor& x, const char* shape,
                               int decimals = 0, CellStyle style = CellStyle::plain) {
  draw::DrawnMatrix matrix = draw::matrix_of(before, name, x.array(), decimals, style);
  matrix.note = fmt::format("{} = {}", shape, matrix.note);
  return matrix;
}

inline std::string svg_shapes(const Tensor& Q, const Tensor& K, const Tensor& V, const Tensor& S,
                              const Tensor& P, const Tensor& O) {
  return draw::svg_matrix_lines("Attention: 2 queries, 3 keys and their values",
                                {{drawn("", "Q", Q, "(n,d_k)"), drawn("·", "Kᵀ", transpose(K), "(d_k,m)"),
                                  drawn("/ 2 =", "scores S", S, "(n,m)", 1)},
                                 {drawn("softmax", "pattern P", P, "(n,m)", 2, CellStyle::strong),
                                  drawn("·", "V", V, "(m,d_v)"), drawn("=", "output", O, "(n,d_v)", 2)}});
}

inline std::string svg_printed_table(const Tensor& products, const Tensor& printed, const Tensor& right) {
  draw::DrawnMatrix wrong = draw::matrix_of("→", "as printed", printed.array(), 2);
  for (std::size_t i = 1; i < 4; ++i)
    for (draw::Cell& cell : wrong.rows[i]) cell.style = CellStyle::strong;
  return draw::svg_matrices("Rows 2 to 4 of the printed pattern are wrong",
                            {draw::matrix_of("", "q·k, d_k = 64", products.array(), 1), wrong,
                             draw::matrix_of("≠", "softmax of q·k / 8", right.array(), 2)});
}

// The measured variances of q·k for d_k = 1, 2, 4, …
inline std::string svg_variance(const std::vector<double>& variances) {
  draw::Series line{"variance = d_k", {1, 512}, {1, 512}}, plain{"q·k, measured", {}, {}, true},
      scaled{"q·k/√d_k, measured", {}, {}, true};
  double d_k = 1;
  for (const double variance : variances) {
    plain.x.push_back(d_k), plain.y.push_back(variance);
    scaled.x.push_back(d_k), scaled.y.push_back(variance / d_k);
    d_k *= 2;
  }
  return draw::svg_chart({"The variance of q·k grows as d_k",
                          {.label = "d_k", .logarithmic = true},
                          {.label = "variance", .logarithmic = true},
                          {line, plain, scaled}});
}

// passed_on(deviation) gives 400 lengths in order.
inline std::string svg_saturated(std::vector<double> (*passed_on)(double deviation)) {
  draw::Series half{"1/2, the bound", {0.1, 100}, {0.5, 0.5}}, largest{"largest of 400", {}, {}},
      median{"median of 400", {}, {}};
  for (int i = 0; i <= 36; ++i) {
    const double deviation = std::pow(10.0, i / 12.0 - 1);
    const std::vector<double> passed = passed_on(deviation);
    largest.x.push_back(deviation), largest.y.push_back(passed[399]);
    median.x.push_back(deviation), median.y.push_back(passed[200]);
  }
  const draw::Series with{"d_k = 512, with 1/√d_k", {1}, {passed_on(1)[200]}, true},
      without{"d_k = 512, without", {22.6}, {passed_on(22.6)[200]}, true};
  return draw::svg_chart({"What softmax lets pass of a cotangent of length 1",
                          {.label = "standard deviation of the scores", .logarithmic = true},
                          {.label = "length that arrives", .logarithmic = true},
                          {half, largest, median, with, without}});
}

inline std::string svg_masks(const Tensor& Q, const Tensor& K, const BoolArray& future,
                             const BoolArray& padding) {
  const auto map = [&](const char* title, const BoolArray& visible) {
    return draw::Heatmap{pattern_of(Q, K, visible).array(), {}, {}, title, visible};
  };
  return draw::svg_sheet(
      {"One pattern under four masks",
       {map("no mask", BoolArray({8, 8}, true)), map("causal", future),
        map("keys 0 to 2 are padding", padding), map("causal and padding", both(future, padding))},
       2});
}

}  // namespace headlight::lesson

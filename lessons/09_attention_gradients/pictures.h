// What lesson 9 draws.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/diagram.h"
#include "headlight/ops/ops.h"
#include "layer.h"
#include "shapes.h"

namespace headlight::lesson {

// The matrix, with the hidden key of the example faint.
inline draw::DrawnMatrix drawn(const std::string& before, const std::string& name, const Array& x,
                               int decimals, draw::CellStyle style = draw::CellStyle::plain) {
  draw::DrawnMatrix matrix = draw::matrix_of(before, name, x, decimals, style);
  if (columns(x) == 3) matrix.rows[1][2].style = draw::CellStyle::faint;
  return matrix;
}

inline std::string svg_softmax(const Array& dP, const std::vector<double>& sums, const Array& P,
                               const Array& dS) {
  return draw::svg_matrices(
      "From dP to dS: first subtract the row sum, then multiply by the weight",
      {drawn("(", "dP", dP, 0),
       drawn("−", "row sum of P ⊙ dP", reshape_to(tensor(sums), {sums.size(), 1}).array(), 1),
       drawn(")  ⊙", "P", P, 2), drawn("=", "dS", tidy(Tensor(dS)).array(), 2, draw::CellStyle::strong)});
}

// The two tiles of section 7, and the numbers of whole rows that they need.
inline std::string svg_tiles(const Tile& one, const Tile& two, const Tensor& log_sums,
                             const std::vector<double>& sums) {
  using draw::CellStyle, draw::matrix_of;
  const Array row_sums = reshape_to(tensor(sums), {sums.size(), 1}).array();
  std::vector<std::vector<draw::DrawnMatrix>> lines;
  for (const auto& [of, tile] : {std::pair{", keys 0 and 1", one}, {", key 2", two}}) {
    lines.push_back({matrix_of("", std::string("S") + of, tile.S, 2),
                     matrix_of("−", "log Σ e^s, kept", log_sums.array(), 2, CellStyle::strong),
                     matrix_of("→ exp →", std::string("P") + of, tile.P, 2)});
    for (auto& row : lines.back()[0].rows)
      for (draw::Cell& cell : row)
        if (cell.text == "-inf") cell = {"−∞", CellStyle::faint};
  }
  for (const auto& [of, tile] : {std::pair{", keys 0 and 1", one}, {", key 2", two}})
    lines.push_back({matrix_of("", std::string("dP") + of, tile.back.dP),
                     matrix_of("−", "row sum of Z ⊙ dZ", row_sums, 1, CellStyle::strong),
                     matrix_of("→ ⊙ P →", std::string("dS") + of, tidy(Tensor(tile.back.dS)).array(), 2)});
  return draw::svg_matrix_lines("Two tiles: the marked numbers are those of whole rows, the others of a tile",
                                lines);
}

inline const Sides kSides = {{"n", {4, "#0072b2"}},
                             {"m", {6, "#d55e00"}},
                             {"d_k", {3.4, "#009e73"}},
                             {"d_v", {5, "#cc79a7"}},
                             {"d", {7, "#8a6d00"}}};

inline std::string svg_values() {
  return svg_shapes(
      "Forward and backward pass of the weighted mean",
      {{"forward", {{"", "Z", "n", "d_v", true}, {"=", "P", "n", "m"}, {"·", "V", "m", "d_v"}}},
       {"backward to V", {{"", "dV", "m", "d_v", true}, {"=", "Pᵀ", "m", "n"}, {"·", "dZ", "n", "d_v"}}},
       {"backward to P", {{"", "dP", "n", "m", true}, {"=", "dZ", "n", "d_v"}, {"·", "Vᵀ", "d_v", "m"}}}},
      kSides);
}

inline std::string svg_scores() {
  return svg_shapes(
      "Forward and backward pass of the scores, without the factor 1/√d_k",
      {{"forward", {{"", "S", "n", "m", true}, {"=", "Q", "n", "d_k"}, {"·", "Kᵀ", "d_k", "m"}}},
       {"backward to Q", {{"", "dQ", "n", "d_k", true}, {"=", "dS", "n", "m"}, {"·", "K", "m", "d_k"}}},
       {"backward to K", {{"", "dK", "m", "d_k", true}, {"=", "dSᵀ", "m", "n"}, {"·", "Q", "n", "d_k"}}}},
      kSides);
}

inline std::string svg_projections() {
  return svg_shapes(
      "Forward and backward pass of the projections of self-attention",
      {{"forward, 3 times", {{"", "Q", "n", "d_k", true}, {"=", "X", "n", "d"}, {"·", "W_Q", "d", "d_k"}}},
       {"backward to W_Q", {{"", "dW_Q", "d", "d_k", true}, {"=", "Xᵀ", "d", "n"}, {"·", "dQ", "n", "d_k"}}},
       {"backward to X: by Q",
        {{"", "dX", "n", "d", true}, {"=", "dQ", "n", "d_k"}, {"·", "W_Qᵀ", "d_k", "d"}}},
       {"by K", {{"", "", "n", "d", true}, {"+", "dK", "n", "d_k"}, {"·", "W_Kᵀ", "d_k", "d"}}},
       {"by V", {{"", "", "n", "d", true}, {"+", "dV", "n", "d_v"}, {"·", "W_Vᵀ", "d_v", "d"}}}},
      kSides);
}

}  // namespace headlight::lesson

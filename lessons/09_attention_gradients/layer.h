// What lesson 9 computes with beside the backward pass: its example, a layer in steps that the tape sees,
// measured cotangents, and what it draws.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "headlight/core/math.h"
#include "headlight/core/rng.h"
#include "headlight/draw/diagram.h"
#include "headlight/ops/ops.h"
#include "shapes.h"

namespace headlight::lesson {

using Named = std::map<std::string, Tensor>;

inline constexpr Real kNever = -std::numeric_limits<Real>::infinity();

inline double dot(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }
inline Array zeros_like(const Array& x) { return full_array(x.shape(), 0); }
inline std::size_t rows(const Array& x) { return x.shape()[0]; }
inline std::size_t columns(const Array& x) { return x.shape()[1]; }

// Without what rounding leaves of a 0.
inline Tensor tidy(const Tensor& x) {
  Array numbers = x.array();
  for (double& number : numbers) number = std::round(number * 1e9) / 1e9 + 0.0;
  return Tensor(numbers);
}

// x with `by` added to one number.
inline Tensor raised(const Tensor& x, std::size_t number, double by) {
  Array numbers = x.array();
  numbers.data()[number] += by;
  return Tensor(numbers);
}

// The example that the text follows: two queries, three keys, and the third key is hidden from query 1.
struct Example {
  Tensor Q = tensor({{2 * math::log(2), 0, 1, 0}, {0, 2 * math::log(3), 1, 0}});
  Tensor K = tensor({{1, 0, 3, 1}, {0, 1, 3, -1}, {0, 0, 3, 2}});
  Tensor V = tensor({{8, 0}, {0, 8}, {4, 4}});
  Tensor dZ = tensor({{1, 2}, {3, 1}});
  BoolArray hidden{{false, false, false}, {false, false, true}};

  Tensor scores() const { return masked_fill(matmul(Q, transpose(K)) / 2, hidden, kNever); }
  Tensor pattern() const { return softmax(scores()); }
};

// What each step of the backward pass finds.
struct ValuesBack {
  Array dV, dP;
};
struct ScoresBack {
  Array dQ, dK;
};
struct ProjectionBack {
  Tensor dX, dW;
};
struct Tile {
  Tensor S, P, dP, dS, dQ, dK, dV;
};

// (B,n,H·c) → (B,H,n,c)
inline Tensor apart(const Tensor& x, std::size_t heads) {
  return permute(reshape_to(x, {x.length(0), x.length(1), heads, x.length(2) / heads}), {0, 2, 1, 3});
}

// (B,H,n,c) → (B,n,H·c)
inline Tensor together(const Tensor& x) {
  return reshape_to(permute(x, {0, 2, 1, 3}), {x.length(0), x.length(2), x.length(1) * x.length(3)});
}

// Matrix (b,h) of x (B,H,n,c).
inline Array matrix(const Tensor& x, int b, int h) {
  const Tensor part = slice(slice(x, 0, b, b + 1), 1, h, h + 1);
  return reshape_to(part, {x.length(2), x.length(3)}).array();
}

// From X (B,n,d), W_Q, W_K, W_V and W_O to Y (B,n,d): all steps by name, S and P of shape (B,H,n,n).
// A name in `free` is not computed: its tensor takes the place of the step.
inline Named attend(const Named& in, std::size_t heads, const Named& free = {}) {
  Named steps;
  const auto step = [&](const std::string& name, const Tensor& computed) {
    return steps[name] = free.contains(name) ? free.at(name) : computed;
  };
  const Tensor X = step("X", in.at("X"));
  const Tensor Q = step("Q", matmul(X, step("W_Q", in.at("W_Q"))));
  const Tensor K = step("K", matmul(X, step("W_K", in.at("W_K"))));
  const Tensor V = step("V", matmul(X, step("W_V", in.at("W_V"))));
  const double scale = 1 / std::sqrt(static_cast<double>(Q.length(2) / heads));
  const Tensor S = step("S", matmul(apart(Q, heads), apart(K, heads), {.transpose_y = true}) * scale);
  const BoolArray seen = visible_keys(X.length(1), X.length(1), {.causal = true});
  const Tensor P = step("P", softmax(masked_fill(S, !seen, kNever)));
  const Tensor Z = step("Z", together(matmul(P, apart(V, heads))));
  step("Y", matmul(Z, step("W_O", in.at("W_O"))));
  return steps;
}

// The layer of sections 5 and 6: two sequences of three tokens, two heads of width 2.
struct Layer {
  Named in;
  Tensor dY;
  std::size_t heads = 2;
  Layer() {
    Rng rng(9);
    for (const char* name : {"X", "W_Q", "W_K", "W_V", "W_O"}) {
      const bool input = name[0] == 'X';
      in[name] = parameter(randn(input ? Shape{2, 3, 4} : Shape{4, 4}, rng, input ? 1 : 0.7));
    }
    dY = randn({2, 3, 4}, rng);
  }
};

// The largest difference, relative to the largest number.
inline double difference(const Tensor& a, const Tensor& b) {
  return max(abs(a - b)).item() / max(maximum(abs(a), abs(b))).item();
}

// The cotangent of a step, measured: the step is replaced by numbers of our choice.
inline Tensor measured(const Layer& layer, const Named& pass, const std::string& name) {
  constexpr double h = 1e-5;
  const auto loss = [&](const Tensor& free) {
    return dot(layer.dY, attend(layer.in, layer.heads, {{name, free}}).at("Y"));
  };
  Array slopes = pass.at(name).array();
  for (std::size_t i = 0; i < slopes.size(); ++i)
    slopes.data()[i] = (loss(raised(pass.at(name), i, h)) - loss(raised(pass.at(name), i, -h))) / (2 * h);
  return Tensor(slopes);
}

// The matrix, with the hidden key of the example faint.
inline draw::DrawnMatrix drawn(const std::string& before, const std::string& name, const Array& x,
                               int decimals, draw::CellStyle style = draw::CellStyle::plain) {
  draw::DrawnMatrix matrix = draw::matrix_of(before, name, x, decimals, style);
  if (columns(x) == 3) matrix.rows[1][2].style = draw::CellStyle::faint;
  return matrix;
}

// The two tiles of section 7, and the numbers of whole rows that they need.
inline std::string svg_tiles(const Tile& one, const Tile& two, const Tensor& log_sums,
                             const Tensor& row_sums) {
  using draw::CellStyle, draw::matrix_of;
  std::vector<std::vector<draw::DrawnMatrix>> lines;
  for (const auto& [of, tile] : {std::pair{", keys 0 and 1", one}, {", key 2", two}}) {
    lines.push_back({matrix_of("", std::string("S") + of, tile.S.array(), 2),
                     matrix_of("−", "log Σ e^s, kept", log_sums.array(), 2, CellStyle::strong),
                     matrix_of("→ exp →", std::string("P") + of, tile.P.array(), 2)});
    for (auto& row : lines.back()[0].rows)
      for (draw::Cell& cell : row)
        if (cell.text == "-inf") cell = {"−∞", CellStyle::faint};
  }
  for (const auto& [of, tile] : {std::pair{", keys 0 and 1", one}, {", key 2", two}})
    lines.push_back({matrix_of("", std::string("dP") + of, tile.dP.array()),
                     matrix_of("−", "row sum of Z ⊙ dZ", row_sums.array(), 1, CellStyle::strong),
                     matrix_of("→ ⊙ P →", std::string("dS") + of, tile.dS.array(), 2)});
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

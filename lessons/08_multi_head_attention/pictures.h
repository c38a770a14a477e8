// What lesson 8 draws.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

using draw::CellStyle;

// A matrix in which the numbers of head 1 are coloured: those for which `strong` is true.
inline draw::DrawnMatrix drawn(const std::string& before, const std::string& name, const Tensor& x,
                               const std::function<bool(std::size_t row, std::size_t column)>& strong) {
  draw::DrawnMatrix matrix = draw::matrix_of(before, name, x.array());
  for (std::size_t i = 0; i < matrix.rows.size(); ++i)
    for (std::size_t j = 0; j < matrix.rows[i].size(); ++j)
      if (strong(i, j)) matrix.rows[i][j].style = CellStyle::strong;
  return matrix;
}

// x (3,4), cut into two heads (3,2): by columns, and by a reshape alone. Numbers of columns 2 and 3 are
// coloured wherever they stand.
inline std::string svg_cuts(const Tensor& x, const Tensor& by_columns, const Tensor& by_reshape) {
  const auto of_head_1 = [](const Tensor& heads, int head) {
    const Tensor one = reshape(slice(heads, 0, head, head + 1), {3, 2});
    return drawn(
        head == 0 ? "→" : "", fmt::format("head {}", head), one,
        [one](std::size_t i, std::size_t j) { return static_cast<int>(one.array()(i, j)) % 10 >= 2; });
  };
  const draw::DrawnMatrix all =
      drawn("", "x", x, [](std::size_t, std::size_t column) { return column >= 2; });
  return draw::svg_matrix_lines("Two heads: split by columns (above), and by a reshape alone (below)",
                                {{all, of_head_1(by_columns, 0), of_head_1(by_columns, 1)},
                                 {all, of_head_1(by_reshape, 0), of_head_1(by_reshape, 1)}});
}

// z (1,4) times W_O (4,4), at once and head by head.
inline std::string svg_sum_of_heads() {
  const Tensor z = tensor({{1, 2, 3, 0}}),
               W_O = tensor({{1, 0, 2, 0}, {0, 1, 0, -1}, {2, 1, 0, 0}, {0, 0, 1, 1}});
  const auto part = [&](int from, int to, const std::string& name, const std::string& of) {
    const bool both = to - from == 4, strong = from == 2;
    const Tensor left = slice(z, 1, from, to), right = slice(W_O, 0, from, to);
    return std::vector<draw::DrawnMatrix>{
        drawn("", name, left, [=](std::size_t, std::size_t j) { return strong || (both && j >= 2); }),
        drawn("·", "W_O" + of, right, [=](std::size_t i, std::size_t) { return strong || (both && i >= 2); }),
        drawn("=", both ? "output" : "what it adds", matmul(left, right),
              [=](std::size_t, std::size_t) { return strong; })};
  };
  return draw::svg_matrix_lines(
      "The output is the sum of what each head adds",
      {part(0, 4, "z of both heads", ""), part(0, 2, "z of head 0", ", rows 0 and 1"),
       part(2, 4, "z of head 1", ", rows 2 and 3")});
}

// What layers cost, as multiples of the first one's cost.
inline std::string svg_cost(const std::vector<double>& heads, std::vector<double> weights,
                            std::vector<double> multiply_adds) {
  for (std::vector<double>* costs : {&weights, &multiply_adds}) {
    const double of_first = costs->front();
    for (double& cost : *costs) cost /= of_first;
  }
  return draw::svg_chart(
      {"What a layer costs, compared with one head",
       {.label = "heads", .first = 0, .last = 16},
       {.label = "times as much", .first = 0, .last = 16},
       {{"weights in the patterns", heads, weights}, {"multiply-adds", heads, multiply_adds}}});
}

// The head of keys and values that each of 8 query heads reads, where there are 8, 2 and 1 of them. A number
// that only repeats is hatched.
inline std::string svg_sharing() {
  const auto line = [](const std::string& name, std::size_t heads) {
    draw::DrawnMatrix row{"", name, {{}}, ""};
    for (std::size_t i = 0; i < 8; ++i) {
      const bool repeats = i > 0 && i * heads / 8 == (i - 1) * heads / 8;
      row.rows[0].push_back(
          {fmt::format("{}", i * heads / 8), repeats ? CellStyle::copied : CellStyle::strong});
    }
    return std::vector{row};
  };
  std::vector<draw::DrawnMatrix> queries = line("head of queries", 8);
  for (draw::Cell& cell : queries[0].rows[0]) cell.style = CellStyle::plain;
  return draw::svg_matrix_lines("Which keys and values it reads",
                                {queries, line("one of 8 heads: its own", 8),
                                 line("one of 2 heads: shared by 4", 2), line("1 head: shared by all", 1)});
}

// A pattern with its tokens around it, and every weight above a half coloured.
inline draw::DrawnMatrix labelled(const std::string& name, const Tensor& pattern,
                                  const std::vector<std::string>& queries,
                                  const std::vector<std::string>& keys) {
  draw::DrawnMatrix table{"", name, {{{"", CellStyle::faint}}}, "row: query, column: key"};
  for (const std::string& key : keys) table.rows[0].push_back({key, CellStyle::faint});
  for (std::size_t i = 0; i < queries.size(); ++i) {
    table.rows.push_back({{queries[i], CellStyle::faint}});
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double weight = pattern.array()(i, j);
      table.rows.back().push_back(
          {fmt::format("{:.1f}", weight), weight > 0.5 ? CellStyle::strong : CellStyle::plain});
    }
  }
  return table;
}

// The patterns (1,2,3,4) of section 7.
inline std::string svg_cross(const Tensor& patterns) {
  const auto table = [&](const char* name, int head) {
    return labelled(name, reshape(slice(patterns, 1, head, head + 1), {3, 4}), {"D", "C", "A"},
                    {"B", "A", "D", "C"});
  };
  return draw::svg_matrices("One layer of cross-attention, two heads",
                            {table("head 0: the same letter", 0), table("head 1: the same position", 1)});
}

}  // namespace headlight::lesson

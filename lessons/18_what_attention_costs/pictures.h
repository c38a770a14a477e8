// The pictures of lesson 18.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headlight/core/math.h"
#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"

namespace headlight::lesson {

using Cost = std::function<double(double n, double d)>;

// The multiply-adds of both terms against the number of tokens.
inline std::string svg_terms(const std::vector<double>& lengths, double d, const Cost& projections,
                             const Cost& pairs) {
  draw::Series linear{"projections, 4·n·d²", lengths, {}}, quadratic{"pairs, 2·n²·d", lengths, {}};
  for (const double n : lengths) linear.y.push_back(projections(n, d)), quadratic.y.push_back(pairs(n, d));
  return draw::svg_chart({"Multiply-adds of a layer of width 512",
                          {.label = "tokens", .logarithmic = true},
                          {.label = "multiply-adds", .logarithmic = true},
                          {linear, quadratic}});
}

// The numbers that a layer holds against the number of tokens.
inline std::string svg_numbers(const std::vector<double>& lengths, double d, double h) {
  draw::Series linear{"Q, K, V and Z", lengths, {}}, quadratic{"the patterns of 8 heads", lengths, {}};
  for (const double n : lengths) linear.y.push_back(4 * n * d), quadratic.y.push_back(h * n * n);
  return draw::svg_chart({"Numbers that a layer of width 512 holds",
                          {.label = "tokens", .logarithmic = true},
                          {.label = "numbers", .logarithmic = true},
                          {linear, quadratic}});
}

// A block of one row, and what is known after it.
struct RunningStep {
  std::vector<double> scores, values;
  double factor, m, l, o;
};

inline std::string svg_running(const std::vector<RunningStep>& steps) {
  const auto row = [](const std::string& before, const std::string& name, const std::vector<double>& numbers,
                      int decimals, draw::CellStyle style) {
    Array x = Array::from_shape({1, numbers.size()});
    for (std::size_t j = 0; j < numbers.size(); ++j) x(0, j) = numbers[j];
    draw::DrawnMatrix drawn = draw::matrix_of(before, name, x, decimals, style);
    drawn.note.clear();
    return drawn;
  };
  std::vector<std::vector<draw::DrawnMatrix>> lines;
  for (const RunningStep& step : steps) {
    std::vector<double> powers;
    for (const double s : step.scores) powers.push_back(math::exp(s - step.m));
    lines.push_back({row("", "scores", step.scores, 2, draw::CellStyle::plain),
                     row("→", "m", {step.m}, 2, draw::CellStyle::strong),
                     row("", "factor", {step.factor}, 2, draw::CellStyle::plain),
                     row("", "powers", powers, 3, draw::CellStyle::plain),
                     row("→", "l", {step.l}, 3, draw::CellStyle::strong),
                     row("", "values", step.values, 0, draw::CellStyle::plain),
                     row("→", "o", {step.o}, 0, draw::CellStyle::strong)});
  }
  return draw::svg_matrix_lines("A row of six keys in three blocks: m, l and o after each", lines);
}

// The tiles of a causal pattern, so many in a row: computed whole, computed with a mask, skipped.
inline std::string svg_tiles(std::size_t side) {
  draw::DrawnMatrix tiles{"", "a block of keys in each column", {}, "a block of queries in each row"};
  for (std::size_t i = 0; i < side; ++i) {
    tiles.rows.emplace_back();
    for (std::size_t j = 0; j < side; ++j)
      tiles.rows.back().push_back(j < i    ? draw::Cell{"all", draw::CellStyle::plain}
                                  : j == i ? draw::Cell{"part", draw::CellStyle::strong}
                                           : draw::Cell{"", draw::CellStyle::faint});
  }
  return draw::svg_matrices("Which tiles of a causal pattern are computed", {tiles});
}

}  // namespace headlight::lesson

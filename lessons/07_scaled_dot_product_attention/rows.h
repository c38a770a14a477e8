// Rows of numbers as lesson 7 prints and measures them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "written.h"

namespace headlight::lesson {

// A matrix with a heading.
struct Titled {
  std::string title;
  Tensor matrix;
  int decimals = 2;
};

// Matrices with equally many rows, side by side below their headings.
inline void show_rows(const std::vector<Titled>& all) {
  const std::size_t rows = all[0].matrix.length(0);
  std::vector<std::string> lines(rows + 1);
  for (const Titled& each : all) {
    std::vector<std::string> cells = {each.title};
    for (int i = 0; i < static_cast<int>(rows); ++i)
      cells.push_back(written(slice(each.matrix, 0, i, i + 1), each.decimals));
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    for (std::size_t i = 0; i <= rows; ++i) lines[i] += fmt::format("{:<{}}   ", cells[i], width);
  }
  for (const std::string& line : lines) say("  {}", line.substr(0, line.find_last_not_of(' ') + 1));
}

// The rows, each stretched to length 1.
inline Tensor of_length_1(const Tensor& rows) { return rows / sqrt(sum(rows * rows, {-1}, true)); }

// The lengths of the rows, sorted.
inline std::vector<double> lengths_of(const Tensor& rows) {
  const Array squares = sum(rows * rows, {-1}).array();
  std::vector<double> all;
  for (Real square : squares) all.push_back(std::sqrt(square));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace headlight::lesson

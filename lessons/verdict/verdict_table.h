// Small tables of numbers for a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/shown.h"

namespace headlight::grader {

struct TableLayout {
  std::size_t columns = 80;   // of the terminal
  std::size_t most_rows = 8;  // the others are left out, with "…"
  int digits = 6;             // of a number
  std::optional<std::size_t> mark =
      {};  // the number, in row-major order, under which a ^ stands; it is never left out
};

// A line for each row along the last axis. With three axes or more each line starts with its index along the
// others.
std::vector<std::string> table(const Shown& shown, const TableLayout& layout);

// With so many significant digits, and none after the point that are not needed: "2", "0.125", "1e-12",
// "NaN".
std::string in_digits(double number, int digits);

// Two blocks of lines side by side, the second at column `at`.
std::vector<std::string> beside(const std::vector<std::string>& left, const std::vector<std::string>& right,
                                std::size_t at);

}  // namespace headlight::grader

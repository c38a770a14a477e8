// Rows of numbers as lesson 6 prints them.
#pragma once

#include <fmt/core.h>

#include <string>

#include "headlight/autograd/tensor.h"

namespace headlight::lesson {

// All numbers in one row, and no minus before a zero.
inline std::string written(const Tensor& x, int decimals = 4) {
  std::string row;
  for (const Real number : x.array()) {
    const std::string text = fmt::format("{:.{}f}", number, decimals);
    const bool zero = text.find_first_not_of("-0.") == std::string::npos;
    row += (row.empty() ? "" : ", ") + (zero ? fmt::format("{:.{}f}", 0.0, decimals) : text);
  }
  return "[" + row + "]";
}

inline std::string written(const IntArray& tokens) {
  std::string row;
  for (const int token : tokens) row += (row.empty() ? "" : ", ") + std::to_string(token);
  return "[" + row + "]";
}

}  // namespace headlight::lesson

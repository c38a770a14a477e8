// Numbers and rows of numbers as lessons 5 to 7 print them.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "headlight/ops/ops.h"

namespace headlight::lesson {

// A number with so many decimals, no minus before a zero, and words for what is no number.
inline std::string written(double x, int decimals = 4) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "∞" : "-∞";
  const std::string text = fmt::format("{:.{}f}", x, decimals);
  return text.find_first_not_of("-0.") == std::string::npos ? fmt::format("{:.{}f}", 0.0, decimals) : text;
}

inline std::string written(const Tensor& x, int decimals = 4) {
  std::string row;
  for (Real number : x.array()) row += (row.empty() ? "" : ", ") + written(number, decimals);
  return "[" + row + "]";
}

inline std::string written(const IntArray& tokens) {
  std::string row;
  for (const int token : tokens) row += (row.empty() ? "" : ", ") + std::to_string(token);
  return "[" + row + "]";
}

}  // namespace headlight::lesson

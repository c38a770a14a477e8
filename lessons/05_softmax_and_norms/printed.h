// Numbers as lesson 5 prints them.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "headlight/ops/ops.h"

namespace headlight::lesson {

// A number with so many decimals, and words for what is no number.
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

}  // namespace headlight::lesson

#include "headlight/system/percent.h"

#include <fmt/core.h>

#include <cmath>

namespace headlight {

std::string percent_number(double part, int decimals) {
  const auto digits = [&](double x) { return fmt::format("{:.{}f}", x, decimals); };
  const double least = std::pow(10, -decimals);
  if (part < 1 && digits(100 * part) == digits(100)) return ">" + digits(100 - least);
  if (part > 0 && digits(100 * part) == digits(0)) return "<" + digits(least);
  return digits(100 * part);
}

std::string percent(double part, int decimals) { return percent_number(part, decimals) + " %"; }

}  // namespace headlight

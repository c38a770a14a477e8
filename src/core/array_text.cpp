#include "headlight/core/array_text.h"

#include <cmath>
#include <ostream>

namespace headlight {
namespace {

void append_numbers(const Array& x, std::size_t axis, std::size_t& at, int decimals, std::string& out) {
  if (axis == x.dimension()) {
    const double number = static_cast<double>(x.data()[at++]);
    // The sign of a NaN differs between processors.
    out += std::isnan(number) ? "nan" : fmt::format("{:.{}f}", number, decimals);
    return;
  }
  out += '[';
  for (std::size_t i = 0; i < x.shape()[axis]; ++i) {
    if (i > 0) out += axis + 1 == x.dimension() ? ", " : ",\n" + std::string(axis + 1, ' ');
    append_numbers(x, axis + 1, at, decimals, out);
  }
  out += ']';
}

}  // namespace

std::string to_string(const Array& x, int decimals) {
  check(decimals >= 0, "[to_string] expected at least 0 decimals, got {}.", decimals);
  std::string out;
  std::size_t at = 0;
  append_numbers(x, 0, at, decimals, out);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Array& x) { return out << to_string(x); }

}  // namespace headlight

#include "signed_scale.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"

namespace headlight::draw {
namespace {

struct Ramp {
  Color middle, end;
};
constexpr Color kZero{10, 10, 24};
constexpr Ramp kAbove{{166, 68, 22}, {255, 200, 110}}, kBelow{{28, 78, 160}, {140, 210, 255}};

Color between(Color a, Color b, double t) {
  const auto mix = [t](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround((1 - t) * from + t * to));
  };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

}  // namespace

Color signed_color(double value) {
  const Ramp& ramp = value < 0 ? kBelow : kAbove;
  const double at = 2 * clamped(std::abs(value));
  return at <= 1 ? between(kZero, ramp.middle, at) : between(ramp.middle, ramp.end, at - 1);
}

void check_signed_map(const SignedMap& map) {
  check(!map.values.empty() && !map.columns.empty() && map.rows.size() == map.values.size(),
        "[signed map] expected a label for each of {} rows, and a column at least; got {} labels and {} "
        "columns.",
        map.values.size(), map.rows.size(), map.columns.size());
  for (const auto& row : map.values) {
    check(row.size() == map.columns.size(), "[signed map] expected {} numbers in each row, got {}.",
          map.columns.size(), row.size());
    for (const auto& value : row)
      check(!value || std::isfinite(*value), "[signed map] expected finite numbers, got {}.",
            value.value_or(0));
  }
}

double largest_magnitude(const SignedMap& map) {
  double largest = 0;
  for (const auto& row : map.values)
    for (const auto& value : row) largest = std::max(largest, std::abs(value.value_or(0)));
  return largest > 0 ? largest : 1;
}

std::string signed_number(double value, int decimals) {
  const std::string text = fmt::format("{:+.{}f}", value, decimals);
  return text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

std::string signed_legend(const SignedMap& map) {
  const double largest = largest_magnitude(map);
  return fmt::format("{} … {}{}; row = {}, column = {}", signed_number(-largest, map.decimals),
                     signed_number(largest, map.decimals), map.unit.empty() ? "" : " " + map.unit,
                     map.row_name, map.column_name);
}

}  // namespace headlight::draw

#include "scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headlight/core/check.h"

namespace headlight::draw {
namespace {

struct Extent {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();

  void include(double value) {
    first = std::min(first, value);
    last = std::max(last, value);
  }
};

std::string superscript(int exponent) {
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "⁻" : "";
  for (char digit : std::to_string(std::abs(exponent))) out += kDigits[digit - '0'];
  return out;
}

std::string with_decimals(double value, int decimals) {
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), std::max(0, decimals));
  return (value < 0 && digits.find_first_not_of("0.") != std::string::npos ? "−" : "") + digits;
}

// A label with enough digits to tell neighbours apart that differ by `step` = 1, 2 or 5 times 10^exponent.
std::string label(double value, double largest, int exponent) {
  if (value == 0) return "0";
  if (largest < 1e6 && largest >= 1e-3) return with_decimals(value, -exponent);
  const int power = static_cast<int>(std::floor(std::log10(largest)));
  return with_decimals(value / std::pow(10.0, power), power - exponent) + "×10" + superscript(power);
}

Scale linear_scale(Extent range, const Axis& axis, int count, double least_step) {
  static constexpr double kLeast = 1e-300;  // powers of ten far below are no longer exact numbers
  const double low = axis.first.value_or(range.first), high = axis.last.value_or(range.last);
  if ((range.first == range.last || std::abs(high - low) < kLeast) && !(axis.first && axis.last)) {
    const double around = std::abs(range.first) < kLeast ? 1 : std::abs(range.first) / 2;
    range = {range.first - around, range.last + around};
  }
  double first = axis.first.value_or(range.first), last = axis.last.value_or(range.last);
  const auto check_ends = [&, from = first, to = last] {
    check(last - first >= kLeast && std::isfinite(last - first),
          "[chart] the axis '{}' cannot go from {} to {}.", axis.label, from, to);
  };
  check_ends();
  const double rough = std::max((last - first) / count, least_step);
  int exponent = static_cast<int>(std::floor(std::log10(rough)));
  const double unit = std::pow(10.0, exponent), leading = rough / unit;
  double step = (leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 5 ? 5 : 10) * unit;
  if (leading > 5) ++exponent;
  if (!axis.first) first = std::floor(first / step + 1e-9) * step;
  if (!axis.last) last = std::ceil(last / step - 1e-9) * step;
  check_ends();

  Scale scale{first, last, false, {}};
  const double start = std::ceil(first / step - 1e-9), largest = std::max(std::abs(first), std::abs(last));
  for (int i = 0; i <= 4 * count; ++i) {
    const double value = (start + i) * step;
    if (value > last + 1e-9 * step) break;
    scale.ticks.push_back({value, label(value, largest, exponent)});
  }
  return scale;
}

Scale logarithmic_scale(Extent range, const Axis& axis, int count) {
  static constexpr double kLowest = -300;  // powers below are no longer exact numbers
  const auto decade = [](double exponent) { return std::pow(10.0, std::max(exponent, kLowest)); };
  double first = axis.first.value_or(decade(std::floor(std::log10(range.first) + 1e-9)));
  double last = axis.last.value_or(decade(std::ceil(std::log10(range.last) - 1e-9)));
  if (first == last && !axis.last) last = first * 10;
  check(first > 0 && first < last && std::isfinite(last),
        "[chart] the logarithmic axis '{}' cannot go from {} to {}.", axis.label, first, last);

  Scale scale{first, last, true, {}};
  const int low = static_cast<int>(std::ceil(std::log10(first) - 1e-9));
  const int high = static_cast<int>(std::floor(std::log10(last) + 1e-9));
  if (high - low >= 2) {
    const int stride = (high - low + count - 1) / count;
    for (int power = low; power <= high; power += stride)
      scale.ticks.push_back({std::pow(10.0, power), "10" + superscript(power)});
    return scale;
  }
  for (int power = low - 1; power <= high; ++power)
    for (double leading : {1.0, 2.0, 5.0}) {
      const double value = leading * std::pow(10.0, power);
      if (value < first * (1 - 1e-9) || value > last * (1 + 1e-9)) continue;
      scale.ticks.push_back({value, label(value, value, power)});
    }
  return scale;
}

Scale scale_of(const Chart& chart, const Axis& axis, std::vector<double> Series::*values, int count) {
  Extent range;
  bool whole = true;
  for (const Series& series : chart.series)
    for (double value : series.*values) {
      check(std::isfinite(value), "[chart] the series '{}' has a number that is not finite.", series.name);
      check(!axis.logarithmic || value > 0,
            "[chart] the series '{}' has {} on the logarithmic axis '{}': expected positive numbers.",
            series.name, value, axis.label);
      range.include(value);
      whole = whole && value == std::round(value);
    }
  check(range.first <= range.last, "[chart] there are no points to draw.");
  // Steps, hops and threads are counted: no tick stands between two of them.
  const double least_step = whole && values == &Series::x && range.last > range.first ? 1 : 0;
  return axis.logarithmic ? logarithmic_scale(range, axis, count)
                          : linear_scale(range, axis, count, least_step);
}

}  // namespace

double Scale::at(double value) const {
  return logarithmic ? std::log(value / first) / std::log(last / first) : (value - first) / (last - first);
}

Scales scales_of(const Chart& chart, int x_ticks, int y_ticks) {
  for (const Series& series : chart.series)
    check(series.x.size() == series.y.size(), "[chart] the series '{}' has {} values of x and {} of y.",
          series.name, series.x.size(), series.y.size());
  return {scale_of(chart, chart.x, &Series::x, x_ticks), scale_of(chart, chart.y, &Series::y, y_ticks)};
}

}  // namespace headlight::draw

// Matrices and lists of numbers of both signs, in colours: green above 0, purple below, dark at 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headlight/draw/color.h"

namespace headlight::draw {

// From pale purple at -1 over near black at 0 to pale green at 1; clamped. Brightness grows evenly with the
// magnitude, so colour-blind readers see the same order.
Color signed_color(double value);

struct SignedMap {
  std::vector<std::vector<std::optional<double>>> values;  // (n,m), finite; absent: there is no such number
  std::vector<std::string> rows, columns;                  // n and m labels
  std::string title, row_name, column_name;                // "sender", "receiver"
  std::string unit;                                        // "nats"; may be empty
  bool numbers = true;  // write the numbers into the cells; false for large matrices
  int decimals = 2;
  std::vector<std::vector<std::string>> texts = {};  // (n,m), written in place of the numbers; may be empty
  bool magnitudes = false;  // no number is below 0, as norms: the colours of weights, from 0 to the largest
};

// A standalone SVG figure with labels and a colour bar, and with the numbers where the map has them and cells
// have room. The same map gives the same bytes. Throws Error for labels or texts that do not fit the values,
// and for numbers that are not finite, or below 0 among magnitudes.
std::string svg_signed_map(const SignedMap& map);

// A bar for each number, from 0 to the right or to the left.
struct Bars {
  std::string title, unit;
  std::vector<std::string> labels;
  std::vector<double> values;  // one for each label, finite
  int decimals = 2;
};

// A standalone SVG figure. Throws Error without bars, for labels that do not fit, and for numbers that are
// not finite.
std::string svg_bars(const Bars& bars);

}  // namespace headlight::draw

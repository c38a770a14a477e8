// All subsets of a few parts: what each part is worth, which sets are enough, and what each set comes to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headlight::draw {

struct SubsetChart {
  std::string title;
  std::string bar_name, value_name;      // "What each head adds to the accuracy", "accuracy"
  std::vector<std::string> parts;        // 1 … 16 labels: "L0H0"
  std::vector<double> bars;              // one for each part
  std::vector<double> values;            // (2ⁿ), by the bits of the parts that a set has
  std::vector<std::uint32_t> sets = {};  // the sets to show part by part, in order
  std::optional<double> enough = {};     // the value from which on a set is enough
};

// A standalone SVG figure: a bar above each part; below it the sets, with a disc for each part that a set
// has; at the bottom the values of all sets, by how many parts they have. The same chart gives the same
// bytes. Throws Error for numbers that do not fit the parts, or are not finite.
std::string svg_subset_chart(const SubsetChart& chart);

}  // namespace headlight::draw

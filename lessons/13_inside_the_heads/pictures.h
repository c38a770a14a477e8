// The pictures of lesson 13.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/sheet.h"
#include "headlight/draw/signed_map.h"
#include "headlight/draw/subset_chart.h"
#include "headlight/interpret/subsets.h"
#include "headlight/ops/attention.h"
#include "headlight/ops/rearrange.h"
#include "models.h"

namespace headlight::lesson {

// The patterns of all heads on a segment of 10 tokens that repeats. Two in a row, for narrow screens.
inline std::string svg_patterns(const Trained& t, const std::string& title) {
  const std::vector<std::int32_t> segment = Rng(3).distinct(10, kTokens);
  IntArray tokens = IntArray::from_shape({1, kTokens});
  for (std::size_t i = 0; i < kTokens; ++i) tokens(0, i) = segment[i % segment.size()];
  const interpret::CachedRun run = interpret::run_with_cache(t.model, tokens);
  draw::Sheet sheet{title, {}, 2};
  for (std::size_t layer = 0; layer < 2; ++layer) {
    const Tensor patterns(run.cache[interpret::pattern_name(layer)]);  // (1,heads,n,n)
    for (const interpret::HeadAt& head : heads_of(t.model, layer)) {
      const int h = static_cast<int>(head.head);
      sheet.maps.push_back({reshape(slice(patterns, 1, h, h + 1), {kTokens, kTokens}).array(),
                            {},
                            {},
                            interpret::head_code(head),
                            visible_keys(kTokens, kTokens, {.causal = true})});
    }
  }
  return draw::svg_sheet(sheet);
}

// The accuracy that each patched path costs.
inline std::string svg_paths(const std::vector<Patched>& rows, double accuracy,
                             const std::string& receivers) {
  draw::SignedMap lost{{},
                       {},
                       {"queries", "keys", "values"},
                       "Accuracy lost when one path is patched",
                       "from",
                       "into " + receivers,
                       "accuracy"};
  for (const Patched& row : rows) {
    lost.rows.push_back(row.sender.size() > 1 ? "all" : codes_of(row.sender));
    lost.values.emplace_back();
    for (const double left : {row.queries, row.keys, row.values})
      lost.values.back().push_back(std::max(0.0, accuracy - left));
  }
  return draw::svg_signed_map(lost);
}

// A number for each pair of tokens, relative to the largest.
inline std::string svg_tokens(const std::string& title, const Array& square, const std::string& row,
                              const std::string& column) {
  double largest = 0;
  for (const double x : square) largest = std::max(largest, std::abs(x));
  draw::SignedMap map{{}, {}, {}, title, row, column, ""};
  map.numbers = false;
  for (std::size_t i = 0; i < square.shape()[0]; ++i) {
    std::vector<std::optional<double>> line;
    for (std::size_t j = 0; j < square.shape()[1]; ++j) line.push_back(square(i, j) / largest);
    map.values.push_back(line);
    const std::string label = i % 8 == 0 ? fmt::format("{}", i) : "";
    map.rows.push_back(label), map.columns.push_back(label);
  }
  return draw::svg_signed_map(map);
}

inline std::string svg_places(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> places;
  for (std::size_t i = 0; i < first.size(); ++i) places.push_back(static_cast<double>(i));
  return draw::svg_chart({"Where the best head of layer 1 looks",
                          {.label = "places after the follower", .first = 0, .last = 7},
                          {.label = "weight", .first = 0, .last = 1},
                          {{"first model", places, first}, {"second model", places, second}}});
}

// What stands at the places around an earlier copy of the token A, in both circuits.
inline std::string svg_shifted() {
  using draw::Cell, draw::CellStyle;
  const auto row = [](const std::vector<std::string>& texts, std::size_t strong) {
    std::vector<Cell> cells{{texts[0], CellStyle::faint}};
    for (std::size_t i = 1; i < texts.size(); ++i)
      cells.push_back({texts[i], i == strong ? CellStyle::strong : CellStyle::plain});
    return cells;
  };
  const draw::DrawnMatrix ordinary{
      "",
      "ordinary: the key one place after A",
      {row({"token", "A", "B", "C", "D", "E", "F"}, 0), row({"key", "", "A", "B", "C", "D", "E"}, 2),
       row({"value", "A", "B", "C", "D", "E", "F"}, 2)},
      "the query A looks where the key is A, and reads B"};
  const draw::DrawnMatrix shifted{
      "",
      "shifted: the key five places after A",
      {row({"token", "A", "B", "C", "D", "E", "F"}, 0), row({"key", "", "", "", "", "", "A"}, 6),
       row({"value", "", "", "", "", "A", "B"}, 6)},
      "the query A looks where the key is A, and reads B"};
  return draw::svg_matrix_lines("Two circuits with the same answer", {{ordinary}, {shifted}});
}

// Bars, minimal sets and the accuracy of every set.
inline std::string svg_all_sets(const interpret::Subsets& subsets, const interpret::SufficientSets& found,
                                const std::vector<double>& values) {
  draw::SubsetChart chart{"All sets of heads of the first model",
                          "What each head adds to the accuracy (Shapley value)",
                          "accuracy",
                          {},
                          values,
                          subsets.accuracy,
                          found.minimal,
                          subsets.enough(0.9)};
  for (const interpret::HeadAt& head : subsets.heads) chart.parts.push_back(interpret::head_code(head));
  return draw::svg_subset_chart(chart);
}

}  // namespace headlight::lesson

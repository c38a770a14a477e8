#include <fmt/core.h>

#include <algorithm>

#include "headlight/draw/chart.h"

namespace headlight::draw {
namespace {

constexpr std::size_t kMostRows = 12;

std::string height_at(const Series& s, double x) {
  const auto next = std::lower_bound(s.x.begin(), s.x.end(), x);
  if (next == s.x.end() || (*next != x && (s.dots || next == s.x.begin()))) return "";
  const auto i = static_cast<std::size_t>(next - s.x.begin());
  if (*next == x) return fmt::format("{:.3f}", s.y[i]);
  const double way = (x - s.x[i - 1]) / (s.x[i] - s.x[i - 1]);
  return fmt::format("{:.3f}", s.y[i - 1] + way * (s.y[i] - s.y[i - 1]));
}

}  // namespace

Table chart_table(const Chart& chart) {
  std::vector<double> x;
  for (const Series& s : chart.series) x.insert(x.end(), s.x.begin(), s.x.end());
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  Table table{{chart.x.label}, {}};
  for (const Series& s : chart.series) table.head.push_back(s.name);
  const std::size_t rows = std::min(x.size(), kMostRows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double at = x[rows == 1 ? 0 : i * (x.size() - 1) / (rows - 1)];
    auto& row = table.rows.emplace_back(std::vector<std::string>{fmt::format("{}", at)});
    for (const Series& s : chart.series) row.push_back(height_at(s, at));
  }
  return table;
}

}  // namespace headlight::draw

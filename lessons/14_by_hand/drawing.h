// Matrices as coloured cells, with names on ranges of their rows and columns: the pictures of lesson 14.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "circuit.h"
#include "headlight/draw/color.h"
#include "headlight/draw/dark.h"

namespace headlight::lesson {

// A range of rows or columns with one name.
struct Band {
  std::string name;
  std::size_t size;
};

struct Cells {
  std::string name;  // above it
  Array numbers;     // (n,m)
  std::vector<Band> rows = {}, columns = {};
  bool shows_largest = false;  // write the number of largest size below it
};

// The page: from the cells' numbers to SVG.
class CellPage {
 public:
  CellPage(std::string title, double cell) : title_(std::move(title)), cell_(cell) {}

  // Below what is there: matrices side by side.
  void line(const std::vector<Cells>& matrices) {
    double left = 16, bottom = top_;
    for (const Cells& m : matrices) {
      left += margin(m.rows);
      bottom = std::max(bottom, draw(m, left, top_ + 46));
      left += cell_ * static_cast<double>(m.numbers.shape()[1]) + 22;
    }
    right_ = std::max(right_, left);
    top_ = bottom + 14;
  }

  std::string finish() const {
    const double width = std::max(right_, 32 + 9.3 * static_cast<double>(title_.size()));
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
               "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, "
               "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\" fill=\"#1d1d28\">\n"
               "<title>{2}</title>\n"
               "{3}<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
               width, top_, title_, draw::kDarkStyle) +
           text(16, 30, title_, "font-size=\"17\" font-weight=\"600\"") + body_ + "</svg>\n";
  }

 private:
  static std::string text(double x, double y, const std::string& content, const std::string& style) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, content);
  }
  static double margin(const std::vector<Band>& rows) {
    std::size_t longest = 0;
    for (const Band& band : rows) longest = std::max(longest, band.name.size());
    return rows.empty() ? 0 : 8 + 8.2 * static_cast<double>(longest);
  }

  // From white at 0 to green at 1 and purple at -1.
  static std::string color_of(double value) {
    const double part = std::min(1.0, std::abs(value));
    const double to[2][3] = {{27, 120, 55}, {118, 42, 131}};
    const auto mixed = [&](int i) {
      return static_cast<std::uint8_t>(std::lround(255 + part * (to[value < 0][i] - 255)));
    };
    return draw::hex({mixed(0), mixed(1), mixed(2)});
  }

  // Returns its lower end.
  double draw(const Cells& m, double left, double top) {
    const std::size_t n = m.numbers.shape()[0], columns = m.numbers.shape()[1];
    const double width = cell_ * static_cast<double>(columns), height = cell_ * static_cast<double>(n);
    Real largest = 0, signed_largest = 0;
    for (const Real number : m.numbers)
      if (std::abs(number) > largest) largest = std::abs(number), signed_largest = number;
    body_ += text(left, top - 26, m.name, "font-size=\"15\" font-weight=\"600\"");
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
        "stroke=\"#5c6675\"/>\n",
        left, top, width, height);
    body_ += "<g shape-rendering=\"crispEdges\">\n";
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        if (std::abs(m.numbers(i, j)) > 0.004 * largest)
          body_ += fmt::format(
              "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
              left + cell_ * static_cast<double>(j) + 0.5, top + cell_ * static_cast<double>(i) + 0.5,
              cell_ - 1, cell_ - 1, color_of(m.numbers(i, j) / largest));
    body_ += "</g>\n";
    double along = 0;
    for (std::size_t k = 0; k < m.columns.size(); ++k) {
      const double size = cell_ * static_cast<double>(m.columns[k].size);
      body_ += text(left + along + size / 2, top - 7, m.columns[k].name,
                    "font-size=\"14\" text-anchor=\"middle\" fill=\"#5c6675\"");
      if (k > 0) rule(left + along, top, left + along, top + height, m.columns[k - 1].size > 1);
      along += size;
    }
    along = 0;
    for (std::size_t k = 0; k < m.rows.size(); ++k) {
      const double size = cell_ * static_cast<double>(m.rows[k].size);
      body_ += text(left - 6, top + along + size / 2 + 5, m.rows[k].name,
                    "font-size=\"14\" text-anchor=\"end\" fill=\"#5c6675\"");
      if (k > 0) rule(left, top + along, left + width, top + along, m.rows[k - 1].size > 1);
      along += size;
    }
    if (!m.shows_largest) return top + height + 8;
    body_ += text(left, top + height + 17, fmt::format("largest: {:.0f}", signed_largest),
                  "font-size=\"13\" fill=\"#5c6675\"");
    return top + height + 24;
  }

  void rule(double x1, double y1, double x2, double y2, bool between_ranges) {
    body_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                         between_ranges ? "#5c6675" : "#e3e7ee");
  }

  std::string title_, body_;
  double cell_, top_ = 44, right_ = 0;
};

}  // namespace headlight::lesson

// What lesson 6 draws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dials.h"
#include "distance_scores.h"
#include "headlight/core/math.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/figure.h"
#include "headlight/ops/ops.h"

namespace headlight::lesson {

using draw::CellStyle;
using draw::DrawnMatrix;
using Marked = std::function<bool(std::size_t row, std::size_t column)>;

// The matrix, with the marked cells emphasised.
inline DrawnMatrix drawn(const std::string& before, const std::string& name, const Tensor& x,
                         const Marked& marked, int decimals = 0) {
  DrawnMatrix matrix = draw::matrix_of(before, name, x.array(), decimals);
  for (std::size_t i = 0; i < matrix.rows.size(); ++i)
    for (std::size_t j = 0; j < matrix.rows[i].size(); ++j)
      if (marked(i, j)) matrix.rows[i][j].style = CellStyle::strong;
  return matrix;
}

inline bool of_the(std::size_t place) { return place == 0 || place == 3; }  // where "the" stands in the text

inline std::string svg_one_hot(const Tensor& one_hot, const Tensor& table, const Tensor& x) {
  return draw::svg_matrices(
      "Each one-hot row picks a row of the table; \"the\" picks row 5 twice",
      {drawn("", "one-hot", one_hot, [](std::size_t i, std::size_t j) { return of_the(i) && j == 5; }),
       drawn("·", "table", table, [](std::size_t i, std::size_t) { return i == 5; }),
       drawn("=", "x", x, [](std::size_t i, std::size_t) { return of_the(i); })});
}

inline std::string svg_adding_up(const Tensor& one_hot_t, const Tensor& x_bar, const Tensor& gradient) {
  return draw::svg_matrices(
      "The transpose adds up: row 5 receives what arrives at both places of \"the\"",
      {drawn("", "one-hotᵀ", one_hot_t, [](std::size_t i, std::size_t j) { return i == 5 && of_the(j); }),
       drawn("·", "x̄", x_bar, [](std::size_t i, std::size_t) { return of_the(i); }),
       drawn("=", "gradient of the table", gradient, [](std::size_t i, std::size_t) { return i == 5; })});
}

// What attention gives the words of a sentence.
struct Sentence {
  std::vector<std::string> words;
  Tensor without, with;  // positions
};

// The outputs, each with its word before it. The row of the dog is emphasised.
inline DrawnMatrix drawn_outputs(const std::string& name, const std::vector<std::string>& words,
                                 const Tensor& outputs) {
  DrawnMatrix matrix = drawn(
      "", name, outputs, [&](std::size_t i, std::size_t) { return words[i] == "dog"; }, 3);
  for (auto& row : matrix.rows)  // cells of one width in all tables
    for (draw::Cell& cell : row) cell.text = fmt::format("{:>6}", cell.text);
  for (std::size_t i = 0; i < words.size(); ++i)
    matrix.rows[i].insert(matrix.rows[i].begin(), {words[i], matrix.rows[i][0].style});
  matrix.note = "";
  return matrix;
}

inline std::string svg_bag(const std::vector<Sentence>& sentences) {
  std::vector<std::vector<DrawnMatrix>> lines(2);
  for (const Sentence& s : sentences) {
    lines[0].push_back(drawn_outputs("without positions", s.words, s.without));
    lines[1].push_back(drawn_outputs("with positions", s.words, s.with));
  }
  return draw::svg_matrix_lines("What attention gives each word of the two sentences", lines);
}

// Rows of the sinusoidal table as clocks: the sine goes right, the cosine up.
inline std::string svg_clocks(const Tensor& waves, const std::vector<std::size_t>& positions) {
  std::vector<std::string> names;
  std::vector<std::vector<Dial>> lines;
  for (const std::size_t p : positions) {
    names.push_back(fmt::format("position {}", p));
    lines.emplace_back();
    for (std::size_t c = 0; c < waves.length(1); c += 2)
      lines.back().push_back({lines.size() == 1 ? fmt::format("columns {}, {}", c, c + 1) : "",
                              {{waves.array()(p, c), waves.array()(p, c + 1)}}});
  }
  return svg_dials("Rows of the sinusoidal table as hands of clocks, d = 8", names, lines);
}

// One pair of a query at position i and of a key at j, both moved on by each shift.
inline std::string svg_turned(int i, int j, const std::vector<int>& shifts) {
  const auto at = [](int p, double length, const char* name, const char* color) {
    const double angle = 0.1 * p;
    return Hand{length * math::cos(angle), length * math::sin(angle), name, color};
  };
  std::vector<Dial> dials;
  for (const int shift : shifts)
    dials.push_back({fmt::format("k at {}, q at {}", j + shift, i + shift),
                     {at(j + shift, 0.75, "k", "#0072b2"), at(i + shift, 1, "q", "#d55e00")}});
  return svg_dials("Both turn; the angle between them stays", {}, {dials});
}

// The score of the query at position `from` for all keys before it, against their distance.
inline draw::Series curve(const std::string& name, const Score& score, std::size_t from,
                          std::size_t most = 100) {
  draw::Series series{name, {}, {}};
  for (std::size_t t = 0; t <= std::min(from, most); ++t) {
    series.x.push_back(static_cast<double>(t));
    series.y.push_back(score(from, from - t));
  }
  return series;
}

// All five kinds. The learned table has rows for `trained` positions, the others reach to `more`.
inline std::string svg_distances(std::size_t trained, std::size_t more) {
  const auto chart = [](const char* kind, const std::vector<draw::Series>& series) {
    return draw::Chart{"", {}, {kind}, series};
  };
  const Score learned = score_of("learned", trained), rotary = score_of("rotary", more);
  const Score back_8 = [&](std::size_t i, std::size_t j) { return rotary(i - 8, j); };
  std::vector<draw::Series> alibi;
  for (std::size_t head = 0; head < 4; ++head)
    alibi.push_back(curve(fmt::format("head {}", head), score_of("alibi", more, head), 100));
  return draw::svg_figure(
      {"What positions add to a score, against the distance",
       {.label = "distance: the query's position minus the key's", .first = 0, .last = 100},
       "",
       {},
       {chart("learned", {curve("query at 63", learned, 63), curve("query at 40", learned, 40)}),
        chart("sinusoidal", {curve("any query", score_of("sinusoidal", more), 100)}),
        chart("rotary", {curve("q = k", rotary, 110), curve("q turned back by 8", back_8, 110)}),
        chart("ALiBi", alibi),
        chart("relative", {curve("every distance", score_of("relative", more), 100),
                           curve("T5's buckets", score_of("t5", more), 100)})}});
}

}  // namespace headlight::lesson

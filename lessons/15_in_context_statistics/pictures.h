// The pictures of lesson 15.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/figure.h"
#include "headlight/ops/attention.h"
#include "stages.h"

namespace headlight::lesson {

inline constexpr std::array<const char*, 4> kWhoPredicts = {"uniform", "unigram", "bigram",
                                                            "knows the matrix"};

inline draw::DrawnMatrix drawn(const std::string& before, const std::string& name, const Matrix& matrix,
                               int decimals) {
  Array numbers = Array::from_shape({matrix.size(), matrix[0].size()});
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix[0].size(); ++j) numbers(i, j) = matrix[i][j];
  draw::DrawnMatrix shown = draw::matrix_of(before, name, numbers, decimals);
  shown.note.clear();
  return shown;
}

// From counts of pairs to the predictions of the bigram strategy.
inline std::string svg_counts(const Walk& states) {
  constexpr std::size_t k = 3;
  Matrix counts(k, Row(k, 0));
  for (std::size_t t = 1; t < states.size(); ++t)
    ++counts[static_cast<std::size_t>(states[t - 1])][static_cast<std::size_t>(states[t])];
  Matrix more = counts, rows = counts;
  for (std::size_t i = 0; i < k; ++i) {
    double total = 0;
    for (double& count : more[i]) total += ++count;
    for (std::size_t j = 0; j < k; ++j) rows[i][j] = more[i][j] / total;
  }
  draw::DrawnMatrix last = drawn("→", "a row divided by its sum", rows, 2);
  const auto now = static_cast<std::size_t>(states.back());
  for (draw::Cell& cell : last.rows[now]) cell.style = draw::CellStyle::strong;
  last.note = "row b: what follows the last b";
  draw::DrawnMatrix first = drawn("", "pairs counted", counts, 0);
  first.note = "row: from, column: to";
  return draw::svg_matrices("Bigram counts of  " + letters(states),
                            {first, drawn("→", "one more each", more, 0), last});
}

// What is known of the probability p of one of two letters, when the letters so far were drawn with it.
inline std::string svg_posterior() {
  draw::Chart chart{"How likely each p is, after so many a and b",
                    {.label = "p, the probability of a", .first = 0, .last = 1},
                    {.label = "density", .first = 0},
                    {}};
  for (const auto& [a, b] : {std::pair{0, 0}, {2, 0}, {2, 1}, {8, 4}}) {
    double scale = a + b + 1;  // (a+b+1)! / (a! b!) makes the area 1
    for (int i = 1; i <= b; ++i) scale *= static_cast<double>(a + i) / i;
    draw::Series line{fmt::format("{} a, {} b: mean {:.2f}", a, b, (a + 1.0) / (a + b + 2.0)), {}, {}};
    for (int i = 0; i <= 100; ++i) {
      const double p = i / 100.0;
      line.x.push_back(p);
      line.y.push_back(scale * math::power(p, static_cast<std::size_t>(a)) *
                       math::power(1 - p, static_cast<std::size_t>(b)));
    }
    chart.series.push_back(line);
  }
  return draw::svg_chart(chart);
}

// The loss at each position, of the strategies and of one who knows the matrix.
inline std::string svg_losses(const std::array<Row, 4>& losses) {
  draw::Chart chart{"The loss of the strategies",
                    {.label = "letters read", .first = 0, .last = kLength},
                    {.label = "loss", .first = 0.8, .last = 1.2},
                    {}};
  for (std::size_t s = 0; s < 4; ++s) {
    draw::Series curve{kWhoPredicts[s], {}, losses[s]};
    for (std::size_t t = 0; t < kLength; ++t) curve.x.push_back(static_cast<double>(t + 1));
    chart.series.push_back(curve);
  }
  return draw::svg_chart(chart);
}

inline draw::Series level(const char* name, double height, double last, std::size_t style) {
  return {name, {0, last}, {height, height}, false, draw::LineWeight::faint, style};
}

template <class Number>
draw::Series along(const std::string& name, const std::vector<Stage>& stages, const Number& number) {
  draw::Series line{name, {}, {}};
  for (const Stage& stage : stages) line.x.push_back(stage.step), line.y.push_back(number(stage));
  return line;
}

// Patterns along training; below them the loss, the divergences and the scores of both heads.
inline std::string svg_stages(const std::vector<Stage>& stages, const std::vector<draw::Snapshot>& patterns,
                              const std::array<double, 3>& best) {
  const double last = stages.back().step;
  std::vector<draw::Series> from;
  for (std::size_t s = 0; s < 3; ++s)
    from.push_back(
        along(fmt::format("from {}", kStrategies[s]), stages, [s](const Stage& m) { return m.from[s]; }));
  draw::Series loss = along("model", stages, [](const Stage& m) { return m.loss; });
  loss.weight = draw::LineWeight::bold;
  loss.style = 3;
  return draw::svg_figure(
      {"Uniform, then unigram, then bigram",
       {"step"},
       "Layer 1 on the first 16 letters of a chain",
       patterns,
       {{"Loss",
         {},
         {.label = "loss", .first = 0.9, .last = 1.15},
         {level("uniform", best[0], last, 0), level("unigram", best[1], last, 1),
          level("bigram", best[2], last, 2), loss}},
        {"KL divergence", {}, {.label = "KL of the model", .first = 0}, from},
        {"Heads",
         {},
         {.label = "weight", .first = 0, .last = 1},
         {along("layer 0, on the letter before", stages, [](const Stage& m) { return m.previous[0]; }),
          along("layer 1, on followers", stages, [](const Stage& m) { return m.follower[1]; })}}}});
}

// The pattern of layer 1 on the first letters of a chain.
inline std::string svg_pattern(const nn::Transformer& model, const tasks::Batch& batch, std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back(letters({batch.tokens(0, i)}));
  return draw::svg_heatmap({pattern_of(model, 1, batch, n), names, names, "Layer 1 after training",
                            visible_keys(n, n, {.causal = true})});
}

// The divergence from bigrams over 200 steps.
inline std::string svg_fresh(const std::vector<std::pair<std::string, std::vector<Stage>>>& all) {
  std::vector<draw::Series> curves;
  for (const auto& [name, stages] : all) {
    curves.push_back(along(name, stages, [](const Stage& m) { return m.from[2]; }));
    while (curves.back().x.back() > 200) curves.back().x.pop_back(), curves.back().y.pop_back();
  }
  return draw::svg_chart({"What is drawn anew, and how soon bigrams come back",
                          {.label = "step", .first = 0, .last = 200},
                          {.label = "KL(bigram, model)", .first = 0},
                          curves});
}

}  // namespace headlight::lesson

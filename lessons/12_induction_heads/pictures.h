// The pictures of lesson 12.
#pragma once

#include <fmt/core.h>

#include <string>
#include <tuple>
#include <vector>

#include "headlight/report/chart.h"
#include "headlight/report/diagram.h"
#include "headlight/report/figure.h"
#include "headlight/report/sheet.h"
#include "runs.h"

namespace headlight::lesson {

inline report::Heatmap map_of(const Array& layer, std::size_t head, const std::string& title) {
  Array weights = Array::from_shape({kContext, kContext});
  for (std::size_t q = 0; q < kContext; ++q)
    for (std::size_t k = 0; k < kContext; ++k) weights(q, k) = layer(0, head, q, k);
  return {weights, {}, {}, title};
}

// How the answer of `[A][B] … [A] → [B]` is found.
inline std::string svg_two_steps() {
  return report::svg_boxes(
      "[A][B] … [A] → [B]: two heads, one after the other",
      {{.name = "A", .note = "earlier", .row = 0},
       {.name = "layer 0", .note = "previous-token head:\nputs A into B's stream", .row = 0},
       {.name = "B, after A", .note = "the key says A,\nthe value says B", .row = 0},
       {.name = "A", .note = "now", .row = 1.6},
       {.name = "layer 1", .note = "induction head:\nlooks for \"after A\"", .row = 1},
       {.name = "B", .note = "predicted", .row = 1}},
      {{0, 1, ""}, {1, 2, ""}, {2, 4, ""}, {3, 4, ""}, {4, 5, ""}}, 40);
}

// The two heads before and after the change.
inline std::string svg_before_after(const Kept& before, const Kept& after, std::size_t previous,
                                    std::size_t induction) {
  report::Sheet sheet{"The same two heads before and after the change", {}, 2};
  for (const auto& [layer, head, name] :
       {std::tuple{std::size_t{0}, previous, "layer 0"}, {std::size_t{1}, induction, "layer 1"}})
    for (const Kept* at : {&before, &after})
      sheet.maps.push_back(map_of(at->layers[layer], head, fmt::format("{}, step {}", name, at->step)));
  sheet.numbered = 6;
  return report::svg_sheet(sheet);
}

// One training: the induction head's pattern along it, the loss, and both scores.
inline std::string svg_forming(const Watched& w, std::size_t induction) {
  report::Figure figure{
      "One training", {.label = "step", .first = 0, .last = 320}, "The head of layer 1", {}, {}};
  for (const Kept& at : w.kept)
    figure.strip.push_back(
        {static_cast<double>(at.step), map_of(at.layers[1], induction, fmt::format("step {}", at.step))});
  figure.charts = {{"", {}, {.label = "loss", .first = 0, .last = 4}, {{"loss", w.steps, w.loss}}},
                   {"",
                    {},
                    {.label = "score", .first = 0, .last = 1},
                    {{"previous token", w.steps, w.previous, false, report::LineWeight::normal, 1},
                     {"induction", w.steps, w.induction, false, report::LineWeight::normal, 2}}}};
  return report::svg_figure(figure);
}

// All trainings laid over each other, with a colour for each kind of curve.
inline std::string svg_seeds(const std::vector<Watched>& all) {
  const auto curves = [&](const char* name, std::vector<double> Watched::*numbers, std::size_t style) {
    std::vector<report::Series> series;
    for (const Watched& w : all)
      series.push_back(
          {series.empty() ? name : "", w.steps, w.*numbers, false, report::LineWeight::normal, style});
    return series;
  };
  std::vector<report::Series> scores = curves("previous token", &Watched::previous, 1);
  for (const report::Series& s : curves("induction", &Watched::induction, 2)) scores.push_back(s);
  return report::svg_figure(
      {"Five seeds",
       {.label = "step", .first = 0, .last = 320},
       "",
       {},
       {{"", {}, {.label = "loss", .first = 0, .last = 4}, curves("loss", &Watched::loss, 0)},
        {"", {}, {.label = "score", .first = 0, .last = 1}, scores}}});
}

// A line through the medians of several trainings, and a dot for each training.
inline report::Chart sweep_chart(const std::string& title, const report::Axis& x,
                                 const std::string& line = "median") {
  return {title,
          x,
          {.label = "step at which the head has formed", .first = 0, .last = 400},
          {{line, {}, {}}, {"", {}, {}, true}}};
}

// `line` is the number of the series that has the medians; its dots are the next one.
inline void add_to(report::Chart& chart, std::size_t line, double x, const std::vector<double>& steps) {
  report::Series &medians = chart.series[line], &dots = chart.series[line + 1];
  dots.style = medians.style = line;
  medians.x.push_back(x), medians.y.push_back(steps[steps.size() / 2]);
  for (double step : steps) dots.x.push_back(x), dots.y.push_back(step);
}

}  // namespace headlight::lesson

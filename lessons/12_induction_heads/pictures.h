// The pictures of lesson 12.
#pragma once

#include <fmt/core.h>

#include <string>
#include <tuple>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/figure.h"
#include "headlight/draw/sheet.h"
#include "headlight/ops/attention.h"
#include "runs.h"

namespace headlight::lesson {

inline draw::Heatmap map_of(const Array& layer, std::size_t head, const std::string& title) {
  Array weights = Array::from_shape({kContext, kContext});
  for (std::size_t q = 0; q < kContext; ++q)
    for (std::size_t k = 0; k < kContext; ++k) weights(q, k) = layer(0, head, q, k);
  return {weights, {}, {}, title, visible_keys(kContext, kContext, {.causal = true})};
}

// How the answer of `[A][B] … [A] → [B]` is found.
inline std::string svg_two_steps() {
  return draw::svg_boxes(
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
  draw::Sheet sheet{"The same two heads before and after the change", {}, 2};
  for (const auto& [layer, head, name] :
       {std::tuple{std::size_t{0}, previous, "layer 0"}, {std::size_t{1}, induction, "layer 1"}})
    for (const Kept* at : {&before, &after})
      sheet.maps.push_back(map_of(at->layers[layer], head, fmt::format("{}, step {}", name, at->step)));
  sheet.numbered = 6;
  return draw::svg_sheet(sheet);
}

// One training: the induction head's pattern along it, the loss, and both scores.
inline std::string svg_forming(const Watched& w, std::size_t induction) {
  draw::Figure figure{
      "One training", {.label = "step", .first = 0, .last = 320}, "The head of layer 1", {}, {}};
  for (const Kept& at : w.kept)
    figure.strip.push_back(
        {static_cast<double>(at.step), map_of(at.layers[1], induction, fmt::format("step {}", at.step))});
  figure.charts = {{"", {}, {.label = "loss", .first = 0, .last = 4}, {{"loss", w.steps, w.loss}}},
                   {"",
                    {},
                    {.label = "score", .first = 0, .last = 1},
                    {{"previous token", w.steps, w.previous, false, draw::LineWeight::normal, 1},
                     {"induction", w.steps, w.induction, false, draw::LineWeight::normal, 2}}}};
  return draw::svg_figure(figure);
}

// All trainings laid over each other, with a colour for each kind of curve.
inline std::string svg_seeds(const std::vector<Watched>& all) {
  const auto curves = [&](const char* name, std::vector<double> Watched::*numbers, std::size_t style) {
    std::vector<draw::Series> series;
    for (const Watched& w : all)
      series.push_back(
          {series.empty() ? name : "", w.steps, w.*numbers, false, draw::LineWeight::normal, style});
    return series;
  };
  std::vector<draw::Series> scores = curves("previous token", &Watched::previous, 1);
  for (const draw::Series& s : curves("induction", &Watched::induction, 2)) scores.push_back(s);
  return draw::svg_figure(
      {"Five seeds",
       {.label = "step", .first = 0, .last = 320},
       "",
       {},
       {{"", {}, {.label = "loss", .first = 0, .last = 4}, curves("loss", &Watched::loss, 0)},
        {"", {}, {.label = "score", .first = 0, .last = 1}, scores}}});
}

// A line through the medians of several trainings, and a dot for each training.
inline draw::Chart sweep_chart(const std::string& title, const draw::Axis& x,
                               const std::string& line = "median") {
  return {title,
          x,
          {.label = "step at which the head has formed", .first = 0, .last = 400},
          {{line, {}, {}}, {"", {}, {}, true}}};
}

// The same for two kinds of models: those with a width in all, and those whose heads have one.
inline draw::Chart heads_chart() {
  draw::Chart chart =
      sweep_chart("Heads in a layer and the time to form", {"heads in a layer", false, 0, 5}, "32 in all");
  chart.series.push_back({"each of width 16", {}, {}});
  chart.series.push_back({"", {}, {}, true});
  return chart;
}

// `line` is the number of the series that has the medians; its dots are the next one.
inline void add_to(draw::Chart& chart, std::size_t line, double x, const std::vector<double>& steps) {
  draw::Series &medians = chart.series[line], &dots = chart.series[line + 1];
  dots.style = medians.style = line;
  medians.x.push_back(x), medians.y.push_back(steps[steps.size() / 2]);
  for (double step : steps) dots.x.push_back(x), dots.y.push_back(step);
}

}  // namespace headlight::lesson

// The pictures of lesson 11.
#pragma once

#include <string>
#include <vector>

#include "copies.h"
#include "headlight/draw/chart.h"
#include "headlight/draw/diagram.h"
#include "headlight/draw/sheet.h"
#include "headlight/ops/attention.h"
#include "looking.h"

namespace headlight::lesson {

// 'a' + token
inline std::string letter(std::int32_t token) { return std::string(1, static_cast<char>('a' + token)); }

// The first `count` positions of a sequence: tokens above their targets. Predictable targets are strong.
inline std::string svg_task(const tasks::Sequence& s, std::size_t count) {
  draw::DrawnMatrix tokens{"", "what the model reads, and below it what comes next", {{}, {}}, ""};
  for (std::size_t i = 0; i < count; ++i) {
    tokens.rows[0].push_back({letter(s.tokens[i])});
    tokens.rows[1].push_back(
        {letter(s.targets[i]), s.predictable[i] ? draw::CellStyle::strong : draw::CellStyle::plain});
  }
  tokens.note = "filled: predictable";
  return draw::svg_matrices("A segment of five tokens, repeated", {tokens});
}

// For each of these periods, where the answers stand, and to the right where a head looks.
inline std::string svg_counting(const nn::Transformer& model, HeadPlace head, const Periods& periods) {
  draw::Sheet sheet{"A head that counts", {}, 2};
  for (const std::size_t period : periods) {
    const Array pattern = pattern_of(model, fresh_repeats(period), head);
    const BoolArray seen = visible_keys(pattern.shape()[0], pattern.shape()[1], {.causal = true});
    sheet.maps.push_back({answers_at(period), {}, {}, fmt::format("period {}: answers", period), seen});
    sheet.maps.push_back({pattern, {}, {}, fmt::format("period {}: the head", period), seen});
  }
  return draw::svg_sheet(sheet);
}

// The accuracy at each period from 2 to 31.
inline draw::Series by_period(const std::string& name, const nn::Transformer& model) {
  draw::Series series{name, {}, {}};
  for (const std::size_t period : from_to(2, 31)) {
    series.x.push_back(static_cast<double>(period));
    series.y.push_back(measure(model, {fresh_repeats(period)}).accuracy);
  }
  return series;
}

// A level line from 0 to `last`.
inline draw::Series level(const std::string& name, double last, double height, std::size_t style) {
  draw::Series series{name, {0, last}, {height, height}};
  series.style = style;
  return series;
}

inline std::string svg_accuracies(const std::string& title, draw::Axis x, std::vector<draw::Series> series) {
  return draw::svg_chart(
      {title, std::move(x), {.label = "accuracy", .first = 0, .last = 1}, std::move(series)});
}

// Against the period: a model that counts, and one that matches.
inline std::string svg_periods(const Trained& counts, const Trained& matches) {
  return svg_accuracies(
      "Counting fails at other periods, matching does not", {.label = "period", .first = 0, .last = 32},
      {by_period(counts.kind.name, *counts.model), by_period(matches.kind.name, *matches.model)});
}

// Along the training: one layer, and one layer trained with gaps.
inline std::string svg_one_layer(const Trained& t, const Trained& on_gaps, double chance) {
  draw::Series here = t.accuracy, there = t.elsewhere, control = on_gaps.accuracy;
  here.name = "trained periods", there.name = "held-out periods", control.name = "trained with gaps";
  return svg_accuracies("One layer, without smeared keys", {"step"},
                        {here, there, control, level("chance with gaps", 2000, chance, 6)});
}

// The first 800 steps of several models, with the best reachable loss.
inline std::string svg_losses(const std::vector<const Trained*>& models, double best) {
  std::vector<draw::Series> losses;
  for (const Trained* t : models) {
    losses.push_back({t->kind.name, {}, {}});
    for (std::size_t i = 0; i < t->loss.x.size() && t->loss.x[i] <= 800; ++i)
      losses.back().x.push_back(t->loss.x[i]), losses.back().y.push_back(t->loss.y[i]);
  }
  losses.push_back(level("best reachable", 800, best, 6));
  return draw::svg_chart({"Periods 8 to 16: the loss of three models",
                          {"step"},
                          {.label = "loss", .first = 0, .last = 4},
                          losses});
}

// The pattern of the model's best head for matching, or of another score, in a layer.
inline draw::Heatmap best_head(const std::string& title, const nn::Transformer& model, std::size_t layer,
                               const char* score = interpret::kInduction) {
  const Array pattern = pattern_of(model, fresh_repeats(12), best_in(scores_of(model), layer, score));
  return {pattern, {}, {}, title, visible_keys(pattern.shape()[0], pattern.shape()[1], {.causal = true})};
}

inline std::string svg_best_heads(const Trained& one, const Trained& smeared, const Trained& two) {
  return draw::svg_sheet(
      {"On a segment of 12 tokens that repeats",
       {best_head("one layer", *one.model, 0), best_head("smeared keys", *smeared.model, 0),
        best_head("two layers: layer 0", *two.model, 0, interpret::kPreviousToken),
        best_head("two layers: layer 1", *two.model, 1)},
       2});
}

}  // namespace headlight::lesson

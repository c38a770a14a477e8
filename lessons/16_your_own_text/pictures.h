// The pictures of lesson 16.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/chart.h"
#include "headlight/draw/heatmap.h"
#include "headlight/ops/attention.h"
#include "printed.h"
#include "training.h"

namespace headlight::lesson {

inline draw::Series curve(const std::string& name, const Trained& t, double Look::*loss, std::size_t style) {
  draw::Series line{name, {}, {}};
  for (const Look& look : t.looks) line.x.push_back(look.step), line.y.push_back(look.*loss);
  line.style = style;
  return line;
}

// Training and held-out losses of the whole text, and of its beginning alone.
inline std::string svg_by_heart(const Trained& all, const Trained& part) {
  return draw::svg_chart({"Training and held-out loss",
                          {.label = "step", .first = 0},
                          {.label = "loss", .first = 0},
                          {curve("whole text, training", all, &Look::training, 0),
                           curve("whole text, held out", all, &Look::held_out, 1),
                           curve("beginning, training", part, &Look::training, 2),
                           curve("beginning, held out", part, &Look::held_out, 3)}});
}

// What the best head of each model gives to what followed an earlier match, by the length of the match.
inline std::string svg_matches(const std::vector<const Trained*>& all) {
  draw::Chart chart{"The weight on what followed an earlier match",
                    {.label = "matching characters", .first = 0, .last = kLongestMatch},
                    {.label = "mean weight", .first = 0},
                    {}};
  for (const Trained* t : all) {
    draw::Series line{t->recipe.name, {}, best_match(*t).weight};
    for (std::size_t k = 0; k <= kLongestMatch; ++k) line.x.push_back(static_cast<double>(k));
    chart.series.push_back(line);
  }
  return draw::svg_chart(chart);
}

// The pattern of the best head on the beginning of a text.
inline std::string svg_pattern(const Trained& t, const std::vector<std::int32_t>& tokens) {
  const interpret::HeadAt head = best_match(t).head;
  const std::size_t n = tokens.size();
  IntArray row = IntArray::from_shape({1, n});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) {
    row(0, i) = tokens[i];
    names.push_back(t.task.vocabulary.bytes(tokens[i]));
  }
  const Array all = interpret::run_with_cache(t.model, row).cache[interpret::pattern_name(head.layer)];
  Array weights = Array::from_shape({n, n});
  for (std::size_t q = 0; q < n; ++q)
    for (std::size_t k = 0; k < n; ++k) weights(q, k) = all(0, head.head, q, k);
  return draw::svg_heatmap({weights, names, names, fmt::format("L{}H{} on a line", head.layer, head.head),
                            visible_keys(n, n, {.causal = true})});
}

}  // namespace headlight::lesson

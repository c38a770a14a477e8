// The pictures of lesson 17.
#pragma once

#include <string>
#include <vector>

#include "choosing.h"
#include "headlight/draw/chart.h"
#include "training.h"

namespace headlight::lesson {

// The validation error of one seed of each rate along the training, and that of the control.
inline std::string svg_training(const std::vector<Trained>& all, double best_step) {
  draw::Chart chart{"Validation error along the training, seed 1",
                    {.label = "step", .first = 0, .last = kSteps},
                    {.label = "squared error", .first = 0},
                    {}};
  for (const Trained& t : all) {
    if (t.steps.empty()) continue;
    const bool control = t.recipe.told == Told::nothing;
    chart.series.push_back(
        {control ? "the control" : fmt::format("rate {}", t.recipe.rate), t.steps, t.errors});
  }
  chart.series.push_back({"the best gradient step", {0, kSteps}, {best_step, best_step}});
  return draw::svg_chart(chart);
}

// The validation error of each seed, over the learning rate.
inline std::string svg_rates(const std::vector<double>& rates, const std::vector<std::vector<double>>& errors,
                             double best_step) {
  draw::Chart chart{"Validation error by learning rate",
                    {.label = "learning rate", .logarithmic = true},
                    {.label = "squared error", .first = 1.5},
                    {}};
  draw::Series seeds{"a seed", {}, {}, true}, means{"mean of the seeds", rates, {}};
  for (std::size_t i = 0; i < rates.size(); ++i) {
    double sum = 0;
    for (const double e : errors[i]) seeds.x.push_back(rates[i]), seeds.y.push_back(e), sum += e;
    means.y.push_back(sum / static_cast<double>(errors[i].size()));
  }
  chart.series = {
      means, seeds, {"the best gradient step", {rates.front(), rates.back()}, {best_step, best_step}}};
  return draw::svg_chart(chart);
}

// What one reports who takes the best of k guessers.
inline std::string svg_flattered(const std::vector<std::size_t>& ks, const std::vector<Reported>& reported) {
  draw::Chart chart{"The best of k guessers",
                    {.label = "k", .logarithmic = true},
                    {.label = "share of right answers", .first = 0.45, .last = 0.7},
                    {}};
  for (const auto& [name, number] : {std::pair{"chosen on the test part, its score there", &Reported::best},
                                     {"the same one on fresh data", &Reported::fresh},
                                     {"chosen on the validation part, tested", &Reported::tested}}) {
    draw::Series line{name, {}, {}};
    for (std::size_t i = 0; i < ks.size(); ++i)
      line.x.push_back(static_cast<double>(ks[i])), line.y.push_back(reported[i].*number);
    chart.series.push_back(line);
  }
  return draw::svg_chart(chart);
}

}  // namespace headlight::lesson

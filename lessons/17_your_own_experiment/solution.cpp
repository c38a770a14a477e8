// Exercise 17, solved.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bench.h"
#include "exercise.h"
#include "toy.h"

std::vector<double> gaps(const Array& W) {
  std::vector<double> at;
  for (std::size_t i = 0; i < W.shape()[1]; ++i) {
    const double x = W(0, i), y = W(1, i), angle = std::atan2(y, x) * 180 / std::numbers::pi;
    if (std::sqrt(x * x + y * y) >= 0.5) at.push_back(angle < 0 ? angle + 360 : angle);
  }
  std::sort(at.begin(), at.end());
  std::vector<double> between;
  for (std::size_t i = 0; i < at.size(); ++i)
    between.push_back(i + 1 < at.size() ? at[i + 1] - at[i] : at[0] + 360 - at[i]);
  return between;
}

std::vector<int> parts_of(const std::vector<std::size_t>& source, const std::vector<std::size_t>& order,
                          std::size_t held_out, std::size_t validation) {
  std::vector<int> part(source.size(), 0);
  std::size_t next = 0;
  const auto fill = [&](int label, std::size_t least) {
    for (std::size_t has = 0; has < least && next < order.size(); ++next)
      for (std::size_t i = 0; i < source.size(); ++i)
        if (source[i] == order[next]) part[i] = label, ++has;
  };
  fill(2, held_out);
  fill(1, validation);
  return part;
}

struct Spread {
  double mean = 0, standard_error = 0;
};

Spread spread_of(const std::vector<double>& numbers) {
  const double n = static_cast<double>(numbers.size());
  double mean = 0, squares = 0;
  for (const double x : numbers) mean += x;
  mean /= n;
  for (const double x : numbers) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / (n - 1)) / std::sqrt(n)};
}

Report chosen_and_reported(Bench& bench) {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t setting = 0; setting < bench.settings(); ++setting) {
    std::vector<double> losses;
    for (std::size_t seed = 0; seed < bench.seeds(); ++seed)
      losses.push_back(bench.validation_loss(setting, seed));
    const double mean = spread_of(losses).mean;  // NaN is not less than anything
    if (mean < least) least = mean, best = setting;
  }
  bench.choose(best);
  std::vector<double> losses;
  for (std::size_t seed = 0; seed < bench.seeds(); ++seed) losses.push_back(bench.held_out_loss(best, seed));
  const Spread s = spread_of(losses);
  return {best, s.mean, s.standard_error};
}

Judged judged(const std::vector<double>& ours, const std::vector<double>& control, double low, double high) {
  const auto [m, e] = spread_of(ours);
  const double of_control = spread_of(control).mean, from = m - 2 * e, to = m + 2 * e;
  RowVerdict verdict = RowVerdict::open;
  if (of_control >= low && of_control <= high)
    verdict = RowVerdict::no_test;
  else if (from >= low && to <= high)
    verdict = RowVerdict::agrees;
  else if (to < low || from > high)
    verdict = RowVerdict::differs;
  return {m, from, to, verdict};
}

double largest_gap(double presence) {
  const toy::Starts starts(presence);
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t start = 0; start < starts.count(); ++start)
    if (const double loss = starts.validation_loss(start); loss < least) least = loss, best = start;
  starts.choose(best);
  const std::vector<double> all = gaps(starts.look(best));
  return *std::max_element(all.begin(), all.end());
}

// The prediction: 270 opposite a right angle, 90 for two pairs, 72 for the pentagon, with a tolerance of 3.
std::vector<Trial> largest_gaps() {
  std::vector<Trial> trials;
  for (const auto& [presence, expected] : {std::pair{100, 270}, {50, 180}, {20, 90}, {10, 72}})
    trials.push_back({static_cast<double>(presence), static_cast<double>(expected),
                      largest_gap(static_cast<double>(presence))});
  return trials;
}

// Wrong ways to count the checks that find one wrong number.
#pragma once

#include <cmath>
#include <map>
#include <string>

#include "grader/trials.h"
#include "headlight/core/rng.h"
#include "vjp_mistakes.h"

namespace mistakes {

using Column = std::vector<double>;

// What one check computes: the slope that it measures, the one that a right vjp claims, what the first and
// the last number of that vjp add to it, and the last number of the direction.
struct Slopes {
  double measured, claimed, first, last, direction;
};

inline Slopes slopes_of(std::size_t n, Rng& rng) {
  constexpr double h = 1e-5;
  const Tensor x = randn({n}, rng), u = randn({n}, rng), d = randn({n}, rng);
  const auto loss = [&](const Tensor& at) { return sum(u * at * at).item(); };
  const Array terms = (2 * u * x * d).array();
  return {(loss(x + h * d) - loss(x - h * d)) / (2 * h), sum(2 * u * x * d).item(), terms.data()[0],
          terms.data()[n - 1], d.array().data()[n - 1]};
}

// The checks of each trial. They are computed once for each way to draw.
inline const std::vector<std::vector<Slopes>>& checks_of(const Made& made, const Column& settings) {
  static std::map<std::pair<std::string, Column>, std::vector<std::vector<Slopes>>> kept;
  std::string drawn;
  for (const char* name : {"one-Rng", "one-Rng-for-all-trials"})
    if (made(name)) drawn += name;
  const auto [at, is_new] = kept.try_emplace({drawn, settings});
  if (!is_new) return at->second;
  Rng whole(1);
  for (const double n : settings) {
    Rng of_trial(1);
    std::vector<Slopes>& checks = at->second.emplace_back();
    for (std::size_t k = 1; k <= 100; ++k) {
      Rng of_check(k);
      Rng& rng = made("one-Rng-for-all-trials") ? whole : made("one-Rng") ? of_trial : of_check;
      checks.push_back(slopes_of(static_cast<std::size_t>(n), rng));
    }
  }
  return at->second;
}

inline bool finds(const Made& made, const Slopes& check) {
  const double part = made("ten-per-cent") ? 0.1 : made("one-per-mille") ? 0.001 : 0.01;
  const double more =
      made("added") ? part * check.direction : part * (made("first-number") ? check.first : check.last);
  const double difference = check.claimed + more - check.measured;
  const double of = made("tolerance-without-abs") ? check.measured : std::abs(check.measured);
  const double tolerance = made("fixed-tolerance") ? 1e-6 : 1e-9 + 1e-6 * of;
  return (made("difference-without-abs") ? difference : std::abs(difference)) > tolerance;
}

inline Column finders_with_slips(const Made& made, const Column& settings) {
  Column counts;
  for (const std::vector<Slopes>& checks : checks_of(made, settings)) {
    double found = 0;
    for (const Slopes& check : checks) found += finds(made, check);
    counts.push_back(made("others-counted") ? 100 - found : found);
  }
  return counts;
}

// Counts say little, so each sentence is true of the counts, whatever the learner did.
inline const std::vector<grader::WrongWay> kWaysToCount = {
    {"one-Rng",
     "These counts come out with one Rng(1) for all checks of a trial. Check number k has a generator of "
     "its own: make Rng rng(k) inside the loop over k."},
    {"one-Rng-for-all-trials",
     "These counts come out with one Rng(1) for everything. Check number k has a generator of its own: "
     "make Rng rng(k) inside the loop over k."},
    {"first-number",
     "These counts come out when the first number of the vjp is wrong. It is the last one, number n - 1."},
    {"ten-per-cent",
     "These counts come out when the number is 10 % too large. 1 % too large is 1.01 times the number."},
    {"one-per-mille",
     "These counts come out when the number is 0.1 % too large. 1 % too large is 1.01 times the number."},
    {"added",
     "These counts come out when 0.01 is added to the last number. 1 % too large is 1.01 times the number."},
    {"difference-without-abs",
     "These counts come out without the size of the difference: a claim that is too small is not found. Take "
     "std::abs(claimed - measured)."},
    {"tolerance-without-abs",
     "These counts come out with 1e-9 + 1e-6 * measured, which is negative where measured is. Take "
     "std::abs(measured)."},
    {"fixed-tolerance",
     "These counts come out with 1e-6 as the tolerance. It grows with the slope: 1e-9 + 1e-6 * "
     "std::abs(measured)."},
    {"others-counted",
     "These are the checks that do not find the mistake. Count those in which claimed and measured "
     "differ by more than the tolerance."}};

// Two ways of counting often give the same counts, so only few are tried together.
inline std::vector<grader::WrongMeasure> of_one_wrong_number() {
  const auto every = [](double count) {
    return [count](const Column& settings) { return Column(settings.size(), count); };
  };
  std::vector<grader::WrongMeasure> all = {
      {"In each trial all 100 checks find something. Then more than one number is wrong: with the right vjp, 2 * g * "
       "x, no check may find anything. Try that first. measured is divided by 2 * h, and claimed is the "
       "sum over vjp(u, x) * d.",
       every(100)},
      {"No check finds anything. Is the last number of the vjp really 1.01 times the right one? And is the count the "
       "third number of the Trial?",
       every(0)}};
  for (const grader::WrongWay& way : kWaysToCount)
    all.push_back({way.sentence, std::bind_front(finders_with_slips, Made{{way.name}})});
  const std::vector<std::pair<std::size_t, std::size_t>> together = {{2, 3}, {0, 2}, {0, 3}, {2, 6}, {3, 6}};
  for (const auto& [a, b] : together) {
    const grader::WrongWay &first = kWaysToCount[a], &second = kWaysToCount[b];
    all.push_back(
        {grader::named_together({first.name, second.name}, {first.sentence, second.sentence}).sentence,
         std::bind_front(finders_with_slips, Made{{first.name, second.name}}),
         {first.sentence, second.sentence}});
  }
  return all;
}

}  // namespace mistakes

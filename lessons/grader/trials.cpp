#include "grader/trials.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "grader/outcome.h"

namespace headlight::grader {
namespace {

using Column = std::vector<double>;
using Places = std::vector<std::size_t>;

// Whether two measured numbers are the same for this question.
class Same {
 public:
  explicit Same(const Question& question) : tolerance_(question.tolerance) {}
  bool operator()(double a, double b) const {
    return !difference({{"", {}, {a}}}, {{"", {}, {b}}}, tolerance_);
  }
  // At these places.
  bool operator()(const Column& a, const Column& b, const Places& places) const {
    return std::ranges::all_of(places, [&](std::size_t i) { return (*this)(a[i], b[i]); });
  }

 private:
  double tolerance_;
};

Column each(const Column& column, const std::function<double(double)>& change) {
  Column changed;
  std::ranges::transform(column, std::back_inserter(changed), change);
  return changed;
}

// "The trial with u = 2 is off", "All trials are off".
std::string which(const Trials& trials, const Places& wrong, const Question& question) {
  if (wrong.size() == trials.settings.size() && wrong.size() > 1) return "All trials are off";
  std::vector<std::string> settings;
  for (const std::size_t i : wrong)
    settings.push_back(fmt::format("{} = {}", question.setting, trials.settings[i]));
  if (settings.size() == 1) return fmt::format("The trial with {} is off", settings[0]);
  return fmt::format("The trials with {} and {} are off",
                     fmt::join(settings.begin(), settings.end() - 1, ", "), settings.back());
}

// The factor by which all measured numbers are off; 0 for none.
double common_factor(const Trials& trials, const Places& wrong, const Same& same) {
  const double right = trials.right[wrong[0]];
  if (right == 0 || wrong.size() < 2) return 0;
  const double factor = trials.measured[wrong[0]] / right;
  const Column scaled = each(trials.right, [&](double x) { return factor * x; });
  return std::isfinite(factor) && same(trials.measured, scaled, wrong) ? factor : 0;
}

std::string words_of_factor(double factor) {
  constexpr double kClose = 1e-6;
  const auto is = [&](double x) { return std::abs(factor - x) < kClose * std::abs(x); };
  if (factor == 0) return "";
  if (is(-1)) return "Each has the wrong sign.";
  if (is(100)) return "Each is 100 times the right number: a share is asked for, not per cent.";
  if (is(0.01)) return "Each is a hundredth of the right number: per cent are asked for, not a share.";
  return "All are off by one and the same factor. Is a mean a sum, or a sum a mean?";
}

// How the wrong numbers come from the right ones, or from the settings. Empty when that is not known.
std::string relation(const Trials& t, const Places& wrong, const Same& same) {
  const Places all = [&] {
    Places places(t.settings.size());
    std::iota(places.begin(), places.end(), 0);
    return places;
  }();
  const auto are = [&](const Column& column) { return same(t.measured, column, wrong); };
  const auto shifted = [&](double by) { return each(t.right, [&](double x) { return x + by; }); };
  const auto by_setting = [&](auto change) {
    Column changed;
    for (const std::size_t i : all) changed.push_back(change(t.right[i], t.settings[i]));
    return changed;
  };
  Column sums(t.right.size());
  std::partial_sum(t.right.begin(), t.right.end(), sums.begin());
  const bool one_for_all =
      wrong.size() > 1 && same(t.measured, Column(t.measured.size(), t.measured[0]), all);
  if (are(Column(t.right.size(), 0)))
    return "0 is what a Trial holds when nothing was measured, or when a division of whole numbers dropped the rest.";
  if (one_for_all)
    return "You measured the same number for each setting. So the setting does not reach what is measured.";
  if (are(t.settings)) return "You measured the setting itself. A Trial is {setting, predicted, measured}.";
  if (same(t.predicted, t.right, wrong))
    return "Are your prediction and your measurement exchanged? A Trial is {setting, predicted, measured}.";
  if (are(shifted(1))) return "One too many is counted. Does the count go on before or after the test?";
  if (are(shifted(-1))) return "One too few is counted. Does the count go on before or after the test?";
  if (are(sums))
    return "You measured the sum of all trials so far. Something is not set back before the next trial.";
  if (are(each(t.right, [](double x) { return std::trunc(x); })))
    return "The digits behind the point are lost. The quotient of two whole numbers is a whole number in C++.";
  if (are(by_setting(std::multiplies<>())))
    return "Each is the right number times its setting. Is something scaled once too often, or not at all?";
  if (are(by_setting(std::divides<>())))
    return "Each is the right number divided by its setting. Is something scaled once too often, or not at all?";
  return words_of_factor(common_factor(t, wrong, same));
}

// The first wrong way that gives these numbers, alone or with a count that is one off.
std::string known_way(const Trials& t, const Places& wrong, const Same& same, const Question& question) {
  for (const WrongMeasure& known : question.wrong) {
    const Column measured = known.measure(t.settings);
    const auto is_off_by = [&](double by) {
      return same(t.measured, each(measured, [&](double x) { return x + by; }), wrong);
    };
    if (is_off_by(0)) return known.sentence;
    if (is_off_by(1)) return known.sentence + " Besides, one too many is counted.";
    if (is_off_by(-1)) return known.sentence + " Besides, one too few is counted.";
  }
  return "";
}

}  // namespace

std::vector<WrongMeasure> wrong_measures(
    const std::function<std::vector<double>(const Made&, const std::vector<double>&)>& measure,
    const std::vector<WrongWay>& ways) {
  const auto making = [&](Made made) {
    return [made = std::move(made), measure](const Column& settings) { return measure(made, settings); };
  };
  std::vector<WrongMeasure> all;
  for (const WrongWay& way : ways) all.push_back({way.sentence, making({{way.name}})});
  for (std::size_t b = 0; b < ways.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const std::vector<std::string> names{ways[a].name, ways[b].name};
      all.push_back({named_together(names, {ways[a].sentence, ways[b].sentence}).sentence, making({names})});
    }
  return all;
}

std::string what_is_off(const Trials& trials, const Question& question) {
  const Same same(question);
  Places wrong;
  for (std::size_t i = 0; i < trials.right.size(); ++i)
    if (!same(trials.right[i], trials.measured[i])) wrong.push_back(i);
  if (wrong.empty()) return "";
  std::string how = known_way(trials, wrong, same, question);
  if (how.empty()) how = relation(trials, wrong, same);
  if (how.empty() && wrong.size() == 1) {
    const double measured = trials.measured[wrong[0]];
    how = std::isnan(measured)                ? "What you measured is no number."
          : measured > trials.right[wrong[0]] ? "What you measured is too large."
                                              : "What you measured is too small.";
  }
  return which(trials, wrong, question) + (how.empty() ? "." : ". " + how);
}

}  // namespace headlight::grader

#include "grader/trials.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "grader/known_way.h"

namespace headlight::grader {
namespace {

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

// What the measured numbers would be if this were so, and what is said then.
struct Relation {
  Column column;
  const char* sentence;
  std::size_t least = 1;  // how many trials must be off, so that it is no accident
};

constexpr const char *
    kTimes = "Each is the right number times its setting. Is something scaled once too often, or not at all?",
   *kDivided =
       "Each is the right number divided by its setting. Is something scaled once too often, or not at all?",
   *kExchanged =
       "Are your prediction and your measurement exchanged? A Trial is {setting, predicted, measured}.";

Column by_setting(const Trials& t, const std::function<double(double, double)>& change) {
  Column changed;
  std::ranges::transform(t.right, t.settings, std::back_inserter(changed), change);
  return changed;
}

// The right numbers, each moved by one trial; the first, or the last, is moved to the other end.
Column moved(Column column, bool to_the_end) {
  std::rotate(column.begin(), to_the_end ? column.end() - 1 : column.begin() + 1, column.end());
  return column;
}

std::vector<Relation> scaled_by_setting(const Trials& t) {
  return {{by_setting(t, std::multiplies<>()), kTimes}, {by_setting(t, std::divides<>()), kDivided}};
}

// Of the right numbers to themselves at other trials.
std::vector<Relation> out_of_place(const Trials& t) {
  Column sums(t.right.size());
  std::partial_sum(t.right.begin(), t.right.end(), sums.begin());
  return {
      {sums, "You measured the sum of all trials so far. Something is not set back before the next trial."},
      {moved(t.right, true), "Each measured number belongs to the setting of the trial before it.", 2},
      {moved(t.right, false), "Each measured number belongs to the setting of the trial after it.", 2},
      {{t.right.rbegin(), t.right.rend()},
       "Your measured numbers stand in the opposite order of their settings.",
       2}};
}

std::vector<Relation> relations(const Trials& t) {
  const auto of_right = [&](double (*change)(double)) { return each(t.right, change); };
  std::vector<Relation> all = out_of_place(t);
  const std::vector<Relation> numbers = {
      {of_right([](double x) { return std::trunc(x); }),
       "Each is the right number without the digits behind the point. Were whole numbers divided, does an int "
       "hold it, or do you go in steps of 1?"},
      {of_right([](double x) { return std::ceil(x); }),
       "Each is the right number, rounded up to a whole one. Do you go in steps of 1?"}};
  all.insert(all.end(), numbers.begin(), numbers.end());
  for (const Relation& scaled : scaled_by_setting(t)) all.push_back(scaled);
  const std::vector<Relation> shares = {
      {of_right([](double x) { return 1 - x; }),
       "Each is 1 minus the right number. Did you measure what is wrong in place of what is right, or the "
       "rest in place of the share?"},
      {of_right([](double x) { return 100 - x; }),
       "Each is 100 minus the right number. Did you measure what is wrong in place of what is right?"},
      {of_right([](double x) { return 1 / x; }),
       "Each is the reciprocal of the right number: you divided the wrong way round.", 2},
      {of_right([](double x) { return x * x; }), "Each is the square of the right number.", 2},
      {of_right([](double x) { return std::sqrt(x); }), "Each is the root of the right number.", 2},
      {of_right([](double x) { return std::log(x); }), "Each is the logarithm of the right number.", 2},
      {of_right([](double x) { return std::exp(x); }), "Each is e to the power of the right number.", 2}};
  all.insert(all.end(), shares.begin(), shares.end());
  return all;
}

std::string first_of(const std::vector<Relation>& relations, const Column& measured, const Places& wrong,
                     const Same& same) {
  for (const auto& [column, sentence, least] : relations)
    if (wrong.size() >= least && same(measured, column, wrong)) return sentence;
  return "";
}

// All are off by the same amount, by more or less than it, or only on the same side.
std::string words_of_side(const Trials& t, const Places& wrong, const Same& same) {
  if (wrong.size() < 2) return "";
  const double by = t.measured[wrong[0]] - t.right[wrong[0]];
  const auto larger = [&](std::size_t i) { return t.measured[i] > t.right[i]; };
  const auto smaller = [&](std::size_t i) { return t.measured[i] < t.right[i]; };
  const bool all_larger = std::ranges::all_of(wrong, larger);
  if (!all_larger && !std::ranges::all_of(wrong, smaller)) return "";
  const char* side = all_larger ? "large" : "small";
  if (same(t.measured, each(t.right, [&](double x) { return x + by; }), wrong))
    return fmt::format(
        "Each is too {} by one and the same amount. Does a loop end one step too {}, or is something {} that "
        "does not depend on the setting?",
        side, all_larger ? "late" : "early", all_larger ? "added" : "missing");
  return fmt::format("What you measured is too {} each time.", side);
}

// How the wrong numbers come from the right ones, or from the settings. Empty when that is not known.
std::string relation(const Trials& t, const Places& wrong, const Same& same) {
  const auto are = [&](const Column& column) { return same(t.measured, column, wrong); };
  const auto shifted = [&](double by) { return each(t.right, [&](double x) { return x + by; }); };
  if (are(Column(t.right.size(), 0)))
    return "0 is what a Trial holds when nothing was measured, or when a division of whole numbers dropped the rest.";
  if (are(t.settings)) return "You measured the setting itself. A Trial is {setting, predicted, measured}.";
  if (same(t.predicted, t.right, wrong)) return kExchanged;
  if (are(shifted(1))) return "One too many is counted. Does the count go on before or after the test?";
  if (are(shifted(-1))) return "One too few is counted. Does the count go on before or after the test?";
  const std::string known = first_of(relations(t), t.measured, wrong, same);
  return known.empty() ? words_of_factor(common_factor(t, wrong, same)) : known;
}

// All measured numbers are equal, those that are right too.
std::string words_of_one_for_all(const Trials& t, const Places& wrong, const Same& same) {
  if (wrong.size() < 2 || t.measured.size() < 2) return "";
  if (!std::ranges::all_of(t.measured, [&](double x) { return same(x, t.measured[0]); })) return "";
  if (wrong.size() < t.measured.size())
    return "You measured the same number for each setting. So the setting does not reach what is measured.";
  return "You measured the same number for each setting. Either the setting does not reach what is measured, "
         "or this number is of something that does not depend on it.";
}

// Whether what was measured is the number of something else: of the prediction, of half of the setting, twice
// it, one more or less.
std::string of_another_setting(const Trials& t, const Places& wrong, const Same& same,
                               const Question& question, const Measure& measure) {
  const auto measured_at = [&](double setting, std::size_t i) {
    if (question.whole) setting = std::trunc(setting);
    return setting >= question.least && setting <= question.most && same(t.measured[i], measure(setting));
  };
  if (std::ranges::all_of(wrong, [&](std::size_t i) { return measured_at(t.predicted[i], i); }))
    return fmt::format("{} measured with your prediction in the place of {}. Give it the setting.",
                       wrong.size() == 1 ? "It is" : "Each is", question.setting);
  struct Near {
    double factor, more;
    const char* words;
  };
  for (const Near& near : {Near{0.5, 0, "half of its setting"}, Near{2, 0, "twice its setting"},
                           Near{1, -1, "one less than its setting"}, Near{1, 1, "one more than its setting"}})
    if (std::ranges::all_of(
            wrong, [&](std::size_t i) { return measured_at(near.factor * t.settings[i] + near.more, i); }))
      return fmt::format("{} measured with {}.", wrong.size() == 1 ? "It is" : "Each is", near.words);
  return "";
}

// Whether each number that is off is right for another trial, as when a line is copied and not changed.
std::string of_another_trial(const Trials& t, const Places& wrong, const Same& same,
                             const Question& question) {
  std::string said;
  for (const std::size_t i : wrong) {
    const auto other = std::ranges::find_if(t.right, [&](double x) { return same(x, t.measured[i]); });
    if (other == t.right.end()) return "";
    if (said.empty())
      said = fmt::format("The number at {} = {} is that of {} = {}. Which setting is measured there?",
                         question.setting, t.settings[i], question.setting,
                         t.settings[static_cast<std::size_t>(other - t.right.begin())]);
  }
  return said;
}

// As known_way, and the prediction in the place of what was measured.
std::string exchanged_too(Trials t, const Places& wrong, const Same& same, const Question& question) {
  if (wrong.size() < 2) return "";
  std::swap(t.predicted, t.measured);
  std::string how = known_way(t, wrong, same, question);
  if (how.empty()) how = first_of(scaled_by_setting(t), t.measured, wrong, same);
  return how.empty() ? "" : fmt::format("{} Besides: {}", kExchanged, how);
}

}  // namespace

std::string what_is_off(const Trials& trials, const Question& question, const Measure& measure) {
  const Same same(question);
  Places wrong;
  for (std::size_t i = 0; i < trials.right.size(); ++i)
    if (!same(trials.right[i], trials.measured[i])) wrong.push_back(i);
  if (wrong.empty()) return "";
  std::string how = known_way(trials, wrong, same, question);
  if (how.empty()) how = relation(trials, wrong, same);
  if (how.empty()) how = exchanged_too(trials, wrong, same, question);
  if (how.empty()) how = words_of_one_for_all(trials, wrong, same);
  if (how.empty()) how = of_another_trial(trials, wrong, same, question);
  if (how.empty() && measure) how = of_another_setting(trials, wrong, same, question, measure);
  if (how.empty()) how = words_of_side(trials, wrong, same);
  if (how.empty() && wrong.size() == 1) {
    const double measured = trials.measured[wrong[0]];
    how = std::isnan(measured)                ? "What you measured is no number."
          : measured > trials.right[wrong[0]] ? "What you measured is too large."
                                              : "What you measured is too small.";
  }
  return which(trials, wrong, question) + (how.empty() ? "." : ". " + how);
}

}  // namespace headlight::grader

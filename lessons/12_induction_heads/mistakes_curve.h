// What people get wrong in parts 3 and 4 of exercise 12: reading a curve, and predicting.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "mistakes.h"
#include "setup.h"

namespace mistakes {

using grader::Mistake;
using StepOfChange = std::function<double(const Numbers&, const Numbers&)>;
using Predicted = Outcome (*)(Change);

// ---- Part 3 ----

inline double level_of(const Made& made, const Numbers& s) {
  const auto [least, most] = std::minmax_element(s.begin(), s.end());
  if (made("half-of-the-extremes")) return (*least + *most) / 2;
  if (made("half-of-the-largest")) return (s.front() + *most) / 2;
  if (made("half-of-the-last")) return s.back() / 2;
  if (made("half-of-the-maximum")) return *most / 2;
  if (made("only-the-last-halved")) return s.front() + s.back() / 2;
  if (made("least-rise-for-half")) return s.front() + 0.2;
  if (made("not-halved")) return s.front() + s.back();
  if (made("half-of-the-rise")) return (s.back() - s.front()) / 2;
  if (made("begun-for-half-formed")) return s.front() + 0.1 * (s.back() - s.front());
  return made("fixed-level") ? 0.5 : (s.front() + s.back()) / 2;
}
// The number of the measurement with which the curve has passed the level.
inline std::size_t passed_at(const Made& made, const Numbers& s, double level) {
  std::size_t i = 0, last = s.size() - 1;
  if (made("steepest-rise")) {
    for (std::size_t k = i = 1; k <= last; ++k)
      if (s[k] - s[k - 1] > s[i] - s[i - 1]) i = k;
    return i;
  }
  if (made("first-crossing")) {
    while (i < last && s[i] < level) ++i;
    return i;
  }
  const auto stays = [&](double score) { return made("above-only") ? score > level : score >= level; };
  for (i = last; i > 0 && stays(s[i - 1]);) --i;
  return i;
}

inline double step_of_change(const Made& made, const Numbers& steps, const Numbers& s) {
  const auto [least, most] = std::minmax_element(s.begin(), s.end());
  const double rise = made("last-for-rise")  ? s.back()
                      : made("largest-rise") ? *most - *least
                                             : s.back() - s.front();
  const double level = level_of(made, s);
  const bool nothing = made("more-than-0.2") ? rise <= 0.2 : rise < 0.2;
  if (nothing && !made("always-a-step")) return made("0-for-nothing") ? 0 : -1;
  const std::size_t i = passed_at(made, s, level);
  if (made("index-for-step")) return static_cast<double>(i);
  if (i == 0) return steps[0];
  if (made("no-line-between") || made("steepest-rise")) return steps[i];
  if (made("one-too-early")) return steps[i - 1];
  const double part = made("middle-of-the-two")   ? 0.5
                      : made("line-turned-round") ? (s[i] - level) / (s[i] - s[i - 1])
                                                  : (level - s[i - 1]) / (s[i] - s[i - 1]);
  if (made("number-for-step")) return static_cast<double>(i) - 1 + part;
  if (made("part-of-a-measurement")) return steps[i - 1] + part;
  return steps[made("from-the-later-step") ? i : i - 1] + part * (steps[i] - steps[i - 1]);
}

inline const std::vector<Slip> kOfStepOfChange = {
    {"first-crossing",
     "You return where the curve is at the level for the first time. A single high measurement is no change: "
     "from the step on, the curve must stay there.",
     kSeedsSection},
    {"above-only", "You look for scores above the level. A score that is just at the level counts too.",
     kSeedsSection},
    {"more-than-0.2", "You ask for a rise of more than 0.2. A rise of just 0.2 is enough.", kSeedsSection},
    {"half-of-the-largest",
     "Your level lies half-way to the largest score. One high measurement would move it: take the last "
     "score.",
     kSeedsSection},
    {"half-of-the-extremes",
     "Your level lies half-way between the smallest score and the largest. A single low or high measurement "
     "would move it: take the first score and the last.",
     kSeedsSection},
    {"half-of-the-last",
     "Your level is half of the last score. A head that has learned nothing has a score above 0 already: the "
     "level lies half-way between the first score and the last.",
     kSeedsSection},
    {"half-of-the-maximum",
     "Your level is half of the largest score. It lies half-way between the first score and the last: a head "
     "that has learned nothing has a score above 0 already, and a single high score is no level.",
     kSeedsSection},
    {"only-the-last-halved",
     "Your level is the first score and half of the last one. Both belong into the brackets: (first + last) / 2.",
     kSeedsSection},
    {"least-rise-for-half",
     "Your level is 0.2 above the first score. The 0.2 only says whether a head has formed. It is half formed "
     "half-way between the first score and the last.",
     kSeedsSection},
    {"half-of-the-rise",
     "Your level is half of the rise, (last - first) / 2. Add the first score to it: the rise begins there.",
     kSeedsSection},
    {"fixed-level",
     "Your level is 0.5 for every curve. A previous-token head may end at 0.5 itself: the level depends on "
     "the first and the last score.",
     kSeedsSection},
    {"begun-for-half-formed",
     "Your level is a tenth of the rise, at which a head score has begun. It is half formed half-way between "
     "the first score and the last.",
     kSeedsSection},
    {"index-for-step", "You return the number of a measurement. Return a step.", kSeedsSection},
    {"number-for-step",
     "You return a place among the measurements, with its fraction. Return a step: steps[i - 1] and the part "
     "of the way to steps[i].",
     kSeedsSection},
    {"part-of-a-measurement",
     "You add the part itself to a step. It is a part of the way to the next measurement: multiply it by "
     "steps[i] - steps[i - 1].",
     kSeedsSection},
    {"from-the-later-step",
     "You add the part of the way to the later of the two steps. It begins at the step before, steps[i - 1].",
     kSeedsSection},
    {"not-halved", "Your level is the sum of the first score and the last. It lies half-way: divide by 2.",
     kSeedsSection},
    {"one-too-early",
     "You return the last measurement below the level. The curve passes the level after it: how far, says "
     "the line to the next measurement.",
     kSeedsSection},
    {"no-line-between",
     "You return the first measurement at the level or above. The curve passed the level before it, on the "
     "line from the measurement before.",
     kSeedsSection},
    {"middle-of-the-two",
     "You return the middle between two measurements. If the level is near the lower score, the curve passes "
     "it early.",
     kSeedsSection},
    {"line-turned-round",
     "You go the part of the way that is left above the level. The way from the measurement before is (level "
     "- before) / (after - before).",
     kSeedsSection},
    {"steepest-rise",
     "You return the step with the largest rise. A single blip has a large rise too. Compare with the level.",
     kSeedsSection},
    {"always-a-step",
     "You return a step for a curve that does not rise. If the last score is less than 0.2 above the first, "
     "nothing has formed: return -1.",
     kSeedsSection},
    {"0-for-nothing", "You return 0 where nothing has formed. Return -1: 0 is a step.", kSeedsSection},
    {"largest-rise",
     "You return -1 if the largest score is less than 0.2 above the smallest. What counts is how far the "
     "last score is above the first.",
     kSeedsSection},
    {"last-for-rise",
     "You return -1 if the last score is below 0.2. What counts is its distance from the first score.",
     kSeedsSection}};

// ---- Part 4: all 26 wrong answers to three questions of three ----

inline constexpr std::array<Change, 3> kChanges{Change::no_positions, Change::one_head, Change::repeats};
inline constexpr std::array<const char*, 3> kChangeNames{"no-positions", "one-head", "repeats"},
    kOutcomeNames{"no-head", "some-wrong", "most-right"};
inline constexpr std::array<std::size_t, 3> kTruth{0, 2, 1};

// What is said of each prediction; nothing where it is true.
inline constexpr std::array<std::array<const char*, 3>, 3> kSaid{
    {{"",
      "Without positions: you expect an induction head. It needs a previous-token head, and \"before\" is a "
      "matter of positions. Without them a head sees which tokens there are, and not which of them stands "
      "before it. In four of four seeds none formed.",
      "Without positions: you expect a head that is mostly right. It needs a previous-token head, and "
      "\"before\" is a matter of positions. Without them a head sees which tokens there are, and not which "
      "of them stands before it. In four of four seeds none formed."},
     {"One head: you expect none to form. The work needs one head in each of two layers: one for the token "
      "before, one for the match. In three of four seeds both formed, also in the one that is tested.",
      "One head: you expect many wrong answers. One head in each of two layers can look at the token before "
      "and then match. Both formed in three of four seeds, and in two of these 98 % or more were right, also "
      "in the one that is tested.",
      ""},
     {"Repeats: you expect no head. Matching still helps: most tokens occur once in a segment, and their "
      "follower is the answer. It formed in four of four seeds.",
      "",
      "Repeats: you expect hardly any mistakes. If A stands twice in the segment, it has two followers, and "
      "matching one token cannot tell which is meant. The head forms, and such places remain wrong."}}};

template <std::size_t I>
Outcome combination(Change change) {
  constexpr std::array<std::size_t, 3> all{I / 9, I / 3 % 3, I % 3};
  return static_cast<Outcome>(all[static_cast<std::size_t>(change)]);
}

inline std::string joined(const std::array<std::size_t, 3>& all, bool names) {
  std::string text;
  for (std::size_t c = 0; c < 3; ++c) {
    if (all[c] == kTruth[c]) continue;
    if (!text.empty()) text += names ? "-and-" : " ";
    text += names ? std::string(kChangeNames[c]) + "-" + kOutcomeNames[all[c]] : kSaid[c][all[c]];
  }
  return text;
}

template <std::size_t... I>
std::vector<Mistake<Predicted>> combinations(std::index_sequence<I...>) {
  std::vector<Mistake<Predicted>> all;
  const auto add = [&](std::size_t i, Predicted function) {
    const std::array<std::size_t, 3> of{i / 9, i / 3 % 3, i % 3};
    if (of == kTruth) return;
    const char* read = of[0] != kTruth[0] ? kTwoLayers : of[1] != kTruth[1] ? kHeadsSection : kFollower;
    all.push_back({joined(of, true), joined(of, false), read, function});
  };
  (add(I, combination<I>), ...);
  return all;
}

inline const std::vector<Mistake<Predicted>> kOfPredicted = combinations(std::make_index_sequence<27>());

}  // namespace mistakes

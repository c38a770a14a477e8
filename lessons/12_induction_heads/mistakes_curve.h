// What people get wrong in parts 3 and 4 of exercise 12: reading a curve, and predicting.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "mistakes.h"
#include "setup.h"

namespace mistakes {

using Predicted = Outcome (*)(Change);
using Numbers = std::vector<double>;

inline bool rises(const Numbers& scores) { return scores.back() - scores.front() >= 0.2; }
inline double middle(const Numbers& scores) { return (scores.front() + scores.back()) / 2; }
// The number of the first score from which on all are at the level or above; the last one if none is.
inline std::size_t settled(const Numbers& scores, double level) {
  std::size_t i = scores.size() - 1;
  while (i > 0 && scores[i - 1] >= level) --i;
  return i;
}

// The number of the first score at the level or above.
inline std::size_t first_at(const Numbers& scores, double level) {
  std::size_t i = 0;
  while (i + 1 < scores.size() && scores[i] < level) ++i;
  return i;
}
// Where the line from score i - 1 to score i is at the level; steps[0] if there is no score before.
inline double between(const Numbers& steps, const Numbers& s, std::size_t i, double level) {
  if (i == 0) return steps[0];
  return steps[i - 1] + (level - s[i - 1]) / (s[i] - s[i - 1]) * (steps[i] - steps[i - 1]);
}
inline double passed(const Numbers& steps, const Numbers& s, double level) {
  return rises(s) ? between(steps, s, settled(s, level), level) : -1.0;
}

inline const std::vector<Mistake<StepOfChange>> kOfStepOfChange = {
    {"first-crossing",
     "You return where the curve is at the level for the first time. A single high measurement is no change: "
     "from the step on, the curve must stay there.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) {
       return rises(s) ? between(steps, s, first_at(s, middle(s)), middle(s)) : -1.0;
     }},
    {"half-of-the-largest",
     "Your level lies half-way to the largest score. One high measurement would move it: take the last "
     "score.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) {
       return passed(steps, s, (s.front() + *std::max_element(s.begin(), s.end())) / 2);
     }},
    {"half-of-the-last",
     "Your level is half of the last score. A head that has learned nothing has a score above 0 already: the "
     "level lies half-way between the first score and the last.",
     kSeedsSection, [](const Numbers& steps, const Numbers& s) { return passed(steps, s, s.back() / 2); }},
    {"half-of-the-rise",
     "Your level is half of the rise, (last - first) / 2. Add the first score to it: the rise begins there.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) { return passed(steps, s, (s.back() - s.front()) / 2); }},
    {"fixed-level",
     "Your level is 0.5 for every curve. A previous-token head may end at 0.5 itself: the level depends on "
     "the first and the last score.",
     kSeedsSection, [](const Numbers& steps, const Numbers& s) { return passed(steps, s, 0.5); }},
    {"index-for-step", "You return the number of a measurement. Return a step.", kSeedsSection,
     [](const Numbers&, const Numbers& s) {
       return rises(s) ? static_cast<double>(settled(s, middle(s))) : -1.0;
     }},
    {"one-too-early",
     "You return the last measurement below the level. The curve passes the level after it: how far, says "
     "the "
     "line to the next measurement.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) {
       return rises(s) ? steps[settled(s, middle(s)) - 1] : -1.0;
     }},
    {"no-line-between",
     "You return the first measurement at the level or above. The curve passed the level before it, on the "
     "line from the measurement before.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) { return rises(s) ? steps[settled(s, middle(s))] : -1.0; }},
    {"middle-of-the-two",
     "You return the middle between two measurements. If the level is near the lower score, the curve passes "
     "it early.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) {
       const std::size_t i = settled(s, middle(s));
       return rises(s) ? (steps[i - 1] + steps[i]) / 2 : -1.0;
     }},
    {"line-turned-round",
     "You go the part of the way that is left above the level. The way from the measurement before is "
     "(level - before) / (after - before).",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) {
       const std::size_t i = settled(s, middle(s));
       return rises(s) ? steps[i - 1] + (s[i] - middle(s)) / (s[i] - s[i - 1]) * (steps[i] - steps[i - 1])
                       : -1.0;
     }},
    {"steepest-rise",
     "You return the step with the largest rise. A single blip has a large rise too. Compare with the level.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) {
       if (!rises(s)) return -1.0;
       std::size_t best = 1;
       for (std::size_t i = 1; i < s.size(); ++i)
         if (s[i] - s[i - 1] > s[best] - s[best - 1]) best = i;
       return steps[best];
     }},
    {"always-a-step",
     "You return a step for a curve that does not rise. If the last score is less than 0.2 above the first, "
     "nothing has formed: return -1.",
     kSeedsSection,
     [](const Numbers& steps, const Numbers& s) {
       return between(steps, s, settled(s, middle(s)), middle(s));
     }},
    {"last-for-rise",
     "You return -1 if the last score is below 0.2. What counts is its distance from the first score.",
     kSeedsSection, [](const Numbers& steps, const Numbers& s) {
       return s.back() >= 0.2 ? between(steps, s, settled(s, middle(s)), middle(s)) : -1.0;
     }}};

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
      "and then match. In three of four seeds 98 % or more were right, also in the one that is tested.",
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

// What people get wrong in parts 1 and 2 of exercise 17: the metric and the parts of the data.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "exercise.h"
#include "grader/slips.h"

namespace mistakes {

using grader::Made, grader::Slip;
using Gaps = std::function<std::vector<double>(const Array&)>;
using PartsOf = std::function<std::vector<int>(const std::vector<std::size_t>&,
                                               const std::vector<std::size_t>&, std::size_t, std::size_t)>;

inline constexpr const char *kPrediction = "The prediction, before anything is trained",
                            *kChoice = "A choice, on the validation part", *kOnce = "The held-out part, once",
                            *kControl = "A control that must fail";

// ---- Part 1 ----

inline bool survives(const Made& made, double x, double y) {
  const double square = x * x + y * y;
  const double length = made("squared-length")  ? square
                        : made("sum-of-sizes")  ? std::abs(x) + std::abs(y)
                        : made("larger-number") ? std::max(std::abs(x), std::abs(y))
                                                : std::sqrt(square);
  if (made("all-features")) return true;
  return made("half-excluded") ? length > 0.5 : length >= 0.5;
}

inline std::vector<double> gaps(const Made& made, const Array& W) {
  const double turn = made("radians") ? 2 * std::numbers::pi : 360;
  std::vector<double> at;
  for (std::size_t i = 0; i < W.shape()[1]; ++i) {
    const double x = W(0, i), y = W(1, i);
    if (!survives(made, x, y)) continue;
    const double radians = made("arctangent-of-the-quotient") ? std::atan(y / x)
                           : made("axes-swapped")             ? std::atan2(x, y)
                                                              : std::atan2(y, x);
    const double angle = radians * turn / (2 * std::numbers::pi);
    at.push_back(angle < 0 && !made("starts-at-minus-180") ? angle + turn : angle);
  }
  if (!made("not-sorted")) std::sort(at.begin(), at.end());
  if (made("clockwise")) std::reverse(at.begin(), at.end());
  if (made("angles-themselves")) return at;
  if (at.size() == 1 && made("0-for-one")) return {0};
  if (at.size() == 1 && made("nothing-for-one")) return {};
  std::vector<double> between;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const bool last = i + 1 == at.size();
    if (last && made("last-gap-missing")) break;
    const double around = made("turn-not-added") && last && i > 0 ? 0 : turn;
    double gap = last ? at[0] + around - at[i] : at[i + 1] - at[i];
    if (made("clockwise") || (made("not-sorted") && !last)) {
      gap = last ? at[0] - at[i] : at[i + 1] - at[i];
      if (made("clockwise")) gap = -gap;
      if (gap < 0 || (last && gap == 0)) gap += turn;
    }
    if (made("never-above-180")) gap = std::min(gap, turn - gap);
    between.push_back(gap);
  }
  if (made("last-gap-first") && !between.empty())
    std::rotate(between.begin(), between.end() - 1, between.end());
  if (made("gaps-sorted")) std::sort(between.begin(), between.end());
  return between;
}

inline const std::vector<Slip> kOfGaps = {
    {"all-features", "You count the features that do not survive too. They have no direction to speak of.",
     ""},
    {"squared-length",
     "You compare the square of the length with 0.5, so short features are lost. Take the root.", ""},
    {"sum-of-sizes", "Your length is |x| + |y|. It is √(x² + y²).", ""},
    {"larger-number", "Your length is the larger of |x| and |y|. It is √(x² + y²).", ""},
    {"half-excluded", "You leave out a feature of length 0.5. It survives: at least 0.5.", ""},
    {"radians", "Your angles are in radians. A full turn is 360 degrees.", ""},
    {"arctangent-of-the-quotient",
     "You take the arctangent of y / x, which is the same for opposite directions. std::atan2(y, x) tells "
     "them apart.",
     ""},
    {"axes-swapped", "You measure from (0, 1) towards (1, 0): the first argument of std::atan2 is y.", ""},
    {"starts-at-minus-180",
     "You go around from -180 degrees on, where std::atan2 begins. Add 360 to negative angles.", ""},
    {"not-sorted", "You take the features in the order of the columns. Sort them by angle first.", ""},
    {"clockwise", "You go around the other way. The angles grow from (1, 0) towards (0, 1).", ""},
    {"angles-themselves", "You return the angles. The gaps between neighbours are asked for.", ""},
    {"0-for-one", "With one survivor you give 0. From it once around to itself are 360 degrees.", ""},
    {"nothing-for-one", "With one survivor you give nothing. From it once around to itself are 360 degrees.",
     ""},
    {"last-gap-missing", "You leave out the gap from the last survivor around to the first one.", ""},
    {"turn-not-added",
     "Your last gap is negative. The first survivor comes again after 360 degrees: add them.", ""},
    {"never-above-180",
     "You take the smaller of the two ways between neighbours. The way that goes on around is asked for, and "
     "it may be longer than 180 degrees.",
     ""},
    {"last-gap-first", "Your first gap is the one around the end. It belongs to the last survivor.", ""},
    {"gaps-sorted", "You sort the gaps by size. They come in the order around the circle.", ""}};

// ---- Part 2 ----

// Parts of examples, without their sources.
inline std::vector<int> cut(const Made& made, std::size_t n, std::size_t held_out, std::size_t validation) {
  std::vector<int> part(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    part[made("last-examples") ? n - 1 - i : i] = i < held_out ? 2 : i < held_out + validation ? 1 : 0;
  return part;
}

inline std::vector<int> renamed(const Made& made, std::vector<int> part) {
  if (made("rest-to-validation"))
    for (int& each : part) each = each == 0 ? 1 : each == 1 ? 0 : 2;
  if (made("labels-swapped"))
    for (int& each : part) each = each == 0 ? 0 : 3 - each;
  if (made("labels-backwards"))
    for (int& each : part) each = 2 - each;
  return part;
}

inline std::vector<int> by_source(const std::vector<int>& part, const std::vector<std::size_t>& source,
                                  const std::vector<std::size_t>& order) {
  std::vector<int> of_sources;
  for (const std::size_t s : order)
    if (const auto at = std::ranges::find(source, s); at != source.end())
      of_sources.push_back(part[static_cast<std::size_t>(at - source.begin())]);
  return of_sources;
}

inline std::size_t examples_of(const std::vector<std::size_t>& source, std::size_t s) {
  return static_cast<std::size_t>(std::ranges::count(source, s));
}

inline std::vector<int> parts_of(const Made& made, const std::vector<std::size_t>& source,
                                 std::vector<std::size_t> order, std::size_t held_out,
                                 std::size_t validation) {
  if (made("order-ignored")) std::sort(order.begin(), order.end());
  if (made("from-the-end")) std::reverse(order.begin(), order.end());
  std::vector<int> part(source.size(), 0);
  if (made("sources-ignored") || made("last-examples")) return cut(made, source.size(), held_out, validation);
  std::size_t next = 0, counted = 0, asked = 0;
  const bool cuts = made("source-cut") || made("source-cut-rest-to-training");
  const auto fill = [&](int label, std::size_t least) {
    std::size_t has = made("counted-together") || made("count-goes-on") ? counted : 0;
    asked += least;
    if (made("too-large-left-out")) next = 0;
    if (made("counted-together")) least = asked;
    const auto more = [&] {
      if (made("too-large-left-out") || made("too-large-to-training"))
        while (next < order.size() && has + examples_of(source, order[next]) > least) ++next;
      if (next >= order.size()) return false;
      if (made("at-most")) return has + examples_of(source, order[next]) <= least;
      return made("one-source-too-many") ? has <= least : has < least;
    };
    for (bool first = made("one-source-at-least"); next < order.size() && (first || more()); first = false) {
      bool whole = true;
      for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] != order[next] || (part[i] != 0 && !made("starts-again"))) continue;
        whole = !cuts || has < least;
        if (!whole) break;
        part[i] = label;
        if (!made("sources-counted")) ++has;
        if (made("one-example-a-source")) break;
      }
      if (made("sources-counted")) ++has;
      if (!whole && made("source-cut")) break;
      ++next;
    }
    counted = has;
    if (made("a-source-skipped") && next < order.size()) ++next;
  };
  if (made("validation-first")) {
    fill(1, validation), fill(2, held_out);
  } else {
    fill(2, held_out);
    if (made("starts-again")) next = 0;
    fill(1, validation);
  }
  part = renamed(made, part);
  return made("by-source") ? by_source(part, source, order) : part;
}

inline const std::vector<Slip> kOfPartsOf = {
    {"source-cut",
     "You cut a source when a part has enough examples, so its other examples are in another part: a leak.",
     kChoice},
    {"source-cut-rest-to-training",
     "You cut a source when a part has enough examples and leave its other examples for training: a leak.",
     kChoice},
    {"sources-ignored", "You take the first examples, whatever their sources. Whole sources go into a part.",
     kChoice},
    {"last-examples", "You take the last examples, whatever their sources. Whole sources go into a part.",
     kChoice},
    {"one-example-a-source",
     "You put one example of each source into the part. All examples of the source belong to it.", kChoice},
    {"sources-counted", "You count sources. held_out and validation are numbers of examples.", kChoice},
    {"one-source-too-many", "You take one more source when a part has exactly enough. At least is enough.",
     kChoice},
    {"at-most", "You stop before a part gets too many. It should have at least as many as asked for.",
     kChoice},
    {"too-large-left-out",
     "You pass over a source if the part would have more examples than asked for. A part takes the sources "
     "as they come, until it has at least as many as asked for.",
     kChoice},
    {"too-large-to-training",
     "You leave a source for training if a part would have more examples than asked for. A part takes the "
     "sources as they come, until it has at least as many as asked for.",
     kChoice},
    {"one-source-at-least", "You give a source to a part of 0 examples. Compare before the first one too.",
     kChoice},
    {"counted-together",
     "You compare all examples so far with held_out + validation, so what the held-out part has too many is "
     "missing in the validation part. Count each part from 0.",
     kChoice},
    {"count-goes-on", "Your count goes on from the held-out part. Count the validation part from 0.",
     kChoice},
    {"validation-first", "You fill the validation part first. The held-out part takes the first sources.",
     kChoice},
    {"starts-again",
     "You start again at the first source for the validation part. Its sources are taken already.", kChoice},
    {"a-source-skipped", "You skip a source between the two parts. No source is left out.", kChoice},
    {"order-ignored", "You take the sources by number. Take them as `order` has them.", kChoice},
    {"from-the-end", "You go through `order` from its end.", kChoice},
    {"rest-to-validation", "You have training and validation confused: 0 is training, and it is the rest.",
     kChoice},
    {"labels-swapped", "Your numbers 1 and 2 are swapped. 1 is validation, 2 is held out.", kChoice},
    {"labels-backwards", "Your numbers run backwards. 0 is training, 2 is held out.", kChoice},
    {"by-source", "You return a number for each source. Each example has one.", kChoice}};

}  // namespace mistakes

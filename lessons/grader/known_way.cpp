#include "grader/known_way.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

namespace headlight::grader {
namespace {

// By how much a count is off beside a wrong way, 0 where it alone gives these numbers, the right ones among
// them; nothing where it does not. A way is first tried as far as the first wrong trial, which rules most
// out.
std::optional<double> beside(const WrongMeasure& way, const Trials& t, const Places& wrong,
                             const Same& same) {
  const Column as_far(t.settings.begin(), t.settings.begin() + static_cast<std::ptrdiff_t>(wrong[0]) + 1);
  const double first = way.measure(as_far).back(), measured = t.measured[wrong[0]];
  for (const double by : {0.0, 1.0, -1.0}) {
    if (!same(measured, first + by)) continue;
    const auto is_off = [&](double a, double b) { return same(a, b + by); };
    if (std::ranges::equal(t.measured, way.measure(t.settings), is_off)) return by;
  }
  return {};
}

// Of several sets of ways that give these numbers.
std::string words_of_sets(const std::vector<const WrongMeasure*>& sets) {
  if (sets.empty()) return "";
  if (sets.size() == 1) return sets[0]->sentence;
  for (const std::string& sentence : sets[0]->of)
    if (std::ranges::all_of(sets, [&](const WrongMeasure* other) {
          return std::ranges::find(other->of, sentence) != other->of.end();
        }))
      return "Your numbers are those of a known mistake together with another one. Which the other one is, the "
             "numbers do not say. The known one: " +
             sentence;
  return sets[0]->sentence + " This is one possibility: other mistakes together give the same numbers.";
}

}  // namespace

std::string known_way(const Trials& t, const Places& wrong, const Same& same, const Question& question) {
  std::string beside_a_count;
  std::vector<std::string> alone;
  std::vector<const WrongMeasure*> together;
  for (const WrongMeasure& way : question.wrong) {
    const auto by = beside(way, t, wrong, same);
    if (!by) continue;
    if (*by != 0 && beside_a_count.empty())
      beside_a_count =
          fmt::format("{} Besides, one too {} is counted.", way.sentence, *by > 0 ? "many" : "few");
    if (*by == 0 && !way.of.empty()) together.push_back(&way);
    if (*by == 0 && way.of.empty() && std::ranges::find(alone, way.sentence) == alone.end())
      alone.push_back(way.sentence);
  }
  if (alone.size() == 1) return alone[0];
  if (!alone.empty())
    return fmt::format("More than one known mistake gives these numbers. One is: {}",
                       fmt::join(alone, " Another is: "));
  return together.empty() ? beside_a_count : words_of_sets(together);
}

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
      all.push_back({named_together(names, {ways[a].sentence, ways[b].sentence}).sentence,
                     making({names}),
                     {ways[a].sentence, ways[b].sentence}});
    }
  return all;
}

}  // namespace headlight::grader

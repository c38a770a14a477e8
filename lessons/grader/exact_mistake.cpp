#include "grader/exact_mistake.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

namespace headlight::grader {

NamedTogether named_together(const std::vector<std::string>& names,
                             const std::vector<std::string>& sentences) {
  constexpr std::array kCounts{"No", "One", "Two", "Three", "Four", "Five", "Six"};
  constexpr std::array kOrder{"First", "Second", "Third", "Fourth", "Fifth", "Sixth"};
  NamedTogether all{fmt::format("{}", fmt::join(names, " + ")),
                    fmt::format("{} mistakes together give your numbers.", kCounts.at(names.size()))};
  for (std::size_t i = 0; i < sentences.size(); ++i)
    all.sentence += fmt::format(" {}: {}", kOrder.at(i), sentences[i]);
  return all;
}

namespace {

// Before the sentence on a mistake that gives the same exceptions and no number: others may do so too.
const std::string kOneOfSome = "A known mistake ends like this, and so may others: ";

using Fits = std::vector<const Part::Known*>;

// The mistakes that give what was found on every call: the single ones, or several together.
Fits fitting(const Part& part, const std::vector<Outcome>& found, const Outcomes& known, bool together) {
  Fits fits;
  for (std::size_t k = 0; k < part.mistakes.size(); ++k) {
    bool same = part.mistakes[k].of.empty() != together;
    for (std::size_t c = 0; same && c < found.size(); ++c)
      same = same_outcome_and_message(known(c, kFirstMistake + k), found[c], part.tolerance);
    if (same) fits.push_back(&part.mistakes[k]);
  }
  return fits;
}

// The mistake that each of these is made of.
const Part::Known* in_common(const Part& part, const Fits& fits) {
  for (const Part::Known& single : part.mistakes)
    if (std::ranges::all_of(fits, [&](const Part::Known* several) {
          return std::ranges::find(several->of, single.name) != several->of.end();
        }))
      return &single;
  return nullptr;
}

// What is said of each of the mistakes that this one is made of, in an order of its own.
std::vector<std::string> sentences_of(const Part& part, const Part::Known& several) {
  std::vector<std::string> all;
  for (const std::string& name : several.of)
    all.push_back(std::ranges::find(part.mistakes, name, &Part::Known::name)->sentence);
  std::ranges::sort(all);
  return all;
}

// Without those that say the same as one before: a mistake may be written in several ways.
Fits that_differ(const Part& part, const Fits& fits) {
  Fits all;
  std::vector<std::vector<std::string>> said;
  for (const Part::Known* each : fits) {
    said.push_back(sentences_of(part, *each));
    if (std::ranges::count(said, said.back()) == 1) all.push_back(each);
  }
  return all;
}

// Of two mistakes together: that of the one which gives what was found on every call but one, on two wrong
// calls or more, with the other as what the one call shows. Nothing when neither does so.
std::optional<Verdict::KnownMistake> nearly_alone(const Part& part, const std::vector<Outcome>& found,
                                                  const Outcomes& known, const Part::Known& both) {
  constexpr std::size_t kFewestCalls = 2;
  if (both.of.size() != 2) return {};
  const auto of_name = [&](const std::string& name) {
    const auto at = std::ranges::find(part.mistakes, name, &Part::Known::name);
    return static_cast<std::size_t>(at - part.mistakes.begin());
  };
  for (const std::size_t one : {0u, 1u}) {
    const std::size_t k = of_name(both.of[one]), other = of_name(both.of[1 - one]);
    std::size_t fitting = 0, missing = 0;
    for (std::size_t c = 0; c < found.size(); ++c) {
      const bool fits = same_outcome_and_message(known(c, kFirstMistake + k), found[c], part.tolerance);
      if (!fits) ++missing;
      if (fits && !same_outcome(known(c, kSolution), found[c], part.tolerance)) ++fitting;
    }
    if (missing != 1 || fitting < kFewestCalls) continue;
    return Verdict::KnownMistake{
        both.name,
        fmt::format("On all calls but one your numbers are those of a known mistake: {} On the one they are "
                    "those of this mistake together with another: {}",
                    part.mistakes[k].sentence, part.mistakes[other].sentence),
        part.mistakes[k].read};
  }
  return {};
}

// The first mistake that gives what was found on the first wrong call.
std::optional<Verdict::KnownMistake> on_first_wrong_call(const Part& part, const std::vector<Outcome>& found,
                                                         const Outcomes& known) {
  const auto fits = [&](std::size_t call, std::size_t implementation) {
    return same_outcome_and_message(known(call, implementation), found[call], part.tolerance);
  };
  std::size_t call = 0;
  while (call < found.size() && fits(call, kSolution)) ++call;
  for (std::size_t k = 0; call < found.size() && k < part.mistakes.size(); ++k) {
    if (!fits(call, kFirstMistake + k)) continue;
    const auto& [name, sentence, read, of] = part.mistakes[k];
    bool more = false;
    for (std::size_t c = call + 1; c < found.size(); ++c)
      more = more || (!fits(c, kSolution) && !fits(c, kFirstMistake + k));
    if (!more) return Verdict::KnownMistake{name, sentence, read};
    return Verdict::KnownMistake{name + " + something else", sentence + " Later calls are wrong too.", read};
  }
  return {};
}

}  // namespace

std::optional<Verdict::KnownMistake> exact_mistake(const Part& part, const std::vector<Outcome>& found,
                                                   const Outcomes& known) {
  const auto fits_solution = [&](std::ptrdiff_t call) {
    const auto c = static_cast<std::size_t>(call);
    return same_outcome(known(c, kSolution), found[c], part.tolerance);
  };
  Fits fits = fitting(part, found, known, false);
  if (fits.empty()) fits = that_differ(part, fitting(part, found, known, true));
  if (fits.empty() && part.separate) return on_first_wrong_call(part, found, known);
  if (fits.empty()) return {};
  const Part::Known& first = *fits[0];
  if (fits.size() == 1 || first.of.empty()) {
    if (auto nearly = nearly_alone(part, found, known, first)) return nearly;
    const bool only_threw = std::ranges::all_of(found, [&](const Outcome& o) {
      return o.end == Outcome::End::threw || fits_solution(&o - found.data());
    });
    return Verdict::KnownMistake{first.name, only_threw ? kOneOfSome + first.sentence : first.sentence,
                                 first.read};
  }
  if (const Part::Known* shared = in_common(part, fits))
    return Verdict::KnownMistake{
        shared->name + " + something else",
        "Your numbers are those of a known mistake together with another one. Which the other one is, the "
        "numbers do not say. The known one: " +
            shared->sentence,
        shared->read};
  return Verdict::KnownMistake{
      first.name + ", or others",
      first.sentence + " This is one possibility: other mistakes together give the same numbers.",
      first.read};
}

}  // namespace headlight::grader

#include "grader/call_mistake.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace headlight::grader {
namespace {

// A fraction that does not come up by chance, as a half does.
bool is_odd_fraction(double x) { return 16 * x != std::round(16 * x); }

// Whether what one call came to can hardly be so by chance: the words of an exception, a fraction, or two
// numbers.
bool is_evidence_alone(const Outcome& found, const Outcome& solution, double tolerance) {
  if (found.end != Outcome::End::returned) return true;
  std::set<double> wrong;
  for (std::size_t o = 0; o < found.result.size(); ++o)
    wrong.merge(
        wrong_numbers(found.result[o], o < solution.result.size() ? solution.result[o] : Shown{}, tolerance));
  return wrong.size() > 1 || std::ranges::any_of(wrong, is_odd_fraction);
}

// The single mistakes with the outcome of this call. Of more than one, those that have what was found on most
// of the calls.
std::vector<std::size_t> on_the_call(const Part& part, const std::vector<Outcome>& found,
                                     const Outcomes& known, std::size_t call) {
  const auto fits = [&](std::size_t k, std::size_t c) {
    return same_outcome_and_message(known(c, kFirstMistake + k), found[c], part.tolerance);
  };
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < part.mistakes.size(); ++k)
    if (part.mistakes[k].of.empty() && fits(k, call)) all.push_back(k);
  if (all.size() < 2) return all;
  std::vector<std::size_t> best;
  std::size_t most = 0;
  for (const std::size_t k : all) {
    std::size_t calls = 0;
    for (std::size_t c = 0; c < found.size(); ++c) calls += fits(k, c) ? 1 : 0;
    if (calls > most) best.clear();
    if (calls >= most) best.push_back(k), most = calls;
  }
  return best;
}

}  // namespace

std::optional<Verdict::KnownMistake> on_the_call_shown(const Part& part, const std::vector<Outcome>& found,
                                                       const Outcomes& known, std::size_t call) {
  if (!is_evidence_alone(found[call], known(call, kSolution), part.tolerance)) return {};
  std::vector<std::size_t> fits = on_the_call(part, found, known, call);
  const auto same = [&](std::size_t k) {
    return part.mistakes[k].sentence == part.mistakes[fits[0]].sentence;
  };
  if (fits.size() > 1) fits.erase(std::remove_if(fits.begin() + 1, fits.end(), same), fits.end());
  if (fits.empty() || fits.size() > 2) return {};
  const Part::Known& first = part.mistakes[fits[0]];
  const bool two = fits.size() == 2;
  const char* found_by = found[call].end == Outcome::End::returned ? "your numbers are those of"
                                                                   : "your code ends as it does with";
  return Verdict::KnownMistake{
      first.name + (two ? " or " + part.mistakes[fits[1]].name : "") + " + something else",
      fmt::format("On this call {} {}. Other calls show that there is something else besides. The known "
                  "one: {}{}",
                  found_by, two ? "two known mistakes, one or the other" : "a known mistake", first.sentence,
                  two ? " Or: " + part.mistakes[fits[1]].sentence : ""),
      first.read};
}

std::optional<Verdict::KnownMistake> on_the_calls_so_far(const Part& part, const std::vector<Outcome>& found,
                                                         const Outcomes& known) {
  std::size_t wrong = 0;
  bool evidence = false;
  for (std::size_t c = 0; c < found.size(); ++c) {
    const Outcome solution = known(c, kSolution);
    if (same_outcome(found[c], solution, part.tolerance)) continue;
    ++wrong;
    evidence = evidence || is_evidence_alone(found[c], solution, part.tolerance);
  }
  if (wrong < 2 && !evidence) return {};
  std::vector<std::size_t> fits;
  for (std::size_t k = 0; k < part.mistakes.size(); ++k) {
    bool all = part.mistakes[k].of.empty();
    for (std::size_t c = 0; all && c < found.size(); ++c)
      all = same_outcome_and_message(known(c, kFirstMistake + k), found[c], part.tolerance);
    if (all) fits.push_back(k);
  }
  if (fits.size() != 1) return {};
  const Part::Known& only = part.mistakes[fits[0]];
  return Verdict::KnownMistake{
      only.name + " + no end",
      fmt::format(
          "Up to here your numbers are those of a known mistake: {} A later call crashes, or comes to no "
          "end.",
          only.sentence),
      only.read};
}

}  // namespace headlight::grader

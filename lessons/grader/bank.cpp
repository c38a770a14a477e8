#include "grader/bank.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "grader/judge.h"

namespace headlight::grader {
namespace {

constexpr std::size_t kFewestMistakes = 4;

std::string name_of(const Part& part, std::size_t implementation) {
  return implementation < kFirstMistake ? "the solution" : part.mistakes[implementation - kFirstMistake].name;
}

// The outcomes of a part's implementations, each computed once: a call may be a training.
class OutcomeTable {
 public:
  explicit OutcomeTable(const Part& part) : part_(part) {}
  const Outcome& operator()(std::size_t call, std::size_t implementation) const {
    const auto [at, is_new] = outcomes_.try_emplace({call, implementation});
    if (is_new) at->second = outcome_of(part_.calls[call], implementation);
    return at->second;
  }

 private:
  const Part& part_;
  mutable std::map<std::pair<std::size_t, std::size_t>, Outcome> outcomes_;
};

bool is_several(const Part& part, std::size_t implementation) {
  return implementation >= kFirstMistake && !part.mistakes[implementation - kFirstMistake].of.empty();
}

// Two implementations that no call tells apart, and that are not several mistakes together: one of these may
// hide another.
void find_confused(const Part& part, const OutcomeTable& outcomes, std::vector<std::string>& faults) {
  const std::size_t end = kFirstMistake + part.mistakes.size();
  for (std::size_t a = kSolution; a < end; ++a)
    for (std::size_t b = a + 1; b < end; ++b) {
      bool same = !is_several(part, a) && !is_several(part, b);
      for (std::size_t c = 0; same && c < part.calls.size(); ++c)
        same = same_outcome_and_message(outcomes(c, a), outcomes(c, b), part.tolerance);
      if (same)
        faults.push_back(fmt::format("{}: '{}' and '{}' give the same results on every call.", part.name,
                                     name_of(part, a), name_of(part, b)));
    }
}

void find_uncaught(const Part& part, const OutcomeTable& outcomes, Runs runs,
                   std::vector<std::string>& faults) {
  const Outcomes known = std::cref(outcomes);
  const Outcomes again = [&](std::size_t c, std::size_t i) { return outcome_of(part.calls[c], i); };
  const Outcomes& judged = runs == Runs::twice ? again : known;
  const Verdict solved = judge_part(part, kSolution, judged, known);
  if (solved.kind != Kind::solved)
    faults.push_back(fmt::format("{}: the solution does not give the same results twice.", part.name));
  for (std::size_t k = 0; k < part.mistakes.size(); ++k) {
    const Verdict verdict = judge_part(part, kFirstMistake + k, judged, known);
    const auto& [name, sentence, read, of] = part.mistakes[k];
    if (!of.empty() && (verdict.kind == Kind::solved || verdict.mistake)) continue;
    if (verdict.kind == Kind::solved)
      faults.push_back(fmt::format("{}: '{}' is not caught.", part.name, name));
    else if (!verdict.mistake)
      faults.push_back(fmt::format("{}: '{}' is caught and not named.", part.name, name));
    else if (verdict.mistake->name != name)
      faults.push_back(fmt::format("{}: '{}' is called '{}'.", part.name, name, verdict.mistake->name));
  }
}

// An experiment that takes another count for the right one, or a number that is 1 % off.
void find_loose(const Part& part, const OutcomeTable& outcomes, std::vector<std::string>& faults) {
  const Outcome& solution = outcomes(0, kSolution);
  if (!part.what_is_off || solution.end != Outcome::End::returned) return;
  for (const double number : solution.result[2].numbers) {
    const bool counts = number == std::round(number);
    const double wrong = counts ? number + 1 : 1.01 * number;
    if (std::isfinite(number) && !difference({{"", {}, {number}}}, {{"", {}, {wrong}}}, part.tolerance))
      faults.push_back(fmt::format("{}: {} {} would be right in the place of {}.", part.name,
                                   part.calls[0].text, wrong, number));
  }
}

// Of an experiment: wrong ways to measure that the solution's settings do not show.
void find_unshown(const Part& part, const OutcomeTable& outcomes, std::vector<std::string>& faults) {
  if (part.wrong_ways.empty()) return;
  Result result = outcomes(0, kSolution).result;
  for (const auto& [sentence, measure] : part.wrong_ways) {
    result[2].numbers = measure(result[0].numbers);
    if (part.what_is_off(result).empty())
      faults.push_back(fmt::format("{}: '{}' is not caught.", part.name, sentence));
  }
}

void find_in_texts(const Part& part, std::vector<std::string>& faults) {
  if (part.stars < 1 || part.stars > 3)
    faults.push_back(fmt::format("{}: expected 1 to 3 stars, got {}.", part.name, part.stars));
  if (part.what_is_off) return;  // an experiment has no example, and no wrong settings
  if (part.calls.size() < 2)
    faults.push_back(fmt::format("{}: expected the example and at least one more call.", part.name));
  if (part.mistakes.size() < kFewestMistakes)
    faults.push_back(fmt::format("{}: expected at least {} mistakes, got {}.", part.name, kFewestMistakes,
                                 part.mistakes.size()));
  std::set<std::string> names;
  for (const Part::Known& mistake : part.mistakes) {
    if (!names.insert(mistake.name).second)
      faults.push_back(fmt::format("{}: two mistakes are named '{}'.", part.name, mistake.name));
    if (mistake.sentence.empty() || !mistake.sentence.ends_with('.'))
      faults.push_back(fmt::format("{}: '{}' has no sentence.", part.name, mistake.name));
  }
}

}  // namespace

std::vector<std::string> faults_of_bank(const Exercise& exercise, Runs runs) {
  std::vector<std::string> faults;
  std::set<std::string> names;
  for (const Part& part : exercise.parts) {
    if (!names.insert(part.name).second)
      faults.push_back(fmt::format("two parts are named '{}'.", part.name));
    find_in_texts(part, faults);
    const OutcomeTable outcomes(part);
    for (std::size_t c = 0; c < part.calls.size(); ++c)
      if (const Outcome& o = outcomes(c, kSolution); o.end != Outcome::End::returned && o.message.empty())
        faults.push_back(
            fmt::format("{}: the solution fails on {} without a word.", part.name, part.calls[c].text));
    find_confused(part, outcomes, faults);
    find_uncaught(part, outcomes, runs, faults);
    find_loose(part, outcomes, faults);
    find_unshown(part, outcomes, faults);
  }
  return faults;
}

std::string verdicts_of_bank(const Exercise& exercise, std::size_t pairs) {
  std::string lines;
  for (const Part& part : exercise.parts) {
    const OutcomeTable outcomes(part);
    const Outcomes known = std::cref(outcomes);
    const auto several = static_cast<std::size_t>(
        std::ranges::count_if(part.mistakes, [](const Part::Known& each) { return !each.of.empty(); }));
    const std::size_t step = std::max<std::size_t>(1, several / std::max<std::size_t>(1, pairs));
    std::size_t seen = 0;
    for (std::size_t i = kSolution; i < kFirstMistake + part.mistakes.size(); ++i) {
      if (is_several(part, i) && seen++ % step != 0) continue;
      Verdict verdict = judge_part(part, i, known, known);
      verdict.lesson = exercise.lesson;
      verdict.parts = {{part.name, part.stars, part.not_called, verdict.kind}};
      lines += to_json(verdict) + "\n";
    }
  }
  return lines;
}

}  // namespace headlight::grader

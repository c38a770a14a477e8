#include "grader/bank.h"

#include <fmt/core.h>

#include <set>

#include "grader/judge.h"
#include "grader/outcome.h"

namespace headlight::grader {
namespace {

constexpr std::size_t kFewestMistakes = 4;

std::string name_of(const Part& part, std::size_t implementation) {
  return implementation < kFirstMistake ? "the solution" : part.mistakes[implementation - kFirstMistake].name;
}

// Two implementations that no call tells apart.
void find_confused(const Part& part, std::vector<std::string>& faults) {
  const std::size_t end = kFirstMistake + part.mistakes.size();
  std::vector<std::vector<Outcome>> outcomes(end);
  for (std::size_t i = kSolution; i < end; ++i)
    for (const Part::Call& call : part.calls) outcomes[i].push_back(outcome_of(call, i));
  for (std::size_t a = kSolution; a < end; ++a)
    for (std::size_t b = a + 1; b < end; ++b) {
      bool same = true;
      for (std::size_t c = 0; same && c < part.calls.size(); ++c)
        same = same_deed(outcomes[a][c], outcomes[b][c], part.tolerance);
      if (same)
        faults.push_back(fmt::format("{}: '{}' and '{}' give the same results on every call.", part.name,
                                     name_of(part, a), name_of(part, b)));
    }
}

void find_uncaught(const Part& part, std::vector<std::string>& faults) {
  const Verdict solved = judge_part(part, kSolution);
  if (solved.kind != Kind::solved)
    faults.push_back(fmt::format("{}: the solution does not give the same results twice.", part.name));
  for (std::size_t k = 0; k < part.mistakes.size(); ++k) {
    const Verdict verdict = judge_part(part, kFirstMistake + k);
    const std::string& name = part.mistakes[k].name;
    if (verdict.kind == Kind::solved)
      faults.push_back(fmt::format("{}: '{}' is not caught.", part.name, name));
    else if (!verdict.mistake)
      faults.push_back(fmt::format("{}: '{}' is caught and not named.", part.name, name));
    else if (verdict.mistake->name != name)
      faults.push_back(fmt::format("{}: '{}' is called '{}'.", part.name, name, verdict.mistake->name));
  }
}

void find_in_texts(const Part& part, std::vector<std::string>& faults) {
  if (part.stars < 1 || part.stars > 3)
    faults.push_back(fmt::format("{}: expected 1 to 3 stars, got {}.", part.name, part.stars));
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

std::vector<std::string> faults_of_bank(const Exercise& exercise) {
  std::vector<std::string> faults;
  std::set<std::string> names;
  for (const Part& part : exercise.parts) {
    if (!names.insert(part.name).second)
      faults.push_back(fmt::format("two parts are named '{}'.", part.name));
    find_in_texts(part, faults);
    for (const Part::Call& call : part.calls)
      if (const Outcome o = outcome_of(call, kSolution); o.end != Outcome::End::returned && o.message.empty())
        faults.push_back(fmt::format("{}: the solution fails on {} without a word.", part.name, call.text));
    find_confused(part, faults);
    find_uncaught(part, faults);
  }
  return faults;
}

}  // namespace headlight::grader

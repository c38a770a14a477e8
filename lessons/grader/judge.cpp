#include "grader/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grader/known_mistake.h"

namespace headlight::grader {
namespace {

Kind kind_of_end(Outcome::End end) {
  switch (end) {
    case Outcome::End::not_written:
      return Kind::not_written;
    case Outcome::End::refused:
      return Kind::refused;
    case Outcome::End::memory:
      return Kind::memory;
    case Outcome::End::threw:
      return Kind::threw;
    case Outcome::End::returned:
      break;
  }
  return Kind::solved;
}

// Nothing when the learner's outcome is the solution's.
std::optional<Difference> difference_of(const Outcome& expected, const Outcome& found, double tolerance) {
  if (same_outcome(expected, found, tolerance)) return {};
  if (found.end != Outcome::End::returned) return Difference{kind_of_end(found.end), {}};
  if (expected.end != Outcome::End::returned) return Difference{Kind::wrong_numbers, {}};
  return difference(expected.result, found.result, tolerance);
}

Verdict running(const Part& part, const Part::Call& call) {
  Verdict verdict;
  verdict.seconds = part.seconds;
  verdict.kind = Kind::running;
  verdict.call = call.text;
  verdict.inputs = call.inputs;
  return verdict;
}

Verdict verdict_on(const Part& part, const Part::Call& call, const Difference& difference,
                   const Outcome& expected, const Outcome& found) {
  Verdict verdict = running(part, call);
  verdict.kind = difference.kind;
  verdict.where = difference.where;
  verdict.expected = expected.result;
  verdict.found = found.result;
  verdict.message = found.end == Outcome::End::returned ? expected.message : found.message;
  return verdict;
}

// How far apart the marked numbers of a verdict are, relative to the larger one; NaN when something else than
// a number is wrong.
double distance_of(const Verdict& verdict) {
  if (verdict.kind != Kind::wrong_numbers || !verdict.where) return std::numeric_limits<double>::quiet_NaN();
  const auto [output, index] = *verdict.where;
  const double a = verdict.expected[output].numbers[index], b = verdict.found[output].numbers[index];
  return std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}

// Whether a call differs in late digits only, so that a later one may show better what is wrong.
bool is_slight(const Verdict& verdict) {
  constexpr double kSlight = 1e-3;
  return distance_of(verdict) < kSlight;
}

// What an experiment should have found depends on the learner's settings.
Outcome expected_of(const Part& part, std::size_t call, const Outcome& found, const Outcomes& known) {
  if (!part.expected_of) return known(call, kSolution);
  return {Outcome::End::returned,
          found.end == Outcome::End::returned ? part.expected_of(found.result) : Result{},
          {}};
}

Verdict solved(const Part& part, const std::vector<Outcome>& found) {
  Verdict verdict;
  if (part.expected_of) verdict.trials = found[0].result;
  return verdict;
}

}  // namespace

Verdict judge_part(const Part& part, std::size_t implementation, const Listener& listener) {
  const Outcomes made = [&](std::size_t call, std::size_t i) { return outcome_of(part.calls[call], i); };
  return judge_part(part, implementation, made, made, listener);
}

Verdict judge_part(const Part& part, std::size_t implementation, const Outcomes& judged,
                   const Outcomes& known, const Listener& listener) {
  const auto report = [&](const Verdict& verdict) {
    if (listener) listener(verdict);
  };
  std::optional<Verdict> verdict;
  std::size_t shown = 0;
  std::vector<Outcome> all;
  for (std::size_t c = 0; c < part.calls.size(); ++c) {
    const Part::Call& call = part.calls[c];
    if (!verdict) report(running(part, call));
    all.push_back(judged(c, implementation));
    if (verdict && (part.separate || !is_slight(*verdict))) continue;  // the other calls are for the mistake
    const Outcome expected = expected_of(part, c, all.back(), known);
    if (const auto differs = difference_of(expected, all.back(), part.tolerance)) {
      Verdict wrong = verdict_on(part, call, *differs, expected, all.back());
      if (verdict && !(distance_of(wrong) > distance_of(*verdict))) continue;
      wrong.example_only = verdict ? verdict->example_only : part.examples > 0 && all.size() > part.examples;
      if (wrong.kind == Kind::not_written && part.examples == 0) wrong.expected.clear();  // to be found out
      verdict = std::move(wrong), shown = c;
      report(*verdict);
      if (verdict->kind == Kind::not_written || verdict->kind == Kind::memory) return *verdict;
    }
  }
  if (!verdict) return solved(part, all);
  verdict->mistake = known_mistake(part, all, known, shown);
  return *verdict;
}

Verdict judge(const Exercise& learners, const Exercise& solution, const Listener& listener) {
  Verdict all;
  all.lesson = solution.lesson;
  for (const Part& part : solution.parts) all.parts.push_back({part.name, part.stars, false});
  const auto placed = [&](Verdict verdict) {
    verdict.lesson = all.lesson;
    verdict.parts = all.parts;
    verdict.part = all.part;
    return verdict;
  };
  const auto on_calls_of = [](const Part& part) {
    return [&part](std::size_t call, std::size_t i) { return outcome_of(part.calls[call], i); };
  };
  for (std::size_t p = 0; p < solution.parts.size(); ++p) {
    const auto judged = on_calls_of(learners.parts.at(p)), known = on_calls_of(solution.parts[p]);
    const Verdict verdict =
        placed(judge_part(solution.parts[p], kLearner, judged, known, [&](const Verdict& v) {
          if (listener) listener(placed(v));
        }));
    if (verdict.kind != Kind::solved) return verdict;
    if (!verdict.trials.empty()) all.trials = verdict.trials;
    all.parts[all.part++].solved = true;
  }
  return all;
}

}  // namespace headlight::grader

#include "grader/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grader/call_mistake.h"
#include "grader/known_mistake.h"
#include "headlight/core/check.h"

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
  const auto& [name, sentence, read, of] = part.too_slow;
  if (!name.empty()) verdict.mistake = Verdict::KnownMistake{name, sentence, read};
  return verdict;
}

Verdict verdict_on(const Part& part, const Part::Call& call, const Difference& difference,
                   const Outcome& expected, const Outcome& found) {
  Verdict verdict = running(part, call);
  if (difference.kind != Kind::memory) verdict.mistake.reset();
  verdict.kind = difference.kind;
  verdict.where = difference.where;
  verdict.expected = expected.result;
  verdict.found = found.result;
  const bool has_own = found.end != Outcome::End::returned || difference.kind == Kind::wrong_trial;
  verdict.message = has_own ? found.message : expected.message;
  if (difference.kind == Kind::not_written && verdict.message == part.name) verdict.message.clear();
  verdict.thrown_at = found.thrown_at;
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

// Nothing for a solved call. Of an experiment the right numbers depend on the learner's settings and are not
// told: they are to be found out.
std::optional<Verdict> wrong_call(const Part& part, std::size_t call, const Outcome& found,
                                  const Outcomes& known) {
  if (part.what_is_off) {
    const bool returned = found.end == Outcome::End::returned;
    const std::string off = returned ? part.what_is_off(found.result) : found.message;
    if (returned && off.empty()) return {};
    const Kind kind = returned ? Kind::wrong_trial : kind_of_end(found.end);
    return verdict_on(part, part.calls[call], {kind, {}}, {},
                      {found.end, found.result, off, found.thrown_at});
  }
  const Outcome expected = known(call, kSolution);
  const auto differs = difference_of(expected, found, part.tolerance);
  if (!differs) return {};
  return verdict_on(part, part.calls[call], *differs, expected, found);
}

Verdict solved(const Part& part, const std::vector<Outcome>& found) {
  Verdict verdict;
  if (part.what_is_off) verdict.trials = found[0].result;
  return verdict;
}

}  // namespace

Verdict judge_part(const Part& part, std::size_t implementation, const Listener& listener) {
  const Outcomes made = [&](std::size_t call, std::size_t i) { return outcome_of(part.calls[call], i); };
  return judge_part(part, implementation, made, made, listener);
}

Verdict judge_part(const Part& part, std::size_t implementation, const Outcomes& judged,
                   const Outcomes& known, const Listener& listener, bool named) {
  const auto report = [&](const Verdict& verdict) {
    if (listener) listener(verdict);
  };
  std::optional<Verdict> verdict;
  std::size_t shown = 0;
  bool said = false;
  std::vector<Outcome> all;
  for (std::size_t c = 0; c < part.calls.size(); ++c) {
    const Part::Call& call = part.calls[c];
    if (!verdict) report(running(part, call));
    if (verdict && listener && part.seconds == 0) {  // in case the call ends the process
      verdict->mistake = on_the_calls_so_far(part, all, known);
      if (verdict->mistake) report(*verdict), said = true;
      verdict->mistake.reset();
    }
    all.push_back(judged(c, implementation));
    if (verdict && (part.separate || !is_slight(*verdict))) continue;  // the other calls are for the mistake
    if (auto wrong = wrong_call(part, c, all.back(), known)) {
      if (verdict && !(distance_of(*wrong) > distance_of(*verdict))) continue;
      wrong->example_only = verdict ? verdict->example_only : part.examples > 0 && all.size() > part.examples;
      if (wrong->kind == Kind::not_written && part.examples == 0) wrong->expected.clear();  // to be found out
      verdict = std::move(wrong), shown = c;
      report(*verdict);
      if (!named || verdict->kind == Kind::not_written || verdict->kind == Kind::memory) return *verdict;
    }
  }
  if (!verdict) return solved(part, all);
  if (said) report(*verdict);  // all calls ended
  verdict->mistake = known_mistake(part, all, known, shown);
  return *verdict;
}

std::vector<Verdict> judge_parts(const Exercise& learners, const Exercise& solution, const Range& range,
                                 const Listener& listener) {
  const std::size_t end = std::min(range.end, solution.parts.size());
  check(range.first < end, "there is no part {}: the exercise has {}.", range.first + 1,
        solution.parts.size());
  Verdict blank;
  blank.lesson = solution.lesson;
  for (const Part& part : solution.parts) blank.parts.push_back({part.name, part.stars, part.not_called});
  const auto on_calls_of = [](const Part& part) {
    return [&part](std::size_t call, std::size_t i) { return outcome_of(part.calls[call], i); };
  };
  bool named = range.named;
  std::vector<Verdict> all;
  for (std::size_t p = range.first; p < end; ++p) {
    const auto placed = [&](Verdict verdict) {
      verdict.lesson = blank.lesson;
      verdict.parts = blank.parts;
      verdict.part = p;
      return verdict;
    };
    const auto report = [&](const Verdict& verdict) {
      if (listener) listener(placed(verdict));
    };
    const auto judged = on_calls_of(learners.parts.at(p)), known = on_calls_of(solution.parts[p]);
    all.push_back(placed(judge_part(solution.parts[p], kLearner, judged, known, report, named)));
    const Verdict& last = all.back();
    report(last);
    named = named && (last.kind == Kind::solved || last.kind == Kind::not_written);
  }
  return all;
}

Verdict judge(const Exercise& learners, const Exercise& solution, const Listener& listener) {
  return whole_verdict(judge_parts(learners, solution, {}, listener));
}

}  // namespace headlight::grader

#include "grader/outcome.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <string_view>

#include "exercise.h"
#include "grader/guard.h"
#include "grader/thrown.h"

namespace headlight::grader {
namespace {

// The largest finite number, at least 1.
double scale_of(const std::vector<double>& numbers) {
  double largest = 1;
  for (const double number : numbers)
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return largest;
}

bool agree(double a, double b, double most) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= most;
}

std::optional<std::size_t> first_difference(const Shown& expected, const Shown& found, double tolerance) {
  const double most = tolerance * scale_of(expected.numbers);
  for (std::size_t i = 0; i < expected.numbers.size(); ++i)
    if (!agree(expected.numbers[i], found.numbers[i], most)) return i;
  return {};
}

// The words of an exception, without the place in xtensor's headers at which an index was refused.
std::string words_of(const std::exception& e) {
  constexpr std::string_view kRefused = ": check failed\n\t";
  const std::string words = e.what();
  const auto at = words.find(kRefused);
  return at == std::string::npos ? words : words.substr(at + kRefused.size());
}

}  // namespace

Outcome outcome_of(const Part::Call& call, std::size_t implementation) {
  Outcome outcome;
  std::optional<Guard> guard;
  if (implementation == kLearner) guard.emplace();
  try {
    outcome.result = call.run(implementation);
  } catch (const NotWritten& e) {
    outcome = {Outcome::End::not_written, {}, e.function};
  } catch (const Refused& e) {
    outcome = {Outcome::End::refused, {}, e.what()};
  } catch (const std::bad_alloc&) {
    outcome = {Outcome::End::memory, {}, "there is not enough memory"};
  } catch (const std::exception& e) {
    outcome = {Outcome::End::threw, {}, words_of(e)};
  } catch (...) {
    outcome = {Outcome::End::threw, {}, "something that is not a std::exception"};
  }
  if (guard && outcome.end == Outcome::End::threw) outcome.thrown_at = thrown_at();
  return outcome;
}

std::optional<Difference> difference(const Result& expected, const Result& found, double tolerance) {
  for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i)
    if (i >= expected.size() || i >= found.size() || expected[i].shape != found[i].shape ||
        expected[i].numbers.size() != found[i].numbers.size())
      return Difference{Kind::wrong_shape, Verdict::Where{i, 0}};
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (const auto at = first_difference(expected[i], found[i], tolerance))
      return Difference{std::isfinite(found[i].numbers[*at]) ? Kind::wrong_numbers : Kind::not_finite,
                        Verdict::Where{i, *at}};
  return {};
}

std::set<double> wrong_numbers(const Shown& found, const Shown& solution, double tolerance) {
  std::set<double> wrong;
  for (std::size_t i = 0; i < found.numbers.size(); ++i) {
    const double x = found.numbers[i];
    const bool same = found.shape == solution.shape && i < solution.numbers.size() &&
                      std::abs(x - solution.numbers[i]) <= tolerance * std::max(1.0, std::abs(x));
    if (std::isfinite(x) && !same) wrong.insert(x);
  }
  return wrong;
}

bool same_outcome(const Outcome& a, const Outcome& b, double tolerance) {
  if (a.end != b.end) return false;
  return a.end != Outcome::End::returned || !difference(a.result, b.result, tolerance);
}

bool same_outcome_and_message(const Outcome& a, const Outcome& b, double tolerance) {
  return same_outcome(a, b, tolerance) && (a.end != Outcome::End::threw || a.message == b.message);
}

}  // namespace headlight::grader

#include "verdict/remarks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "verdict/verdict_table.h"

namespace headlight::grader {
namespace {

using Numbers = std::vector<double>;
using Remark = std::optional<std::string>;

double largest_of(const Numbers& numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  return largest;
}

// Whether the numbers are the same but for rounding.
bool same(const Numbers& a, const Numbers& b) {
  const double most = 1e-6 * std::max(largest_of(a), largest_of(b));
  return std::ranges::equal(a, b, [=](double x, double y) { return std::abs(x - y) <= most; });
}

std::size_t different(Numbers numbers) {
  std::ranges::sort(numbers);
  const auto rest = std::ranges::unique(numbers);
  return numbers.size() - rest.size();
}

// A number below all that arithmetic comes to here: bits that were something else.
Remark never_set(const Numbers& found) {
  for (const double x : found)
    if (x != 0 && std::abs(x) < 1e-290)
      return fmt::format(
          "{} is no result of this arithmetic: it comes from a variable that was never given a value, or from "
          "outside of an array.",
          in_digits(x, 4));
  return {};
}

Remark without_sign(const Numbers& found, const Numbers& expected) {
  const double all = std::pow(2.0, 64), near = 1e-9 * all;
  if (largest_of(expected) > near) return {};
  for (const double x : found)
    if (std::abs(x - all) < near)
      return fmt::format(
          "{} is 2^64, less a little: a std::size_t has no sign, and goes on from there when it falls below 0.",
          in_digits(x, 4));
  return {};
}

Remark whole(const Numbers& found, const Numbers& expected) {
  const bool is_place = found.size() == 1 && expected[0] == std::trunc(expected[0]);  // it may be, or a count
  if (std::ranges::all_of(found, [](double x) { return x == 0; }))
    return is_place || std::ranges::find(expected, 0.0) != expected.end()
               ? Remark()
               : "Every number found here is 0. Perhaps whole numbers were divided, 1 / 2 is 0 in C++, or "
                 "nothing is ever added to a sum or set in the result.";
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != std::trunc(expected[i])) return {};
  return "Every number found here is the expected one without its fraction. Perhaps a whole number, such as an "
         "int, holds it, or whole numbers were divided.";
}

Remark factor(const Numbers& found, const Numbers& expected, std::size_t first) {
  const double f = found[first] / expected[first];
  constexpr double kMost = 1e30;
  if (!(std::abs(f) < kMost && std::abs(f) > 1 / kMost) || std::abs(f - 1) < 1e-3) return {};
  Numbers scaled = expected;
  for (double& x : scaled) x *= f;
  Numbers told = expected;
  std::erase(told, 0.0);
  if (different(told) < 2 || !same(found, scaled)) return {};
  return fmt::format("Every number found here is {} times the expected one.", in_digits(f, 4));
}

Remark added(const Numbers& found, const Numbers& expected, std::size_t first) {
  const double difference = found[first] - expected[first];
  Numbers moved = expected;
  for (double& x : moved) x += difference;
  const bool slight = std::abs(difference) < 1e-3 * largest_of(expected);
  if (slight || different(expected) < 2 || !same(found, moved)) return {};
  return fmt::format("Every number found here is the expected one {} {}.", difference > 0 ? "plus" : "minus",
                     in_digits(std::abs(difference), 4));
}

// Every number changed in the same way.
Remark changed(const Numbers& found, const Numbers& expected) {
  struct Change {
    double (*of)(double);
    const char* words;
  };
  for (const auto& [of, words] :
       {Change{[](double x) { return 1 / x; }, "1 divided by the expected one"},
        {[](double x) { return x * x; }, "the square of the expected one"},
        {[](double x) { return std::sqrt(x); }, "the root of the expected one"},
        {[](double x) { return std::log(x); }, "the logarithm of the expected one"},
        {[](double x) { return std::exp(x); }, "e to the power of the expected one"},
        {[](double x) { return std::abs(x); }, "the expected one without its sign"},
        {[](double x) { return 1 - x; }, "1 minus the expected one"}}) {
    Numbers all = expected;
    for (double& x : all) x = of(x);
    if (different(expected) < 3 || !std::ranges::all_of(all, [](double x) { return std::isfinite(x); }))
      continue;
    if (same(found, all)) return fmt::format("Every number found here is {}.", words);
  }
  return {};
}

// Rows along the last axis, each times a factor of its own, or plus a number of its own.
Remark row_by_row(const Shown& found, const Shown& expected) {
  constexpr std::size_t kFewestRows = 2, kFewestNumbers = 3;
  const std::size_t length = expected.shape.empty() ? 0 : expected.shape.back();
  if (length < kFewestNumbers || expected.numbers.size() < kFewestRows * length) return {};
  bool scaled = true, shifted = true;
  for (std::size_t begin = 0; begin < expected.numbers.size(); begin += length) {
    const auto at = static_cast<std::ptrdiff_t>(begin), end = at + static_cast<std::ptrdiff_t>(length);
    const Numbers e(expected.numbers.begin() + at, expected.numbers.begin() + end),
        f(found.numbers.begin() + at, found.numbers.begin() + end);
    if (different(e) < kFewestNumbers) return {};
    Numbers times = e, plus = e;
    for (double& x : times) x *= f[0] / e[0];
    for (double& x : plus) x += f[0] - e[0];
    scaled = scaled && e[0] != 0 && same(f, times);
    shifted = shifted && same(f, plus);
  }
  if (scaled)
    return "Every row found here is the expected one times a factor, which differs from row to row.";
  if (shifted)
    return "Every row found here is the expected one plus a number, which differs from row to row.";
  return {};
}

// Numbers that are wrong only where the first or the last axis begins or ends. A loop is the likely cause
// only when nothing was written there.
Remark at_an_end(const Shown& found, const Shown& expected) {
  constexpr std::size_t kFewest = 3;
  const std::size_t axes = expected.shape.size(), all = expected.numbers.size();
  if (axes == 0) return {};
  for (const std::size_t axis : {std::size_t{0}, axes - 1}) {
    if (expected.shape[axis] < kFewest) continue;
    const std::size_t length = expected.shape[axis], inner = axis == 0 ? all / length : std::size_t{1};
    if (axis > 0 && all == length) continue;  // one row: its columns are single numbers
    std::vector<bool> wrong(length), empty(length, true);
    for (std::size_t i = 0; i < all; ++i) {
      if (found.numbers[i] != 0) empty[i / inner % length] = false;
      if (!same({found.numbers[i], largest_of(expected.numbers)},
                {expected.numbers[i], largest_of(expected.numbers)}))
        wrong[i / inner % length] = true;
    }
    if (std::ranges::count(wrong, true) != 1 || !(wrong.front() || wrong.back())) continue;
    const bool unwritten = wrong.front() ? empty.front() : empty.back();
    return fmt::format("Only the {} {} found here is wrong{}", wrong.front() ? "first" : "last",
                       axes == 1   ? "number"
                       : axis == 0 ? "row"
                                   : "column",
                       !unwritten      ? "."
                       : wrong.front() ? ": it is 0. Does a loop begin at the right place?"
                                       : ": it is 0. Does a loop end at the right place?");
  }
  return {};
}

// The numbers of a matrix, column by column.
Numbers by_columns(const Shown& matrix) {
  Numbers turned;
  for (std::size_t j = 0; j < matrix.shape[1]; ++j)
    for (std::size_t i = 0; i < matrix.shape[0]; ++i)
      turned.push_back(matrix.numbers[i * matrix.shape[1] + j]);
  return turned;
}

Remark transposed(const Shown& found, const Shown& expected) {
  if (found.shape.size() != 2 || expected.shape.size() != 2 || found.shape[0] != expected.shape[1] ||
      found.shape[1] != expected.shape[0] || found.shape[0] < 2 || found.shape[1] < 2)
    return {};
  if (different(expected.numbers) < 3 || !same(found.numbers, by_columns(expected))) return {};
  return "What is found here is the transpose of what is expected: rows and columns are exchanged.";
}

// One place along the first axis too late, or too early.
Remark moved(const Shown& found, const Shown& expected) {
  if (expected.shape.empty() || expected.shape[0] < 4) return {};
  const auto row = static_cast<std::ptrdiff_t>(expected.numbers.size() / expected.shape[0]);
  const char* what = expected.shape.size() == 1 ? "number" : "row";
  const Numbers &f = found.numbers, &e = expected.numbers;
  const Numbers late(f.begin() + row, f.end()), early(f.begin(), f.end() - row);
  const Numbers to_late(e.begin(), e.end() - row), to_early(e.begin() + row, e.end());
  if (different(to_late) < 3 || different(to_early) < 3) return {};
  if (same(late, to_late)) return fmt::format("Every {} found here stands one place too late.", what);
  if (same(early, to_early)) return fmt::format("Every {} found here stands one place too early.", what);
  return {};
}

// Few numbers that come often fit in another order by chance.
Remark in_another_order(Numbers found, Numbers expected) {
  std::ranges::sort(found), std::ranges::sort(expected);
  if (different(expected) < 3 || 2 * different(expected) <= expected.size()) return {};
  if (!same(found, expected)) return {};
  return "The numbers found here are the expected ones in another order.";
}

}  // namespace

std::optional<std::string> remark_on(const Verdict& verdict) {
  if (!verdict.where || verdict.where->output >= std::min(verdict.expected.size(), verdict.found.size()))
    return {};
  const Shown &expected = verdict.expected[verdict.where->output],
              &found = verdict.found[verdict.where->output];
  if (verdict.kind == Kind::wrong_shape) return transposed(found, expected);
  const auto finite = [](double x) { return std::isfinite(x); };
  if (verdict.kind != Kind::wrong_numbers || !std::ranges::all_of(found.numbers, finite) ||
      !std::ranges::all_of(expected.numbers, finite))
    return {};
  const Numbers &f = found.numbers, &e = expected.numbers;
  const std::size_t first = verdict.where->index;
  if (same(f, e)) return {};
  if (auto remark = never_set(f)) return remark;
  if (auto remark = without_sign(f, e)) return remark;
  if (auto remark = whole(f, e)) return remark;
  if (auto remark = factor(f, e, first)) return remark;
  if (auto remark = added(f, e, first)) return remark;
  if (auto remark = transposed(found, expected)) return remark;
  if (auto remark = moved(found, expected)) return remark;
  if (auto remark = changed(f, e)) return remark;
  if (auto remark = row_by_row(found, expected)) return remark;
  if (auto remark = at_an_end(found, expected)) return remark;
  return in_another_order(f, e);
}

}  // namespace headlight::grader

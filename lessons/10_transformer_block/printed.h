// How lesson 10 prints what it computes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headlight/ops/ops.h"
#include "lesson_program.h"
#include "reversal.h"

namespace headlight::lesson {

using NamedVector = std::pair<std::string, Tensor>;

// The last row of x (1,n,d), as (d).
inline Tensor last_row(const Tensor& x) { return reshape(slice(x, -2, -1), {-1}); }

inline void print_vectors(const std::vector<NamedVector>& vectors) {
  for (const auto& [name, x] : vectors) say("  {:<12} {}", name, to_string(x, 2));
}

// The numbers at these places.
inline std::vector<double> at(const std::vector<double>& numbers, const std::vector<std::size_t>& places) {
  std::vector<double> found;
  for (std::size_t i : places) found.push_back(numbers[i]);
  return found;
}

inline std::string in_a_row(const std::vector<double>& numbers) {
  std::string line;
  for (double number : numbers) line += fmt::format("  {:5.2f}", number);
  return line;
}

// A line of a table.
inline void print_numbers(const char* name, const std::vector<double>& numbers,
                          const std::string& more = "") {
  say("  {:<10} {}{}", name, in_a_row(numbers), more);
}

// " 0 1 · · ·": the positions at which two results (1,n,…) differ.
inline std::string changed(const Tensor& a, const Tensor& b) {
  std::string positions;
  for (int i = 0; i < static_cast<int>(a.length(1)); ++i) {
    const Tensor gap = slice(a, 1, i, i + 1) - slice(b, 1, i, i + 1);
    positions += sum(gap * gap).item() > 0 ? fmt::format(" {}", i) : " ·";
  }
  return positions;
}

// The percentage of the targets that these tokens equal, at each position of the answer.
inline std::string percents(const IntArray& tokens, const IntArray& targets) {
  std::string each;
  for (std::size_t j = kLength; j < 2 * kLength; ++j)
    each += fmt::format("  {:3.0f}", percent_at(tokens, targets, j));
  return each;
}

}  // namespace headlight::lesson

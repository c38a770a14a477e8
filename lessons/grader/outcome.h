// What one call of a part came to, and how two outcomes differ.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/part.h"
#include "verdict/verdict.h"

namespace headlight::grader {

struct Outcome {
  enum class End { returned, not_written, refused, threw, memory };
  End end = End::returned;
  Result result;                            // when it returned
  std::string message;                      // the words of what it threw
  std::vector<std::string> thrown_at = {};  // by the learner, as addresses
};

// Calls an implementation of the part, and catches what it throws.
Outcome outcome_of(const Part::Call& call, std::size_t implementation);

struct Difference {
  Kind kind;
  std::optional<Verdict::Where> where;
};

// How `found` differs from `expected` first; nothing when they agree. Shapes are compared before numbers. Two
// numbers agree when they differ by at most `tolerance` times the largest finite number of the expected
// output, or times 1 when that is smaller. Two infinities of one sign agree, and two NaNs.
std::optional<Difference> difference(const Result& expected, const Result& found, double tolerance);

// The different numbers of a result that are finite and not the solution's.
std::set<double> wrong_numbers(const Shown& found, const Shown& solution, double tolerance);

// Whether two implementations of a part do the same on a call. Two exceptions are the same, whatever they
// say.
bool same_outcome(const Outcome& a, const Outcome& b, double tolerance);

// Whether two implementations do the same, and for the same reason: an exception may have many causes, so
// that it must have the same words.
bool same_outcome_and_message(const Outcome& a, const Outcome& b, double tolerance);

}  // namespace headlight::grader

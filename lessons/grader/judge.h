// Compares an implementation with the solution, part by part, in this process.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "grader/outcome.h"
#include "grader/part.h"
#include "verdict/verdict.h"

namespace headlight::grader {

// Is called with the verdict that holds if the process ends there: before every call of a part up to the
// first wrong one, before later calls where the ones so far are those of a known mistake, and before known
// mistakes are tried.
using Listener = std::function<void(const Verdict&)>;

// Which parts are graded: those from `first` up to `end`.
struct Range {
  std::size_t first = 0, end = std::numeric_limits<std::size_t>::max();
  bool named = true;  // whether the first wrong one is compared with the known mistakes
};

// The verdicts on the learner's functions, one for each part of the range, whatever came before it. The
// exercise is given twice: the learner's functions are called on the inputs of one, the solution and the
// mistakes on those of the other. So what is expected is the same when a learner's function changes its
// inputs. Throws Error for a range without a part.
std::vector<Verdict> judge_parts(const Exercise& learners, const Exercise& solution, const Range& range,
                                 const Listener& listener = {});

// The whole verdict on all parts.
Verdict judge(const Exercise& learners, const Exercise& solution, const Listener& listener = {});

// The verdict on one part with the implementation of this number in the learner's place. It shows the
// first wrong call, or, if the number marked there differs by less than 1/1000, a later one that differs
// more. The part's number and the names of the others are for the caller to fill in.
Verdict judge_part(const Part& part, std::size_t implementation, const Listener& listener = {});

// What an implementation comes to on the part's call of this number.
using Outcomes = std::function<Outcome(std::size_t call, std::size_t implementation)>;

// The same, with the outcomes of the implementation that is judged, and of the solution and the mistakes,
// from these functions. Unless `named`, the verdict is that on the first wrong call, without a mistake's
// name.
Verdict judge_part(const Part& part, std::size_t implementation, const Outcomes& judged,
                   const Outcomes& known, const Listener& listener = {}, bool named = true);

}  // namespace headlight::grader

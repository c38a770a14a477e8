// Which known wrong way to measure gives the numbers of an experiment.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "grader/outcome.h"
#include "grader/trials.h"

namespace headlight::grader {

using Column = std::vector<double>;
using Places = std::vector<std::size_t>;

// Whether two measured numbers are the same for this question.
class Same {
 public:
  explicit Same(const Question& question) : tolerance_(question.tolerance) {}
  bool operator()(double a, double b) const {
    return !difference({{"", {}, {a}}}, {{"", {}, {b}}}, tolerance_);
  }
  // At these places.
  bool operator()(const Column& a, const Column& b, const Places& places) const {
    return std::ranges::all_of(places, [&](std::size_t i) { return (*this)(a[i], b[i]); });
  }

 private:
  double tolerance_;
};

inline Column each(const Column& column, const std::function<double(double)>& change) {
  Column changed;
  std::ranges::transform(column, std::back_inserter(changed), change);
  return changed;
}

// The wrong ways each of which gives all these numbers, the right ones too; without such, several together,
// or one and a count that is one off. Of several sets together, what they have in common.
std::string known_way(const Trials& t, const Places& wrong, const Same& same, const Question& question);

}  // namespace headlight::grader

// Wrong ways to measure the size of a gradient that is summed over rows.
#pragma once

#include <algorithm>
#include <cmath>

#include "grader/trials.h"
#include "mistakes.h"

namespace mistakes {

// The gradient that a learner measures of u.
inline Array gradient_with(const Made& made, const Array& u) {
  const std::size_t rows = u.shape()[0], columns = u.shape()[1];
  const std::size_t all = made("sums-of-rows") ? rows : columns;
  Array sums(Shape{all}, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) sums(made("sums-of-rows") ? i : j) += u(i, j);
  return made("not-summed") ? u : sums;
}

inline double size_with(const Made& made, std::size_t rows) {
  const Array gradient = gradient_with(made, random_signs(rows));
  double squares = 0, sum = 0, absolute = 0, largest = 0;
  for (const double x : gradient) {
    squares += x * x, sum += x, absolute += std::abs(x);
    largest = std::max(largest, std::abs(x));
  }
  const double count = static_cast<double>(made("divided-by-rows")       ? rows
                                           : made("divided-by-all-of-u") ? rows * 256
                                                                         : gradient.size());
  if (made("mean-without-squares")) return sum / count;
  if (made("mean-of-absolute-numbers")) return absolute / count;
  if (made("largest-number")) return largest;
  if (made("first-number")) return gradient.data()[0];
  if (made("root-before-the-mean")) return std::sqrt(squares) / count;
  if (made("length-for-size")) return std::sqrt(squares);
  if (made("sum-of-squares")) return squares;
  return made("no-root") ? squares / count : std::sqrt(squares / count);
}

inline std::vector<grader::WrongMeasure> of_gradient_sizes() {
  return grader::wrong_measures(
      [](const Made& made, const std::vector<double>& numbers_of_rows) {
        std::vector<double> all;
        for (const double rows : numbers_of_rows)
          all.push_back(size_with(made, static_cast<std::size_t>(rows)));
        return all;
      },
      {{"divided-by-rows",
        "You divide by the number of rows. Divide by the count of the gradient's numbers, 256."},
       {"divided-by-all-of-u",
        "You divide by the count of the numbers of u. The gradient has 256: divide by that."},
       {"no-root", "You measured the mean of the squared numbers. The size is its root."},
       {"sum-of-squares", "You measured the sum of the squared numbers. The size is the root of their mean."},
       {"length-for-size",
        "You took the root of the sum of the squared numbers. Take the root of their mean."},
       {"root-before-the-mean",
        "You took the root of the sum and divided it by the count. Divide by the count first, then take the root."},
       {"mean-of-absolute-numbers",
        "You took the mean of the absolute numbers. The size is the root of the mean of the squared ones."},
       {"mean-without-squares",
        "You took the mean of the gradient, in which its signs cancel. Square the numbers first."},
       {"largest-number",
        "You took the largest number. The size is the root of the mean of the squared ones."},
       {"first-number", "You took the first number of the gradient. The size is that of all 256."},
       {"not-summed",
        "You measured signs, which are all 1 or -1: u itself, or one of its rows. Sum u over its rows first, to 256 "
        "numbers."},
       {"sums-of-rows", "You summed each row. The gradient has 256 numbers, each summed over the rows."}});
}

}  // namespace mistakes

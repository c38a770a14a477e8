// What people get wrong in parts 1 to 3 of exercise 1.
#pragma once

#include <algorithm>

#include "exercise.h"
#include "grader/part.h"

namespace mistakes {

using grader::Mistake;
using solution::aligned_length, solution::row_major_strides;
using StridesOf = Shape (*)(const Shape&);
using ElementAt = double (*)(const Array&, const Shape&, const Shape&);
using OfTwo = Shape (*)(const Shape&, const Shape&);

inline Shape column_major(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t k = 1; k < shape.size(); ++k) strides[k] = strides[k - 1] * shape[k - 1];
  return strides;
}

inline Shape with_own_length(const Shape& shape) {
  Shape strides = row_major_strides(shape);
  for (std::size_t k = 0; k < shape.size(); ++k) strides[k] *= shape[k];
  return strides;
}

inline Shape of_neighbour_alone(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t k = 0; k + 1 < shape.size(); ++k) strides[k] = shape[k + 1];
  return strides;
}

inline Shape in_reverse(const Shape& shape) {
  Shape strides = row_major_strides(shape);
  std::reverse(strides.begin(), strides.end());
  return strides;
}

inline Shape in_bytes(const Shape& shape) {
  Shape strides = row_major_strides(shape);
  for (std::size_t& stride : strides) stride *= sizeof(double);
  return strides;
}

inline std::vector<Mistake<StridesOf>> of_row_major_strides() {
  const std::string read = "Strides";
  return {
      {"column-major",
       "You gave the first axis the stride 1. Row by row, neighbours along the last axis stand side by side, "
       "so "
       "start at the last axis.",
       read, column_major},
      {"own-length-included",
       "You multiplied by an axis's length before storing its stride. An axis's stride is the product of the "
       "lengths after it, without its own.",
       read, with_own_length},
      {"neighbours-length-alone",
       "Each of your strides is the length of the right neighbour alone. Either its stride is missing as a "
       "factor, or your loop runs from the first axis to the last: then the neighbour's stride is still 1 "
       "when you read it. Start at the last axis.",
       read, of_neighbour_alone},
      {"reversed", "Your strides stand in the wrong order: entry 0 belongs to axis 0, the outermost.", read,
       in_reverse},
      {"in-bytes",
       "You counted in bytes, as NumPy does. Here strides count numbers, so the last axis has stride 1.",
       read, in_bytes}};
}

inline double by_own_strides(const Array& x, const Shape& index, const Shape&) {
  return solution::element_at(x, index, row_major_strides(x.shape()));
}

inline double by_sum_of_index(const Array& x, const Shape& index, const Shape&) {
  return solution::element_at(x, index, Shape(index.size(), 1));
}

inline double by_shape(const Array& x, const Shape& index, const Shape&) {
  return solution::element_at(x, index, x.shape());
}

inline double by_reversed_strides(const Array& x, const Shape& index, const Shape& strides) {
  Shape reversed = strides;
  std::reverse(reversed.begin(), reversed.end());
  return solution::element_at(x, index, reversed);
}

inline double without_last_axis(const Array& x, const Shape& index, const Shape& strides) {
  Shape shorter = index;
  if (!shorter.empty()) shorter[shorter.size() - 1] = 0;
  return solution::element_at(x, shorter, strides);
}

inline std::vector<Mistake<ElementAt>> of_element_at() {
  const std::string read = "Strides";
  return {
      {"strides-ignored",
       "You read x by its own strides. Read it by the strides that are given: a transpose has other ones.",
       "Transpose and reshape: other ways to read", by_own_strides},
      {"index-unweighted",
       "You added up the index. A step along axis k skips strides[k] numbers, so multiply each entry by its "
       "stride.",
       read, by_sum_of_index},
      {"shape-for-strides",
       "You multiplied the index by the lengths of the axes. How far a step goes is said by the strides.",
       read, by_shape},
      {"strides-reversed",
       "You paired the first entry of the index with the last stride. Entry k goes with stride k.", read,
       by_reversed_strides},
      {"last-axis-left-out",
       "Your loop stops before the last axis. Its stride is often 1, and it counts as well.", read,
       without_last_axis}};
}

// One length with the other, by a learner's rule.
template <class Rule>
Shape joined(const Shape& a, const Shape& b, std::size_t axes, Rule rule) {
  Shape shape(axes, 1);
  for (std::size_t k = 0; k < axes; ++k)
    shape[k] = rule(aligned_length(a, k, axes), aligned_length(b, k, axes));
  return shape;
}

inline Shape aligned_at_first(const Shape& a, const Shape& b) {
  Shape long_a = a, long_b = b;
  while (long_a.size() < b.size()) long_a.push_back(1);
  while (long_b.size() < a.size()) long_b.push_back(1);
  return solution::broadcast_shape(long_a, long_b);
}

inline Shape without_check(const Shape& a, const Shape& b) {
  return joined(a, b, std::max(a.size(), b.size()),
                [](std::size_t m, std::size_t n) { return m == 1 ? n : m; });
}

inline Shape larger_of_both(const Shape& a, const Shape& b) {
  solution::broadcast_shape(a, b);
  return joined(a, b, std::max(a.size(), b.size()),
                [](std::size_t m, std::size_t n) { return std::max(m, n); });
}

inline Shape shared_axes_alone(const Shape& a, const Shape& b) {
  const Shape shape = solution::broadcast_shape(a, b);
  const auto axes = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return Shape(shape.end() - axes, shape.end());
}

inline Shape stretching_b_alone(const Shape& a, const Shape& b) {
  return joined(a, b, std::max(a.size(), b.size()), [](std::size_t m, std::size_t n) {
    if (m != n && n != 1) throw Error("they do not broadcast");
    return m;
  });
}

inline std::vector<Mistake<OfTwo>> of_broadcast_shape() {
  const std::string read = "Broadcasting: a stride of 0";
  return {
      {"aligned-at-the-first-axis",
       "You wrote the shapes below each other from their first axes. Their last axes must meet: axis k of "
       "the "
       "shorter one stands below axis k + (the difference of their numbers of axes).",
       read, aligned_at_first},
      {"nothing-refused",
       "Your function accepts every two shapes. Where two lengths differ and neither is 1, it must throw.",
       "What does not broadcast", without_check},
      {"the-larger-length",
       "You took the larger of the two lengths. With lengths 1 and 0 that gives 1, though the axis is "
       "repeated 0 "
       "times: where one length is 1, take the other.",
       read, larger_of_both},
      {"missing-axes-dropped",
       "Your result has as many axes as the shorter shape. A missing axis counts as a length of 1, so the "
       "result "
       "has as many as the longer one.",
       read, shared_axes_alone},
      {"one-side-stretched",
       "You repeat b where its length is 1, and not a. Either may be the one that is repeated.", read,
       stretching_b_alone}};
}

}  // namespace mistakes

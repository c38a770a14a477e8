// What people get wrong in parts 4 and 5 of exercise 1, where broadcasting is read and summed back.
#pragma once

#include "mistakes.h"

namespace mistakes {

using OfBroadcast = Shape (*)(const Shape&, const Shape&);
using SumBack = Array (*)(const Array&, const Shape&);

// The strides of a broadcast with `own` for the axes that are kept, and a learner's numbers for the others.
inline Shape strides_with(const Shape& from, const Shape& to, const Shape& own, std::size_t of_missing,
                          const Shape& of_repeated) {
  const std::size_t missing = to.size() - from.size();
  Shape strides(to.size(), of_missing);
  for (std::size_t k = 0; k < from.size(); ++k)
    strides[missing + k] = from[k] == to[missing + k] ? own[k] : of_repeated[k];
  return strides;
}

inline Shape keeping_the_stride(const Shape& from, const Shape& to) {
  const Shape own = row_major_strides(from);
  return strides_with(from, to, own, 0, own);
}

inline Shape of_the_large_shape(const Shape& from, const Shape& to) {
  const Shape large = row_major_strides(to);
  const Shape own(large.end() - static_cast<std::ptrdiff_t>(from.size()), large.end());
  return strides_with(from, to, own, 0, Shape(from.size(), 0));
}

inline Shape from_the_first_axis(const Shape& from, const Shape& to) {
  const Shape own = row_major_strides(from);
  Shape strides(to.size(), 0);
  for (std::size_t k = 0; k < from.size(); ++k) strides[k] = from[k] == 1 ? 0 : own[k];
  return strides;
}

inline Shape compared_at_the_first_axis(const Shape& from, const Shape& to) {
  const Shape own = row_major_strides(from);
  Shape strides(to.size(), 0);
  for (std::size_t k = 0; k < from.size(); ++k)
    if (from[k] == to[k]) strides[k] = own[k];
  return strides;
}

inline Shape one_for_repeated(const Shape& from, const Shape& to) {
  return strides_with(from, to, row_major_strides(from), 1, Shape(from.size(), 1));
}

inline Shape size_for_missing(const Shape& from, const Shape& to) {
  return strides_with(from, to, row_major_strides(from), size_of(from), Shape(from.size(), 0));
}

inline std::vector<Mistake<OfBroadcast>> of_broadcast_strides() {
  const std::string read = "Broadcasting: a stride of 0";
  return {
      {"stride-kept",
       "A repeated axis kept its stride. A step along it must find the same number again, so its stride is "
       "0.",
       read, keeping_the_stride},
      {"strides-of-the-large-shape",
       "You took the strides of the large shape. The buffer holds the small one: nothing was copied, so its "
       "own "
       "strides lead through it.",
       read, of_the_large_shape},
      {"aligned-at-the-first-axis",
       "You aligned the shapes at their first axes. The missing axes stand in front: axis k of `from` is "
       "axis "
       "k + missing of `to`.",
       read, from_the_first_axis},
      {"compared-at-the-first-axis",
       "You compare axis k of `from` with axis k of `to`, and write its stride there. The shapes meet at "
       "their last axes: axis k of `from` is axis k + missing of `to`.",
       read, compared_at_the_first_axis},
      {"stride-1-for-repeated",
       "You gave repeated axes the stride 1. That goes to the next number; to stay on the same one takes 0.",
       read, one_for_repeated},
      {"missing-axes-move",
       "You gave the missing axes a stride. What stands along them is always the whole of the small array "
       "again: "
       "their stride is 0.",
       read, size_for_missing}};
}

// Walks over u; `use` gets the number at which it arrives in the sums, and the one that comes.
template <class Use>
Array walked_back(const Array& u, const Shape& to, Use use) {
  const Shape strides = row_major_strides(u.shape()), target = solution::broadcast_strides(to, u.shape());
  Array sums(to, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    std::size_t offset = 0;
    for (std::size_t k = 0; k < strides.size(); ++k) offset += i / strides[k] % u.shape()[k] * target[k];
    use(sums.data()[offset], u.data()[i]);
  }
  return sums;
}

inline Array last_copy(const Array& u, const Shape& to) {
  return walked_back(u, to, [](double& sum, double x) { sum = x; });
}

inline Array as_it_comes(const Array& u, const Shape&) { return u; }

inline Array mean_of_copies(const Array& u, const Shape& to) {
  const double copies = static_cast<double>(u.size()) / static_cast<double>(size_of(to));
  return walked_back(u, to, [copies](double& sum, double x) { sum += x / copies; });
}

inline Array without_axes_of_length_1(const Array& u, const Shape& to) {
  const Array sums = solution::sum_back(u, to);
  Shape left;
  for (const std::size_t length : to)
    if (length != 1) left.push_back(length);
  Array reshaped = sums;
  reshaped.reshape(left);
  return reshaped;
}

// Sums over the axes that are missing in front, and takes the first of those that are repeated.
inline Array missing_axes_alone(const Array& u, const Shape& to) {
  const Shape strides = row_major_strides(u.shape()), target = solution::broadcast_strides(to, u.shape());
  const std::size_t missing = u.shape().size() - to.size();
  Array sums(to, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    std::size_t offset = 0;
    bool first = true;
    for (std::size_t k = missing; k < strides.size(); ++k) {
      const std::size_t index = i / strides[k] % u.shape()[k];
      offset += index * target[k];
      first = first && (to[k - missing] == u.shape()[k] || index == 0);
    }
    if (first) sums.data()[offset] += u.data()[i];
  }
  return sums;
}

inline Array over_last_axes(const Array& u, const Shape& to) {
  const Shape strides = row_major_strides(u.shape()), own = row_major_strides(to);
  Array sums(to, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    std::size_t offset = 0;
    for (std::size_t k = 0; k < to.size(); ++k)
      offset += to[k] == 1 ? 0 : i / strides[k] % u.shape()[k] * own[k];
    sums.data()[offset % sums.size()] += u.data()[i];
  }
  return sums;
}

inline std::vector<Mistake<SumBack>> of_sum_back() {
  const std::string read = "The transpose of copying is summing";
  return {
      {"overwritten",
       "You wrote `=` where `+=` belongs. Several numbers of u arrive at the same place, and each of them "
       "counts.",
       read, last_copy},
      {"not-summed",
       "You returned u as it came. Broadcasting made the shape larger, and the backward pass must make it "
       "`to` "
       "again.",
       read, as_it_comes},
      {"mean-for-sum",
       "You took the mean of what arrives. The transpose of copying adds the copies up and divides by "
       "nothing.",
       read, mean_of_copies},
      {"axes-of-length-1-dropped",
       "The axes of length 1 are gone. The result must have exactly the shape `to`.", read,
       without_axes_of_length_1},
      {"missing-axes-alone",
       "You summed over the axes that are missing in `to`, and not over those of length 1. Both were "
       "repeated, so "
       "both are summed.",
       read, missing_axes_alone},
      {"over-the-last-axes",
       "You aligned the shapes at their first axes, and so summed over the wrong one. They meet at the last "
       "axis.",
       "Broadcasting: a stride of 0", over_last_axes}};
}

}  // namespace mistakes

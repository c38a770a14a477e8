// Mistakes that people make together in exercise 1.
#pragma once

#include "mistakes_back.h"

namespace mistakes {

using grader::Together;

// Starts at the first axis, and multiplies by the axis's own length.
inline Shape column_major_with_own_length(const Shape& shape) {
  Shape strides = column_major(shape);
  for (std::size_t k = 0; k < shape.size(); ++k) strides[k] *= shape[k];
  return strides;
}
inline Shape column_major_in_bytes(const Shape& shape) {
  Shape strides = column_major(shape);
  for (std::size_t& stride : strides) stride *= sizeof(double);
  return strides;
}

inline const std::vector<Together<StridesOf>> kTogetherInStrides = {
    {{"column-major", "own-length-included"}, column_major_with_own_length},
    {{"column-major", "in-bytes"}, column_major_in_bytes}};

inline std::pair<Shape, Shape> padded_behind(const Shape& a, const Shape& b) {
  Shape long_a = a, long_b = b;
  while (long_a.size() < b.size()) long_a.push_back(1);
  while (long_b.size() < a.size()) long_b.push_back(1);
  return {long_a, long_b};
}
inline Shape larger_without_check(const Shape& a, const Shape& b) {
  return joined(a, b, std::max(a.size(), b.size()),
                [](std::size_t m, std::size_t n) { return std::max(m, n); });
}
inline Shape first_without_check(const Shape& a, const Shape& b) {
  const auto [long_a, long_b] = padded_behind(a, b);
  return without_check(long_a, long_b);
}
inline Shape first_and_larger(const Shape& a, const Shape& b) {
  const auto [long_a, long_b] = padded_behind(a, b);
  return larger_of_both(long_a, long_b);
}

inline const std::vector<Together<OfTwo>> kTogetherInShapes = {
    {{"nothing-refused", "the-larger-length"}, larger_without_check},
    {{"aligned-at-the-first-axis", "nothing-refused"}, first_without_check},
    {{"aligned-at-the-first-axis", "the-larger-length"}, first_and_larger},
    {{"aligned-at-the-first-axis", "nothing-refused", "the-larger-length"},
     [](const Shape& a, const Shape& b) {
       const auto [long_a, long_b] = padded_behind(a, b);
       return larger_without_check(long_a, long_b);
     }}};

inline const std::vector<Together<OfBroadcast>> kTogetherInBroadcasts = {
    {{"aligned-at-the-first-axis", "stride-kept"},
     [](const Shape& from, const Shape& to) {
       Shape strides(to.size(), 0);
       const Shape own = row_major_strides(from);
       std::copy(own.begin(), own.end(), strides.begin());
       return strides;
     }},
    {{"strides-of-the-large-shape", "stride-kept"},
     [](const Shape&, const Shape& to) { return row_major_strides(to); }},
    {{"stride-kept", "stride-1-for-repeated"}, [](const Shape& from, const Shape& to) {
       const Shape own = row_major_strides(from);
       return strides_with(from, to, own, 1, own);
     }}};

inline Array last_copy_of_last_axes(const Array& u, const Shape& to) {
  const Shape strides = row_major_strides(u.shape()), own = row_major_strides(to);
  Array sums(to, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    std::size_t offset = 0;
    for (std::size_t k = 0; k < to.size(); ++k)
      offset += to[k] == 1 ? 0 : i / strides[k] % u.shape()[k] * own[k];
    sums.data()[offset % sums.size()] = u.data()[i];
  }
  return sums;
}

inline const std::vector<Together<SumBack>> kTogetherInSums = {
    {{"overwritten", "over-the-last-axes"}, last_copy_of_last_axes}};

}  // namespace mistakes

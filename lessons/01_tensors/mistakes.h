// What people get wrong in parts 1 and 2 of exercise 1.
#pragma once

#include <cstdlib>

#include "exercise.h"
#include "grader/part.h"
#include "view.h"

namespace mistakes {

using grader::Mistake, grader::Together;
using Order = std::vector<std::size_t>;
using InOrder = Strides (*)(const Shape&, const Order&);
using Slice = View (*)(const View&, std::size_t, std::size_t, std::ptrdiff_t, std::size_t);
using Window = View (*)(const View&, std::size_t, std::size_t);
using Broadcast = View (*)(const View&, const Shape&);
using SumBack = Array (*)(const Array&, const View&, std::size_t);

inline std::ptrdiff_t signed_of(std::size_t length) { return static_cast<std::ptrdiff_t>(length); }

inline Order from_behind(const Order& order) { return {order.rbegin(), order.rend()}; }

// Order[k] as the rank of axis k.
inline Order inverse(const Order& order) {
  Order ranks(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = k;
  return ranks;
}

inline Order plain(std::size_t axes) {
  Order order(axes);
  for (std::size_t k = 0; k < axes; ++k) order[k] = k;
  return order;
}

inline Strides row_major(const Shape& shape, const Order&) {
  return solution::strides_in_order(shape, plain(shape.size()));
}

inline Strides backwards(const Shape& shape, const Order& order) {
  return solution::strides_in_order(shape, from_behind(order));
}

// The stride of axis order[k] stands at place k.
inline Strides at_rank(const Shape& shape, const Order& order) {
  const Strides right = solution::strides_in_order(shape, order);
  Strides strides;
  for (const std::size_t axis : order) strides.push_back(right[axis]);
  return strides;
}

inline Strides by_ranks(const Shape& shape, const Order& order) {
  return solution::strides_in_order(shape, inverse(order));
}

inline Strides with_lengths_of_k(const Shape& shape, const Order& order) {
  Strides strides(shape.size());
  std::ptrdiff_t stride = 1;
  for (std::size_t k = order.size(); k > 0; --k) {
    strides[order[k - 1]] = stride;
    stride *= signed_of(shape[k - 1]);
  }
  return strides;
}

inline Strides with_own_length(const Shape& shape, const Order& order) {
  Strides strides = solution::strides_in_order(shape, order);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) strides[axis] *= signed_of(shape[axis]);
  return strides;
}

inline Strides of_next_alone(const Shape& shape, const Order& order) {
  Strides strides(shape.size(), 1);
  for (std::size_t k = 0; k + 1 < order.size(); ++k) strides[order[k]] = signed_of(shape[order[k + 1]]);
  return strides;
}

inline std::vector<Mistake<InOrder>> of_order() {
  const std::string read = "Strides";
  return {
      {"order-ignored",
       "Your strides are the row-major ones, whatever `order` says. Stride 1 belongs to the axis that "
       "`order` "
       "names last.",
       read, row_major},
      {"fastest-first",
       "You gave stride 1 to the axis that `order` names first. That one changes slowest, so it has the "
       "largest stride.",
       read, backwards},
      {"stored-by-rank",
       "You stored the stride of axis order[k] as entry k. The answer is listed by axis: it belongs into "
       "entry order[k].",
       read, at_rank},
      {"order-read-as-ranks",
       "You took order[k] for the place of axis k in the order. It is the other way round: order[k] is the "
       "axis at place k.",
       read, by_ranks},
      {"length-of-the-wrong-axis",
       "You stored the stride at axis order[k] and multiplied by the length of axis k. Multiply by the "
       "length "
       "of the same axis, order[k].",
       read, with_lengths_of_k},
      {"own-length-included",
       "You multiplied by an axis's length before storing its stride. A stride is the product of the lengths "
       "of all faster axes, without its own.",
       read, with_own_length},
      {"next-length-alone",
       "Each of your strides is the length of the next faster axis alone. Multiply by that axis's stride "
       "too.",
       read, of_next_alone}};
}

inline const std::vector<Together<InOrder>> kTogetherInOrder = {
    {{"fastest-first", "own-length-included"},
     [](const Shape& shape, const Order& order) { return with_own_length(shape, from_behind(order)); }},
    {{"fastest-first", "stored-by-rank"},
     [](const Shape& shape, const Order& order) {
       const Strides right = backwards(shape, order);
       Strides strides;
       for (const std::size_t axis : order) strides.push_back(right[axis]);
       return strides;
     }},
    {{"fastest-first", "order-read-as-ranks"},
     [](const Shape& shape, const Order& order) { return backwards(shape, inverse(order)); }},
    {{"fastest-first", "length-of-the-wrong-axis"}, [](const Shape& shape, const Order& order) {
       Strides strides(shape.size());
       std::ptrdiff_t stride = 1;
       for (std::size_t k = 0; k < order.size(); ++k) {
         strides[order[k]] = stride;
         stride *= signed_of(shape[k]);
       }
       return strides;
     }}};

// The solution's view with another start, length or stride.
struct Sliced {
  std::ptrdiff_t start;
  std::size_t length;
  std::ptrdiff_t stride;
};

template <auto slice>
View sliced(const View& view, std::size_t axis, std::size_t first, std::ptrdiff_t step, std::size_t length) {
  View part = view;
  const Sliced s = slice(view.start, view.strides[axis], view.shape[axis], signed_of(first), step, length);
  part.start = s.start, part.shape[axis] = s.length, part.strides[axis] = s.stride;
  return part;
}

using N = std::ptrdiff_t;
using Z = std::size_t;
constexpr auto first_unscaled = [](N start, N stride, Z, N first, N step, Z length) {
  return Sliced{start + first, length, stride * step};
};
constexpr auto start_replaced = [](N, N stride, Z, N first, N step, Z length) {
  return Sliced{first * stride, length, stride * step};
};
constexpr auto start_kept = [](N start, N stride, Z, N, N step, Z length) {
  return Sliced{start, length, stride * step};
};
constexpr auto by_new_stride = [](N start, N stride, Z, N first, N step, Z length) {
  return Sliced{start + first * stride * step, length, stride * step};
};
constexpr auto step_for_stride = [](N start, N stride, Z, N first, N step, Z length) {
  return Sliced{start + first * stride, length, step};
};
constexpr auto stride_kept = [](N start, N stride, Z, N first, N, Z length) {
  return Sliced{start + first * stride, length, stride};
};
constexpr auto without_sign = [](N start, N stride, Z, N first, N step, Z length) {
  return Sliced{start + first * stride, length, stride * std::abs(step)};
};
constexpr auto length_kept = [](N start, N stride, Z old, N first, N step, Z) {
  return Sliced{start + first * stride, old, stride * step};
};
constexpr auto unscaled_and_step = [](N start, N, Z, N first, N step, Z length) {
  return Sliced{start + first, length, step};
};
constexpr auto kept_and_step = [](N start, N, Z, N, N step, Z length) { return Sliced{start, length, step}; };
constexpr auto replaced_and_unscaled = [](N, N stride, Z, N first, N step, Z length) {
  return Sliced{first, length, stride * step};
};
constexpr auto replaced_unscaled_and_step = [](N, N, Z, N first, N step, Z length) {
  return Sliced{first, length, step};
};
constexpr auto length_and_step = [](N start, N stride, Z old, N first, N step, Z) {
  return Sliced{start + first * stride, old, step};
};

inline std::vector<Mistake<Slice>> of_slices() {
  const std::string read = "Strides", other = "Transpose and reshape: other ways to read";
  return {
      {"first-not-scaled",
       "You moved the start by `first`. That is an index; in the buffer it is `first` times the stride of "
       "the "
       "axis.",
       read, sliced<first_unscaled>},
      {"start-replaced",
       "You set the start anew. The view may begin anywhere in the buffer: go on from its own start.", other,
       sliced<start_replaced>},
      {"start-kept",
       "Your view begins where the old one begins. Its first element is the one at the index `first`.", other,
       sliced<start_kept>},
      {"start-by-the-new-stride",
       "You moved the start by strides that were already multiplied by `step`. `first` counts elements of "
       "the "
       "old view: use its stride.",
       read, sliced<by_new_stride>},
      {"step-for-stride",
       "You took `step` as the stride. A step of 1 in the old view is a whole stride in the buffer, so "
       "multiply the two.",
       read, sliced<step_for_stride>},
      {"stride-kept",
       "The stride of the axis is still the old one. From one kept element to the next, it is `step` times "
       "as "
       "far.",
       read, sliced<stride_kept>},
      {"sign-lost", "Your stride has lost its sign. With a negative step the view goes back in the buffer.",
       read, sliced<without_sign>},
      {"length-kept", "The axis has kept its old length. Afterwards it has `length` elements.", other,
       sliced<length_kept>}};
}

inline const std::vector<Together<Slice>> kTogetherInSlices = {
    {{"first-not-scaled", "step-for-stride"}, sliced<unscaled_and_step>},
    {{"start-kept", "step-for-stride"}, sliced<kept_and_step>},
    {{"start-replaced", "first-not-scaled"}, sliced<replaced_and_unscaled>},
    {{"start-replaced", "first-not-scaled", "step-for-stride"}, sliced<replaced_unscaled_and_step>},
    {{"length-kept", "step-for-stride"}, sliced<length_and_step>}};

}  // namespace mistakes

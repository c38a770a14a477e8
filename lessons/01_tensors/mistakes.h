// What people get wrong in parts 1 and 2 of exercise 1.
#pragma once

#include <cstdlib>
#include <numeric>

#include "exercise.h"
#include "grader/slips.h"
#include "view.h"

namespace mistakes {

using grader::Made, grader::Slip;
// The headings of the text to read again.
inline constexpr auto kStrides = "Strides", kOtherWays = "Transpose and reshape: other ways to read",
                      kBroadcasting = "Broadcasting: a stride of 0", kRefusing = "What does not broadcast",
                      kSumming = "The transpose of copying is summing";

using Order = std::vector<std::size_t>;
using InOrder = std::function<Strides(const Shape&, const Order&)>;
using Slice = std::function<View(const View&, std::size_t, std::size_t, std::ptrdiff_t, std::size_t)>;
using Window = std::function<View(const View&, std::size_t, std::size_t)>;
using Broadcast = std::function<View(const View&, const Shape&)>;
using SumBack = std::function<Array(const Array&, const View&, std::size_t)>;

inline std::ptrdiff_t signed_of(std::size_t length) { return static_cast<std::ptrdiff_t>(length); }

// Order[k] as the rank of axis k.
inline Order inverse(const Order& order) {
  Order ranks(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = k;
  return ranks;
}

inline Order plain(std::size_t axes) {
  Order order(axes);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline Strides row_major(const Shape& shape) {
  return solution::strides_in_order(shape, plain(shape.size()));
}

inline Strides in_order(const Made& made, const Shape& shape, Order order) {
  if (made("order-ignored")) order = plain(order.size());
  if (made("order-read-as-ranks")) order = inverse(order);
  Strides strides(shape.size(), made("slowest-left-at-1") ? 1 : 0);
  std::ptrdiff_t stride = made("begins-with-0") ? 0 : 1;
  const std::size_t begin = made("fastest-left-out") && !order.empty() ? order.size() - 1 : order.size();
  const std::size_t end = made("slowest-left-at-0") || made("slowest-left-at-1") ? 1 : 0;
  for (std::size_t k = begin; k > end; --k) {
    const std::size_t place = made("fastest-first") ? order.size() - k : k - 1, axis = order[place];
    const std::ptrdiff_t length = signed_of(shape[made("length-of-the-wrong-axis") ? place : axis]);
    const std::ptrdiff_t next = made("next-length-alone") ? length
                                : made("sum-of-lengths")  ? stride + length
                                                          : stride * length;
    const std::size_t entry = made("stored-by-rank")       ? place
                              : made("stored-as-computed") ? order.size() - k
                                                           : axis;
    strides[entry] = made("own-length-alone") ? length : made("own-length-included") ? next : stride;
    stride = next;
  }
  return strides;
}

inline const std::vector<Slip> kSlipsInOrder = {
    {"order-ignored",
     "Your strides are the row-major ones, whatever `order` says. Stride 1 belongs to the axis that `order` "
     "names last.",
     kStrides},
    {"fastest-first",
     "You gave stride 1 to the axis that `order` names first. That one changes slowest, so it has the "
     "largest stride.",
     kStrides},
    {"stored-by-rank",
     "You stored the stride of axis order[k] as entry k. The answer is listed by axis: it belongs into entry "
     "order[k].",
     kStrides},
    {"stored-as-computed",
     "Your strides are listed from the fastest axis to the slowest, as you computed them. The answer is "
     "listed by axis: the stride of axis order[k] belongs into entry order[k].",
     kStrides},
    {"order-read-as-ranks",
     "You took order[k] for the place of axis k in the order. It is the other way round: order[k] is the "
     "axis at place k.",
     kStrides},
    {"length-of-the-wrong-axis",
     "You multiply by the length of axis k after you stored the stride of axis order[k]. Multiply by the "
     "length of axis order[k].",
     kStrides},
    {"own-length-included",
     "You multiplied by an axis's length before storing its stride. A stride is the product of the lengths "
     "of all faster axes, without its own.",
     kStrides},
    {"own-length-alone",
     "Each of your strides is the axis's own length. A stride is the product of the lengths of all faster axes.",
     kStrides},
    {"next-length-alone",
     "Each of your strides is the length of the next faster axis alone. Multiply by that axis's stride too.",
     kStrides},
    {"sum-of-lengths",
     "You added the lengths of the faster axes. A stride is their product: a step along this axis passes all "
     "elements of the faster ones.",
     kStrides},
    {"begins-with-0", "Your first stride is 0, and so are all others. The fastest axis has stride 1.",
     kStrides},
    {"slowest-left-at-0",
     "Your loop ends one axis early: the axis order[0] keeps the 0 with which the strides began.", kStrides},
    {"slowest-left-at-1",
     "Your loop ends one axis early: the axis order[0] keeps the 1 with which the strides began.", kStrides},
    {"fastest-left-out",
     "Your loop begins one axis late. The last entry of `order` gets no stride, and its length goes into no "
     "other.",
     kStrides}};

inline View slice(const Made& made, const View& view, std::size_t axis, std::size_t first,
                  std::ptrdiff_t step, std::size_t length) {
  if (made("first-axis")) axis = 0;
  if (made("last-axis")) axis = view.shape.size() - 1;
  if (made("sign-lost")) step = std::abs(step);
  const std::ptrdiff_t old = view.strides[axis], stride = made("step-for-stride") ? step
                                                          : made("stride-kept")   ? old
                                                          : made("step-added")    ? old + step
                                                                                  : old * step;
  const std::ptrdiff_t scale = made("first-not-scaled")          ? 1
                               : made("start-by-the-new-stride") ? stride
                               : made("first-by-the-step")       ? step
                                                                 : old;
  const std::ptrdiff_t index = signed_of(first) - (made("first-counted-from-1") ? 1 : 0);
  const std::ptrdiff_t moved = made("start-kept") ? 0 : index * scale;
  const std::ptrdiff_t end = made("starts-at-its-end") && step < 0 ? signed_of(length - 1) * stride : 0;
  View part = view;
  part.start = (made("start-replaced") ? 0 : view.start) + (made("start-moved-back") ? -moved : moved) + end;
  part.shape[axis] = made("length-kept")          ? view.shape[axis]
                     : made("length-from-first")  ? view.shape[axis] - first
                     : made("length-by-the-step") ? length / static_cast<std::size_t>(std::abs(step))
                     : made("one-element-less")   ? length - 1
                     : made("one-element-more")   ? length + 1
                                                  : length;
  if (made("all-axes-stepped"))
    for (std::ptrdiff_t& each : part.strides) each *= step;
  part.strides[axis] = stride;
  return part;
}

inline const std::vector<Slip> kSlipsInSlices = {
    {"first-not-scaled",
     "You moved the start by `first`. That is an index; in the buffer it is `first` times the stride of the "
     "axis.",
     kStrides},
    {"start-replaced",
     "You set the start anew. The view may begin anywhere in the buffer: go on from its own start.",
     kOtherWays},
    {"start-kept",
     "Your view begins where the old one begins. Its first element is the one at the index `first`.",
     kOtherWays},
    {"start-by-the-new-stride",
     "You moved the start by strides that were already multiplied by `step`. `first` counts elements of the "
     "old view: use its stride.",
     kStrides},
    {"first-by-the-step",
     "You moved the start by `first` times `step`. `first` counts elements of the old view: multiply it by "
     "the old stride.",
     kStrides},
    {"start-moved-back",
     "You subtracted from the start. The element at the index `first` stands `first` strides further on.",
     kStrides},
    {"starts-at-its-end",
     "With a negative step your view starts where it should end. It starts at the element `first`, and its "
     "negative stride leads back from there.",
     kStrides},
    {"step-for-stride",
     "You took `step` as the stride. A step of 1 in the old view is a whole stride in the buffer, so "
     "multiply the two.",
     kStrides},
    {"stride-kept",
     "The stride of the axis is still the old one. From one kept element to the next, it is `step` times as "
     "far.",
     kStrides},
    {"step-added",
     "You added `step` to the stride. From one kept element to the next it is `step` strides, so multiply.",
     kStrides},
    {"sign-lost", "Your stride has lost its sign. With a negative step the view goes back in the buffer.",
     kStrides},
    {"first-counted-from-1",
     "You moved the start by one element too few. Indices count from 0: the element `first` stands `first` "
     "strides further on.",
     kStrides},
    {"one-element-less", "Your axis has one element too few. It should have `length` elements.", kOtherWays},
    {"one-element-more", "Your axis has one element too many. It should have `length` elements.", kOtherWays},
    {"all-axes-stepped", "You multiplied the strides of all axes by `step`. Only that of `axis` changes.",
     kOtherWays},
    {"length-kept", "The axis has kept its old length. Afterwards it has `length` elements.", kOtherWays},
    {"length-from-first",
     "Your axis has all elements from `first` to the end. It should have `length` elements.", kOtherWays},
    {"length-by-the-step",
     "You divided the length by the step. `length` already says how many elements are kept.", kOtherWays},
    {"first-axis", "You changed axis 0. The elements are kept along `axis`.", kOtherWays},
    {"last-axis", "You changed the last axis. The elements are kept along `axis`.", kOtherWays}};

}  // namespace mistakes

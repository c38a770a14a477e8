// What people get wrong in parts 1 and 2 of exercise 1.
#pragma once

#include <cstdlib>
#include <numeric>

#include "exercise.h"
#include "grader/slips.h"
#include "view.h"

namespace mistakes {

using grader::Made, grader::Mistake, grader::slips_of;
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
  if (made("fastest-first")) std::ranges::reverse(order);
  Strides strides(shape.size(), made("slowest-left-at-1") ? 1 : 0);
  std::ptrdiff_t stride = made("begins-with-0") ? 0 : 1;
  const std::size_t begin = made("fastest-left-out") && !order.empty() ? order.size() - 1 : order.size();
  const std::size_t end = made("slowest-left-at-0") || made("slowest-left-at-1") ? 1 : 0;
  for (std::size_t k = begin; k > end; --k) {
    const std::size_t axis = order[k - 1];
    const std::ptrdiff_t length = signed_of(shape[made("length-of-the-wrong-axis") ? k - 1 : axis]);
    const std::ptrdiff_t next = made("next-length-alone") ? length
                                : made("sum-of-lengths")  ? stride + length
                                                          : stride * length;
    strides[made("stored-by-rank") ? k - 1 : axis] = made("own-length-included") ? next : stride;
    stride = next;
  }
  return strides;
}

inline std::vector<Mistake<InOrder>> of_order() {
  const std::string read = "Strides";
  return slips_of<InOrder>(
      in_order,
      {{"order-ignored",
        "Your strides are the row-major ones, whatever `order` says. Stride 1 belongs to the axis that "
        "`order` names last.",
        read},
       {"fastest-first",
        "You gave stride 1 to the axis that `order` names first. That one changes slowest, so it has the "
        "largest stride.",
        read},
       {"stored-by-rank",
        "You stored the stride of axis order[k] as entry k. The answer is listed by axis: it belongs into "
        "entry order[k].",
        read},
       {"order-read-as-ranks",
        "You took order[k] for the place of axis k in the order. It is the other way round: order[k] is the "
        "axis at place k.",
        read},
       {"length-of-the-wrong-axis",
        "You multiply by the length of axis k after you stored the stride of axis order[k]. Multiply by the "
        "length of axis order[k].",
        read},
       {"own-length-included",
        "You multiplied by an axis's length before storing its stride. A stride is the product of the "
        "lengths of all faster axes, without its own.",
        read},
       {"next-length-alone",
        "Each of your strides is the length of the next faster axis alone. Multiply by that axis's stride "
        "too.",
        read},
       {"sum-of-lengths",
        "You added the lengths of the faster axes. A stride is their product: a step along this axis passes "
        "all elements of the faster ones.",
        read},
       {"begins-with-0", "Your first stride is 0, and so are all others. The fastest axis has stride 1.",
        read},
       {"slowest-left-at-0",
        "Your loop ends one axis early: the axis order[0] keeps the 0 with which the strides began.", read},
       {"slowest-left-at-1",
        "Your loop ends one axis early: the axis order[0] keeps the 1 with which the strides began.", read},
       {"fastest-left-out",
        "Your loop begins one axis late. The last entry of `order` gets no stride, and its length goes into "
        "no other.",
        read}});
}

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
  const std::ptrdiff_t moved = made("start-kept") ? 0 : signed_of(first) * scale;
  View part = view;
  part.start = (made("start-replaced") ? 0 : view.start) + (made("start-moved-back") ? -moved : moved);
  part.shape[axis] = made("length-kept")          ? view.shape[axis]
                     : made("length-from-first")  ? view.shape[axis] - first
                     : made("length-by-the-step") ? (length + std::abs(step) - 1) / std::abs(step)
                                                  : length;
  part.strides[axis] = stride;
  return part;
}

inline std::vector<Mistake<Slice>> of_slices() {
  const std::string read = "Strides", other = "Transpose and reshape: other ways to read";
  return slips_of<Slice>(
      slice,
      {{"first-not-scaled",
        "You moved the start by `first`. That is an index; in the buffer it is `first` times the stride of "
        "the axis.",
        read},
       {"start-replaced",
        "You set the start anew. The view may begin anywhere in the buffer: go on from its own start.",
        other},
       {"start-kept",
        "Your view begins where the old one begins. Its first element is the one at the index `first`.",
        other},
       {"start-by-the-new-stride",
        "You moved the start by strides that were already multiplied by `step`. `first` counts elements of "
        "the old view: use its stride.",
        read},
       {"first-by-the-step",
        "You moved the start by `first` times `step`. `first` counts elements of the old view: multiply it "
        "by the old stride.",
        read},
       {"start-moved-back",
        "You subtracted from the start. The element at the index `first` stands `first` strides further on.",
        read},
       {"step-for-stride",
        "You took `step` as the stride. A step of 1 in the old view is a whole stride in the buffer, so "
        "multiply the two.",
        read},
       {"stride-kept",
        "The stride of the axis is still the old one. From one kept element to the next, it is `step` times "
        "as far.",
        read},
       {"step-added",
        "You added `step` to the stride. From one kept element to the next it is `step` strides, so "
        "multiply.",
        read},
       {"sign-lost", "Your stride has lost its sign. With a negative step the view goes back in the buffer.",
        read},
       {"length-kept", "The axis has kept its old length. Afterwards it has `length` elements.", other},
       {"length-from-first",
        "Your axis has all elements from `first` to the end. It should have `length` elements.", other},
       {"length-by-the-step",
        "You divided the length by the step. `length` already says how many elements are kept.", other},
       {"first-axis", "You changed axis 0. The elements are kept along `axis`.", other},
       {"last-axis", "You changed the last axis. The elements are kept along `axis`.", other}});
}

}  // namespace mistakes

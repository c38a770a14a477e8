// What people get wrong in parts 3 and 4 of exercise 1.
#pragma once

#include "mistakes.h"

namespace mistakes {

// The number of windows that a learner counts on an axis of n.
inline std::size_t windows_of(const Made& made, std::size_t n, std::size_t length) {
  if (made("windows-beyond-the-end")) return n;
  if (made("side-by-side") || made("counted-side-by-side")) return n / length;
  return n - length + (made("one-window-too-few") ? 0 : made("one-window-too-many") ? 2 : 1);
}

inline View windowed(const Made& made, const View& view, std::size_t axis, std::size_t length) {
  if (made("first-axis")) axis = 0;
  if (made("last-axis")) axis = view.shape.size() - 1;
  const std::ptrdiff_t stride = view.strides[axis], whole = stride * signed_of(length);
  std::size_t count = windows_of(made, view.shape[axis], length);
  if (made("roles-exchanged")) std::swap(count, length);
  View all = view;
  all.shape[axis] = count;
  if (made("side-by-side") || made("jumps-by-a-window")) all.strides[axis] = whole;
  const std::ptrdiff_t inside = made("new-stride-1")               ? 1
                                : made("new-stride-0")             ? 0
                                : made("new-stride-the-length")    ? signed_of(length)
                                : made("new-stride-a-window")      ? whole
                                : made("stride-of-the-last-axis")  ? view.strides.back()
                                : made("stride-of-the-first-axis") ? view.strides[0]
                                                                   : stride;
  const std::ptrdiff_t place = made("new-axis-beside")     ? signed_of(axis) + 1
                               : made("new-axis-in-front") ? 0
                               : made("new-axis-before")   ? signed_of(axis)
                                                           : signed_of(view.shape.size());
  all.shape.insert(all.shape.begin() + place, length);
  if (made("old-stride-1")) all.strides[axis] = 1;
  if (!made("no-new-stride")) all.strides.insert(all.strides.begin() + place, inside);
  if (made("row-major-strides")) all.strides = row_major(all.shape);
  return all;
}

inline const std::vector<Slip> kSlipsInWindows = {
    {"one-window-too-few",
     "The last window is missing. Of n elements, n − length + 1 can begin a window: try length = n.",
     kStrides},
    {"one-window-too-many",
     "You count one window too many. Of n elements, n − length + 1 can begin a window: try length = n.",
     kStrides},
    {"side-by-side",
     "Your windows do not overlap. Window w begins at element w, so the axis keeps its stride.", kStrides},
    {"counted-side-by-side",
     "You count only as many windows as fit side by side. Windows overlap: n − length + 1 elements can begin "
     "one.",
     kStrides},
    {"jumps-by-a-window",
     "From one window to the next you go on by a whole window. Window w begins at element w, so the axis "
     "keeps its stride.",
     kStrides},
    {"windows-beyond-the-end",
     "You count as many windows as elements. The last ones would reach beyond the end of the axis.",
     kStrides},
    {"new-stride-1",
     "Inside a window you go on by 1. Neighbours along the axis are its stride apart, so the new axis has "
     "the same stride.",
     kStrides},
    {"new-stride-0",
     "Inside a window you stay on the same number: a stride of 0 repeats. Here you go on along the axis, by "
     "its stride.",
     kBroadcasting},
    {"new-stride-the-length",
     "Inside a window you go on by `length`. Neighbours along the axis are its stride apart.", kStrides},
    {"old-stride-1",
     "From one window to the next you go on by 1. The next element is the axis's stride away, so the axis "
     "keeps its stride.",
     kStrides},
    {"row-major-strides",
     "Your strides are the row-major ones of the new shape. Nothing is copied: the view's own strides lead "
     "through the buffer.",
     kStrides},
    {"new-stride-a-window",
     "Inside a window you go on by `length` strides. Neighbours along the axis are one stride apart.",
     kStrides},
    {"stride-of-the-last-axis",
     "Your new axis has the stride of the view's last axis. Inside a window you go along `axis`, by its "
     "stride.",
     kStrides},
    {"stride-of-the-first-axis",
     "Your new axis has the stride of the view's first axis. Inside a window you go along `axis`, by its "
     "stride.",
     kStrides},
    {"no-new-stride", "Your new axis has a length and no stride. Each axis needs both.", kStrides},
    {"new-axis-beside",
     "Your new axis stands right behind the axis that it comes from. It should stand behind all others.",
     kStrides},
    {"new-axis-before",
     "Your new axis stands right before the axis that it comes from. It should stand behind all others.",
     kStrides},
    {"new-axis-in-front", "Your new axis stands in front. It should stand behind all others.", kStrides},
    {"roles-exchanged",
     "The two lengths are exchanged. The old axis counts the windows, the new one has `length` elements.",
     kStrides},
    {"first-axis", "Your windows go along axis 0. They should go along `axis`.", kStrides},
    {"last-axis", "Your windows go along the last axis. They should go along `axis`.", kStrides}};

// The shape with each length of 1, or missing axis, as long as the view.
inline Shape as_long_as(const View& view, Shape shape) {
  while (shape.size() < view.shape.size()) shape.insert(shape.begin(), 1);
  for (std::size_t k = 0; k < view.shape.size(); ++k)
    if (std::size_t& length = shape[shape.size() - view.shape.size() + k]; length == 1)
      length = view.shape[k];
  return shape;
}

inline bool refuses(const Made& made, std::size_t from, std::size_t to) {
  if (from == to) return false;
  if (from == 1) return made("length-1-refused");
  return !made("nothing-refused") && !made("unequal-kept") && !(made("shorter-accepted") && to == 1);
}

inline View broadcast(const Made& made, View view, Shape shape) {
  if (made("more-axes-accepted"))
    while (view.shape.size() > shape.size() && view.shape[0] == 1) {
      view.shape.erase(view.shape.begin());
      view.strides.erase(view.strides.begin());
    }
  if (made("shortened-too")) shape = as_long_as(view, shape);
  const std::size_t axes = view.shape.size();
  if (axes > shape.size() || (made("fewer-axes-refused") && axes < shape.size()))
    throw Error("it does not broadcast");
  const std::size_t missing = made("aligned-at-the-first-axis") ? 0 : shape.size() - axes;
  const Strides own = made("row-major-assumed") ? row_major(view.shape) : view.strides,
                large = row_major(shape);
  const bool ones = made("stride-1-for-repeated") || made("stride-1-for-missing");
  View wide{made("start-lost") ? 0 : view.start, shape, Strides(shape.size(), ones ? 1 : 0)};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t from = view.shape[axis], to = shape[missing + axis];
    if (refuses(made, from, to)) throw Error("it does not broadcast");
    std::ptrdiff_t& stride = wide.strides[missing + axis];
    if (from == to || made("stride-kept") || (made("unequal-kept") && from != 1))
      stride = made("strides-of-the-large-shape") ? large[missing + axis] : own[axis];
    else if (made("stride-1-for-missing"))
      stride = 0;
  }
  if (made("strides-reversed")) std::ranges::reverse(wide.strides);
  return wide;
}

inline const std::vector<Slip> kSlipsInBroadcasts = {
    {"fewer-axes-refused",
     "You refuse a view with fewer axes. A missing axis counts as one of length 1, in front.", kBroadcasting},
    {"length-1-refused",
     "You refuse a length of 1 that is to be repeated. Broadcasting repeats it, by a stride of 0.",
     kBroadcasting},
    {"stride-kept",
     "A repeated axis kept its stride. A step along it must find the same number again, so its stride is 0.",
     kBroadcasting},
    {"stride-1-for-repeated",
     "You gave repeated and missing axes the stride 1. That goes to the next number; to stay on the same one "
     "takes 0.",
     kBroadcasting},
    {"stride-1-for-missing",
     "You gave the missing axes the stride 1. That goes to the next number; to stay on the same one takes 0.",
     kBroadcasting},
    {"row-major-assumed",
     "You computed the strides from the shape of the view, as if it were row-major. The view has strides of "
     "its own, and an axis that is kept keeps its stride.",
     kOtherWays},
    {"strides-of-the-large-shape",
     "You took the strides of the large shape. Nothing was copied: the view's own strides lead through the "
     "buffer.",
     kBroadcasting},
    {"aligned-at-the-first-axis",
     "You aligned the shapes at their first axes. The missing axes stand in front: axis k of the view is "
     "axis k + missing of the shape.",
     kBroadcasting},
    {"strides-reversed", "Your strides stand in reversed order. The last stride belongs to the last axis.",
     kBroadcasting},
    {"start-lost", "Your view begins at 0. A broadcast begins where the view begins.", kBroadcasting},
    {"nothing-refused", "Your function accepts a length that is neither equal nor 1. Then it must throw.",
     kRefusing},
    {"unequal-kept",
     "Your function accepts a length that is neither equal nor 1, and keeps its stride. Then it must throw.",
     kRefusing},
    {"more-axes-accepted",
     "You accept a view that has more axes than the shape. Broadcasting adds axes and removes none, not even "
     "one of length 1: compare the numbers of axes first.",
     kRefusing},
    {"shorter-accepted",
     "You accept a length of 1 in the shape where the view is longer. The view's length of 1 may grow; the "
     "shape's may not, so throw.",
     kRefusing},
    {"shortened-too",
     "You accept a length of 1 in the shape, or a missing axis there, where the view is longer. In a sum the "
     "shape of the result would grow; here the result must have exactly this shape, so throw.",
     kRefusing}};

}  // namespace mistakes

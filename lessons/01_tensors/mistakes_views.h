// What people get wrong in parts 3 and 4 of exercise 1.
#pragma once

#include "mistakes.h"

namespace mistakes {

inline View one_window_short(const View& view, std::size_t axis, std::size_t length) {
  View all = solution::windows(view, axis, length);
  --all.shape[axis];
  return all;
}

inline View side_by_side(const View& view, std::size_t axis, std::size_t length) {
  View all = solution::windows(view, axis, length);
  all.shape[axis] = view.shape[axis] / length;
  all.strides[axis] *= signed_of(length);
  return all;
}

inline View length_of_axis_kept(const View& view, std::size_t axis, std::size_t length) {
  View all = solution::windows(view, axis, length);
  all.shape[axis] = view.shape[axis];
  return all;
}

template <std::ptrdiff_t stride>
View with_new_stride(const View& view, std::size_t axis, std::size_t length) {
  View all = solution::windows(view, axis, length);
  all.strides.back() = stride;
  return all;
}

// The new axis stands at this place.
inline View with_new_axis_at(std::size_t place, const View& view, std::size_t axis, std::size_t length) {
  View all = solution::windows(view, axis, length);
  for (std::size_t k = all.shape.size() - 1; k > place; --k) {
    std::swap(all.shape[k], all.shape[k - 1]);
    std::swap(all.strides[k], all.strides[k - 1]);
  }
  return all;
}

inline View new_axis_beside(const View& view, std::size_t axis, std::size_t length) {
  return with_new_axis_at(axis + 1, view, axis, length);
}

inline View new_axis_in_front(const View& view, std::size_t axis, std::size_t length) {
  return with_new_axis_at(0, view, axis, length);
}

inline View roles_exchanged(const View& view, std::size_t axis, std::size_t length) {
  View all = solution::windows(view, axis, length);
  std::swap(all.shape[axis], all.shape.back());
  return all;
}

inline View short_with_stride_1(const View& view, std::size_t axis, std::size_t length) {
  View all = one_window_short(view, axis, length);
  all.strides.back() = 1;
  return all;
}

inline View beside_with_stride_1(const View& view, std::size_t axis, std::size_t length) {
  View all = new_axis_beside(view, axis, length);
  all.strides[axis + 1] = 1;
  return all;
}

inline View kept_with_stride_1(const View& view, std::size_t axis, std::size_t length) {
  View all = length_of_axis_kept(view, axis, length);
  all.strides.back() = 1;
  return all;
}

inline View beside_and_short(const View& view, std::size_t axis, std::size_t length) {
  View all = new_axis_beside(view, axis, length);
  --all.shape[axis];
  return all;
}

inline std::vector<Mistake<Window>> of_windows() {
  const std::string read = "Strides", other = "Broadcasting: a stride of 0";
  return {
      {"one-window-too-few",
       "The last window is missing. Of n elements, n − length + 1 can begin a window: try length = n.", read,
       one_window_short},
      {"side-by-side",
       "Your windows do not overlap. Window w begins at element w, so the axis keeps its stride.", read,
       side_by_side},
      {"windows-beyond-the-end",
       "You count as many windows as elements. The last ones would reach beyond the end of the axis.", read,
       length_of_axis_kept},
      {"new-stride-1",
       "Inside a window you go on by 1. Neighbours along the axis are its stride apart, so the new axis has "
       "the same stride.",
       read, with_new_stride<1>},
      {"new-stride-0",
       "Inside a window you stay on the same number: a stride of 0 repeats. Here you go on along the axis, "
       "by "
       "its stride.",
       other, with_new_stride<0>},
      {"new-axis-beside",
       "Your new axis stands right behind the axis that it comes from. It should stand behind all others.",
       read, new_axis_beside},
      {"new-axis-in-front", "Your new axis stands in front. It should stand behind all others.", read,
       new_axis_in_front},
      {"roles-exchanged",
       "The two lengths are exchanged. The old axis counts the windows, the new one has `length` elements.",
       read, roles_exchanged}};
}

inline const std::vector<Together<Window>> kTogetherInWindows = {
    {{"one-window-too-few", "new-stride-1"}, short_with_stride_1},
    {{"new-axis-beside", "new-stride-1"}, beside_with_stride_1},
    {{"windows-beyond-the-end", "new-stride-1"}, kept_with_stride_1},
    {{"new-axis-beside", "one-window-too-few"}, beside_and_short}};

// What a learner's broadcast does otherwise.
struct Otherwise {
  bool from_first_axis = false, refuses = true, row_major = false, keeps_start = true;
  std::ptrdiff_t repeated = 0;  // the stride of an axis that is repeated
  bool keeps_stride = false;    // of an axis of length 1 that is repeated
};

template <Otherwise o>
View broadcast(const View& view, const Shape& shape) {
  const auto refuse = [] { throw Error("it does not broadcast"); };
  if (view.shape.size() > shape.size()) refuse();
  const std::size_t missing = o.from_first_axis ? 0 : shape.size() - view.shape.size();
  const Strides own = o.row_major ? row_major(view.shape, {}) : view.strides;
  View wide{o.keeps_start ? view.start : 0, shape, Strides(shape.size(), o.repeated)};
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    const std::size_t from = view.shape[axis], to = shape[missing + axis];
    if (o.refuses && from != to && from != 1) refuse();
    if (from == to || o.keeps_stride) wide.strides[missing + axis] = own[axis];
  }
  return wide;
}

inline View of_the_large_shape(const View& view, const Shape& shape) {
  View wide = solution::broadcast_view(view, shape);
  const Strides large = row_major(shape, {});
  for (std::size_t axis = 0; axis < large.size(); ++axis)
    if (wide.strides[axis] != 0) wide.strides[axis] = large[axis];
  return wide;
}

// A length of 1 in the shape counts as fitting too.
inline View either_way(const View& view, const Shape& shape) {
  Shape long_shape = shape;
  while (long_shape.size() < view.shape.size()) long_shape.insert(long_shape.begin(), 1);
  for (std::size_t k = 0; k < view.shape.size(); ++k)
    if (std::size_t& length = long_shape[long_shape.size() - view.shape.size() + k]; length == 1)
      length = view.shape[k];
  return solution::broadcast_view(view, long_shape);
}

inline View without_leading_ones(const View& view, const Shape& shape) {
  View shorter = view;
  while (shorter.shape.size() > shape.size() && shorter.shape[0] == 1) {
    shorter.shape.erase(shorter.shape.begin());
    shorter.strides.erase(shorter.strides.begin());
  }
  return solution::broadcast_view(shorter, shape);
}

inline View fewer_axes_refused(const View& view, const Shape& shape) {
  if (view.shape.size() != shape.size()) throw Error("it does not broadcast");
  return solution::broadcast_view(view, shape);
}

inline std::vector<Mistake<Broadcast>> of_broadcasts() {
  const std::string read = "Broadcasting: a stride of 0";
  return {
      {"fewer-axes-refused",
       "You refuse a view with fewer axes. A missing axis counts as one of length 1, in front.", read,
       fewer_axes_refused},
      {"stride-kept",
       "A repeated axis kept its stride. A step along it must find the same number again, so its stride is "
       "0.",
       read, broadcast<Otherwise{.keeps_stride = true}>},
      {"stride-1-for-repeated",
       "You gave repeated and missing axes the stride 1. That goes to the next number; to stay on the same "
       "one takes 0.",
       read, broadcast<Otherwise{.repeated = 1}>},
      {"row-major-assumed",
       "You computed the strides from the shape of the view, as if it were row-major. The view has strides "
       "of "
       "its own, and an axis that is kept keeps its stride.",
       "Transpose and reshape: other ways to read", broadcast<Otherwise{.row_major = true}>},
      {"strides-of-the-large-shape",
       "You took the strides of the large shape. Nothing was copied: the view's own strides lead through the "
       "buffer.",
       read, of_the_large_shape},
      {"aligned-at-the-first-axis",
       "You aligned the shapes at their first axes. The missing axes stand in front: axis k of the view is "
       "axis k + missing of the shape.",
       read, broadcast<Otherwise{.from_first_axis = true}>},
      {"start-lost", "Your view begins at 0. A broadcast begins where the view begins.", read,
       broadcast<Otherwise{.keeps_start = false}>},
      {"nothing-refused", "Your function accepts a length that is neither equal nor 1. Then it must throw.",
       "What does not broadcast", broadcast<Otherwise{.refuses = false}>},
      {"more-axes-accepted",
       "You accept a view that has more axes than the shape. Broadcasting adds axes and removes none, not "
       "even one of length 1: compare the numbers of axes first.",
       "What does not broadcast", without_leading_ones},
      {"shortened-too",
       "You accept a length of 1 in the shape, or a missing axis there, where the view is longer. In a sum "
       "the shape of the result would grow; here the result must have exactly this shape, so throw.",
       "What does not broadcast", either_way}};
}

inline const std::vector<Together<Broadcast>> kTogetherInBroadcasts = {
    {{"row-major-assumed", "start-lost"}, broadcast<Otherwise{.row_major = true, .keeps_start = false}>},
    {{"row-major-assumed", "stride-kept"}, broadcast<Otherwise{.row_major = true, .keeps_stride = true}>},
    {{"row-major-assumed", "nothing-refused"}, broadcast<Otherwise{.refuses = false, .row_major = true}>},
    {{"stride-kept", "nothing-refused"}, broadcast<Otherwise{.refuses = false, .keeps_stride = true}>},
    {{"stride-kept", "stride-1-for-repeated"}, broadcast<Otherwise{.repeated = 1, .keeps_stride = true}>},
    {{"start-lost", "nothing-refused"}, broadcast<Otherwise{.refuses = false, .keeps_start = false}>},
    {{"aligned-at-the-first-axis", "nothing-refused"},
     broadcast<Otherwise{.from_first_axis = true, .refuses = false}>},
    {{"aligned-at-the-first-axis", "stride-kept"},
     broadcast<Otherwise{.from_first_axis = true, .keeps_stride = true}>}};

}  // namespace mistakes

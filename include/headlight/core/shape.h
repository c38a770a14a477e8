// Shapes, axes and the broadcasting rule.
#pragma once

#include <fmt/ranges.h>  // fmt::join, and what fmt does with ranges must be known before it meets a Shape

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "headlight/core/xtensor.h"

namespace headlight {

// The lengths of an array's axes, outermost first. A scalar has the shape (), of size 1.
using Shape = xt::xarray<float>::shape_type;

// Axis numbers; negative ones count from the end (-1 is the last). A single number is a list of one axis, so
// that both sum(x, -1) and sum(x, {0, 2}) can be written.
struct Axes : std::vector<int> {
  Axes() = default;
  Axes(int axis) : std::vector<int>{axis} {}
  Axes(std::initializer_list<int> axes) : std::vector<int>(axes) {}
  Axes(std::vector<int> axes) : std::vector<int>(std::move(axes)) {}
  template <class T>
  requires std::same_as<T, bool> || std::floating_point<T> Axes(T)
  = delete;  // sum(x, true): the axes come before keep_dims. max(x, 0.5): maximum() is by element
};

// Number of elements: the product of the lengths. Throws Error when that of the lengths above 0 overflows.
std::size_t size_of(const Shape& shape);

// "(2,3)", also by fmt::print("{}", shape) and std::cout << shape.
std::string to_string(const Shape& shape);
std::ostream& operator<<(std::ostream& out, const Shape& shape);

// The index of element `flat` in row-major order: element 4 of (2,3) is (1,1). Throws Error beyond the last.
Shape unravel_index(std::size_t flat, const Shape& shape);

// The shape that both broadcast to. Shapes are aligned at their last axis; lengths must be equal, or
// one of them 1, or missing: (3,1) and (4) give (3,4). Throws Error naming `op` otherwise.
Shape broadcast_shapes(const Shape& a, const Shape& b, const char* op);

// `shape` with an axis of this length before axis `axis`, or behind all: (2,3) and 1 give (2,length,3).
Shape with_axis(const Shape& shape, std::size_t axis, std::size_t length);

// Whether an array of shape `from` broadcasts to exactly `to`.
bool broadcasts_to(const Shape& from, const Shape& to);

// The axis as 0 … dims-1. Throws Error naming `op` when it is out of range.
std::size_t normalize_axis(int axis, std::size_t dims, const char* op);

// The axes sorted, as 0 … dims-1, each at most once; an empty list means all axes.
std::vector<std::size_t> normalize_axes(const Axes& axes, std::size_t dims, const char* op);

// `shape` with the axes removed, or kept with length 1.
Shape reduced_shape(const Shape& shape, const std::vector<std::size_t>& axes, bool keep_dims);

}  // namespace headlight

template <>
struct fmt::formatter<headlight::Shape> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const headlight::Shape& shape, Context& context) const {
    const std::string text = headlight::to_string(shape);
    auto out = context.out();
    for (char c : text) *out++ = c;
    return out;
  }
};

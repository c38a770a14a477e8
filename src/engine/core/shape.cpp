#include "headlight/core/shape.h"

#include <algorithm>
#include <ostream>

#include "headlight/core/check.h"

namespace headlight {

std::size_t size_of(const Shape& shape) {
  std::ptrdiff_t size = 1;  // without the zeros: strides are counted in an empty array too
  bool empty = false;
  for (const std::size_t length : shape) {
    empty |= length == 0;
    check(!__builtin_mul_overflow(size, std::max<std::size_t>(length, 1), &size),
          "the shape {} has more elements than can be counted.", shape);
  }
  return empty ? 0 : static_cast<std::size_t>(size);
}

Shape unravel_index(std::size_t flat, const Shape& shape) {
  check(flat < size_of(shape), "[unravel_index] the shape {} has no element number {}.", shape, flat);
  Shape index(shape.size());
  for (std::size_t i = shape.size(); i > 0; flat /= shape[--i]) index[i - 1] = flat % shape[i - 1];
  return index;
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? "," : "") + std::to_string(shape[i]);
  return text + ")";
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << to_string(shape); }

Shape with_axis(const Shape& shape, std::size_t axis, std::size_t length) {
  Shape longer(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis));
  longer.push_back(length);
  for (std::size_t i = axis; i < shape.size(); ++i) longer.push_back(shape[i]);
  return longer;
}

Shape broadcast_shapes(const Shape& a, const Shape& b, const char* op) {
  const bool a_is_longer = a.size() >= b.size();
  const Shape& longer = a_is_longer ? a : b;
  const Shape& shorter = a_is_longer ? b : a;
  Shape result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const std::size_t x = longer[offset + i], y = shorter[i];
    check(x == y || x == 1 || y == 1,
          "[{}] shapes {} and {} do not broadcast: lengths {} and {} meet at axis {}. Lengths must "
          "be equal, or one of them 1.",
          op, a, b, a_is_longer ? x : y, a_is_longer ? y : x, offset + i);
    result[offset + i] = x == 1 ? y : x;
  }
  return result;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  const std::size_t offset = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != to[offset + i] && from[i] != 1) return false;
  return true;
}

std::size_t normalize_axis(int axis, std::size_t dims, const char* op) {
  const int n = static_cast<int>(dims);
  check(n > 0, "[{}] a scalar has no axes, got axis {}. Hint: flatten() makes a vector of one number.", op,
        axis);
  check(axis >= -n && axis < n, "[{}] axis {} is out of range for an array of {} axes: expected {} … {}.", op,
        axis, n, -n, n - 1);
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

std::vector<std::size_t> normalize_axes(const Axes& axes, std::size_t dims, const char* op) {
  std::vector<std::size_t> result;
  if (axes.empty()) {
    for (std::size_t i = 0; i < dims; ++i) result.push_back(i);
    return result;
  }
  for (int axis : axes) result.push_back(normalize_axis(axis, dims, op));
  std::sort(result.begin(), result.end());
  const auto twice = std::adjacent_find(result.begin(), result.end());
  check(twice == result.end(), "[{}] axis {} is named twice.", op, twice == result.end() ? 0 : *twice);
  return result;
}

Shape reduced_shape(const Shape& shape, const std::vector<std::size_t>& axes, bool keep_dims) {
  Shape result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool reduced = std::binary_search(axes.begin(), axes.end(), i);
    if (!reduced) result.push_back(shape[i]);
    if (reduced && keep_dims) result.push_back(1);
  }
  return result;
}

}  // namespace headlight

// A loop over several broadcast operands together. Merges axes that all operands cross with one stride, so
// that the innermost loop is as long as possible and steps by 0 or 1 where it can.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "headlight/core/shape.h"

namespace headlight {

using Strides = std::vector<std::size_t>;

// How far apart in memory the neighbours along each axis are.
inline Strides row_major_strides(const Shape& shape) {
  Strides strides(shape.size());
  std::size_t step = 1;
  for (std::size_t i = shape.size(); i > 0; step *= shape[--i]) strides[i - 1] = step;
  return strides;
}

// Strides of a row-major array of shape `from`, broadcast to shape `to`: 0 along repeated axes.
inline Strides broadcast_strides(const Shape& from, const Shape& to) {
  const Strides own = row_major_strides(from);
  Strides strides(to.size(), 0);
  const std::size_t offset = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1) strides[offset + i] = own[i];
  return strides;
}

template <std::size_t N>
class StridedLoop {
 public:
  StridedLoop(const Shape& shape, const std::array<Strides, N>& strides) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) continue;
      Axis axis{shape[i], {}};
      for (std::size_t k = 0; k < N; ++k) axis.strides[k] = strides[k][i];
      if (!axes_.empty() && merges(axes_.back(), axis)) {
        axis.length *= axes_.back().length;
        axes_.back() = axis;
      } else {
        axes_.push_back(axis);
      }
    }
    empty_ = std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end();
    if (axes_.empty()) axes_.push_back({1, {}});
  }

  // Calls body(length, steps, offsets) for every innermost run.
  template <class Body>
  void each_run(Body body) const {
    if (empty_) return;
    const Axis& inner = axes_.back();
    const std::size_t outer = axes_.size() - 1;
    std::array<std::size_t, N> offsets{};
    std::vector<std::size_t> at(outer, 0);
    for (;;) {
      body(inner.length, inner.strides, offsets);
      std::size_t i = outer;
      for (; i > 0; --i) {
        const Axis& axis = axes_[i - 1];
        for (std::size_t k = 0; k < N; ++k) offsets[k] += axis.strides[k];
        if (++at[i - 1] < axis.length) break;
        for (std::size_t k = 0; k < N; ++k) offsets[k] -= axis.strides[k] * axis.length;
        at[i - 1] = 0;
      }
      if (i == 0) return;
    }
  }

 private:
  struct Axis {
    std::size_t length;
    std::array<std::size_t, N> strides;
  };

  static bool merges(const Axis& outer, const Axis& inner) {
    for (std::size_t k = 0; k < N; ++k)
      if (outer.strides[k] != inner.strides[k] * inner.length) return false;
    return true;
  }

  std::vector<Axis> axes_;
  bool empty_ = false;
};

}  // namespace headlight

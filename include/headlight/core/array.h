// Array: an n-dimensional row-major block of numbers (an xtensor container over the buffer pool).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

#include "headlight/core/buffer_pool.h"
#include "headlight/core/real.h"
#include "headlight/core/shape.h"
#include "headlight/core/xtensor.h"

namespace headlight {

using Array = xt::xarray<Real, xt::layout_type::row_major, PoolAllocator<Real>>;

// Token numbers and other indices. Every argument is named, because macros of xtensor (XTENSOR_USE_XSIMD)
// change the defaults, and the library would then hold functions for another type.
using IntArray = xt::xarray<std::int32_t, xt::layout_type::row_major, std::allocator<std::int32_t>>;

// The shape itself. Throws Error where the product of its lengths overflows; xtensor would wrap around.
inline const Shape& countable(const Shape& shape) {
  size_of(shape);
  return shape;
}

// A mask. True means "yes": may attend, is predictable, take the first. (It holds an xtensor array
// instead of being one, because otherwise where(mask, x, 0) would call xt::where.)
class BoolArray {
 public:
  using Values = xt::xarray<bool, xt::layout_type::row_major, std::allocator<bool>>;

  BoolArray(const Shape& shape, bool value) : values_(countable(shape), value) {}
  BoolArray(Values values) : values_(std::move(values)) {}
  BoolArray(std::initializer_list<bool> row) : values_(row) {}
  BoolArray(std::initializer_list<std::initializer_list<bool>> rows) : values_(rows) {}

  const Shape& shape() const { return values_.shape(); }
  std::size_t size() const { return values_.size(); }
  const bool* data() const { return values_.data(); }
  bool* data() { return values_.data(); }
  const Values& values() const { return values_; }

  template <class... Index>
  bool operator()(Index... index) const {
    return values_(index...);
  }
  template <class... Index>
  bool& operator()(Index... index) {
    return values_(index...);
  }

  BoolArray operator!() const { return BoolArray(Values(!values_)); }

 private:
  Values values_;
};

// An array of this shape with uninitialised numbers.
inline Array empty_array(const Shape& shape) { return Array::from_shape(countable(shape)); }
inline IntArray empty_int_array(const Shape& shape) { return IntArray::from_shape(countable(shape)); }

// An array of this shape in which every number is `value`.
inline Array full_array(const Shape& shape, Real value) { return Array(countable(shape), value); }

}  // namespace headlight

// What each source of this folder includes. It is compiled once for each level, for which cmake/Levels.cmake
// defines `this_level` as the level's name; so each level has a namespace of its own. Nothing may be outside:
// of an inline function of another namespace, such as std::min, the linker takes one copy for the whole
// program, perhaps the one that only the best machines can run. tests/structure/level_symbols.cmake checks
// this.
#pragma once

#include "core/level.h"

namespace headlight::kernels::this_level {

#define HEADLIGHT_DECLARE(kernel) decltype(kernels::kernel) kernel;
HEADLIGHT_KERNELS(HEADLIGHT_DECLARE)
#undef HEADLIGHT_DECLARE

template <class T>
constexpr T min_of(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T max_of(T a, T b) {
  return a < b ? b : a;
}
template <class T>
constexpr T clamp(T x, T least, T most) {
  return x < least ? least : most < x ? most : x;
}

// From row to row of attention's tiles. A product knows it as a constant.
inline constexpr std::size_t kTileStride = 112;

inline void fill_n(Real* x, std::size_t n, Real value) {
  for (std::size_t i = 0; i < n; ++i) x[i] = value;
}
inline void copy_n(const Real* from, std::size_t n, Real* to) {
  __builtin_memcpy(to, from, n * sizeof(Real));
}

inline Real sqrt(Real x) {
  if constexpr (kDouble) return __builtin_sqrt(x);
  return __builtin_sqrtf(static_cast<float>(x));
}

}  // namespace headlight::kernels::this_level

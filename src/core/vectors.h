// The compiler's vectors of Real: a portable extension of g++ and clang, arithmetic by element.
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// Numbers in the longest vector of the instruction set that this file is compiled for.
#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 64 / sizeof(Real);
#elif defined(__AVX__)
inline constexpr std::size_t kLanes = 32 / sizeof(Real);
#else
inline constexpr std::size_t kLanes = 16 / sizeof(Real);
#endif

template <std::size_t Width>
struct VectorOf {
  // Read from any address of numbers.
  typedef Real type __attribute__((vector_size(Width * sizeof(Real)), aligned(sizeof(Real)), may_alias));
};
template <std::size_t Width>
using Vector = typename VectorOf<Width>::type;

template <std::size_t Width>
Vector<Width> load(const Real* from) {
  return *reinterpret_cast<const Vector<Width>*>(from);
}

template <std::size_t Width>
void store(Real* to, const Vector<Width>& x) {
  *reinterpret_cast<Vector<Width>*>(to) = x;
}

}  // namespace headlight::inline HEADLIGHT_PRECISION

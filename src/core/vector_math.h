// exp, log and tanh that the compiler can vectorise without -ffast-math: glibc's libmvec has them, at
// most 4 units in the last place from exact, and g++ calls it where a function carries this attribute.
// Elsewhere the loops stay scalar.
#pragma once

#include <cmath>

#include "headlight/core/real.h"

#if defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) && defined(__x86_64__)
#if __GLIBC_PREREQ(2, 35)
extern "C" {
__attribute__((simd("notinbranch"), const)) float expf(float) noexcept;
__attribute__((simd("notinbranch"), const)) double exp(double) noexcept;
__attribute__((simd("notinbranch"), const)) float logf(float) noexcept;
__attribute__((simd("notinbranch"), const)) double log(double) noexcept;
__attribute__((simd("notinbranch"), const)) float tanhf(float) noexcept;
__attribute__((simd("notinbranch"), const)) double tanh(double) noexcept;
}
#endif
#endif

namespace headlight::vector_math {

inline float exp(float x) { return ::expf(x); }
inline double exp(double x) { return ::exp(x); }
inline float log(float x) { return ::logf(x); }
inline double log(double x) { return ::log(x); }
inline float tanh(float x) { return ::tanhf(x); }
inline double tanh(double x) { return ::tanh(x); }

}  // namespace headlight::vector_math

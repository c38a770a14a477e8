// Vectors of the compiler: an extension of g++ and clang with arithmetic by element. And two operations that
// must be equal on every machine: a multiply-add that is rounded once, and sums in sixteen lanes.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels.h"

#if defined(__FMA__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>
#endif

namespace headlight::kernels::this_level {

// Bytes of the longest vector of this level.
#if defined(__AVX512F__)
inline constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t kVectorBytes = 32;
#else
inline constexpr std::size_t kVectorBytes = 16;
#endif

// Numbers in it.
inline constexpr std::size_t kLanes = kVectorBytes / sizeof(Real);

template <std::size_t Width, class T = Real>
struct VectorOf {
  // Read from any address of numbers.
  typedef T type __attribute__((vector_size(Width * sizeof(T)), aligned(sizeof(T)), may_alias));
};
template <std::size_t Width, class T = Real>
using Vector = typename VectorOf<Width, T>::type;

template <std::size_t Width, class T>
Vector<Width, T> load(const T* from) {
  return *reinterpret_cast<const Vector<Width, T>*>(from);
}

template <std::size_t Width, class T>
void store(T* to, const Vector<Width, T>& x) {
  *reinterpret_cast<Vector<Width, T>*>(to) = x;
}

template <std::size_t Width>
Vector<Width> broadcast(Real x) {
  return x - Vector<Width>{};  // x + 0 would make 0 of -0
}

// a·b + c, rounded once. A level that lacks the instruction rounds twice, because a call of the C library per
// product would take a hundred times as long. With -ffp-contract=off the compiler fuses
// nothing by itself.
#if defined(__FMA__)
inline __m128 multiply_add(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
inline __m128d multiply_add(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
inline __m256 multiply_add(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
inline __m256d multiply_add(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#if defined(__AVX512F__)
inline __m512 multiply_add(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
inline __m512d multiply_add(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#endif
#elif defined(__aarch64__)
inline float32x4_t multiply_add(float32x4_t a, float32x4_t b, float32x4_t c) { return vfmaq_f32(c, a, b); }
inline float64x2_t multiply_add(float64x2_t a, float64x2_t b, float64x2_t c) { return vfmaq_f64(c, a, b); }
#elif defined(__wasm_relaxed_simd__)
// Rounded once where the browser's processor can; the page tries it.
inline Vector<4, float> multiply_add(Vector<4, float> a, Vector<4, float> b, Vector<4, float> c) {
  return wasm_f32x4_relaxed_madd(a, b, c);
}
inline Vector<2, double> multiply_add(Vector<2, double> a, Vector<2, double> b, Vector<2, double> c) {
  return wasm_f64x2_relaxed_madd(a, b, c);
}
#else
template <class V>
V multiply_add(V a, V b, V c) {
  return a * b + c;
}
#endif
#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool kFusesMultiplyAdd = true;
inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }
#elif defined(__wasm_relaxed_simd__)
inline constexpr bool kFusesMultiplyAdd = true;
inline float multiply_add(float a, float b, float c) {
  return wasm_f32x4_extract_lane(
      wasm_f32x4_relaxed_madd(wasm_f32x4_splat(a), wasm_f32x4_splat(b), wasm_f32x4_splat(c)), 0);
}
inline double multiply_add(double a, double b, double c) {
  return wasm_f64x2_extract_lane(
      wasm_f64x2_relaxed_madd(wasm_f64x2_splat(a), wasm_f64x2_splat(b), wasm_f64x2_splat(c)), 0);
}
#else
inline constexpr bool kFusesMultiplyAdd = false;
#endif

// Sixteen numbers, in as many vectors as this machine needs. Sums along a row are added in these lanes on
// every machine, so that they have the same bits.
template <class T>
struct Lanes {
  static constexpr std::size_t kCount = 16, kWidth = kVectorBytes / sizeof(T), kParts = kCount / kWidth;
  Vector<kWidth, T> part[kParts];
};

// f of the lanes of x, y, …, vector by vector.
template <class T, class F, class... X>
Lanes<T> each_lane(F f, const X&... x) {
  Lanes<T> y;
  for (std::size_t p = 0; p < Lanes<T>::kParts; ++p) y.part[p] = f(x.part[p]...);
  return y;
}

template <class T>
Lanes<T> load_lanes(const T* from) {
  Lanes<T> x;
  for (std::size_t p = 0; p < Lanes<T>::kParts; ++p)
    x.part[p] = load<Lanes<T>::kWidth>(from + p * Lanes<T>::kWidth);
  return x;
}

template <class T>
void store_lanes(T* to, const Lanes<T>& x) {
  for (std::size_t p = 0; p < Lanes<T>::kParts; ++p)
    store<Lanes<T>::kWidth>(to + p * Lanes<T>::kWidth, x.part[p]);
}

// Combines the lanes by join(…): the upper half with the lower half, and so on. Sixteen lanes take four steps
// instead of fifteen.
template <class T, std::size_t Width, class Join, std::size_t... I>
T across(const Vector<Width, T>& x, Join join, std::index_sequence<I...>) {
  constexpr std::size_t kHalf = sizeof...(I);
  if constexpr (kHalf == 1) {
    return join(x[0], x[1]);
  } else {
    const Vector<kHalf, T> low = __builtin_shufflevector(x, x, I...),
                           high = __builtin_shufflevector(x, x, (kHalf + I)...);
    return across<T, kHalf>(join(low, high), join, std::make_index_sequence<kHalf / 2>());
  }
}

template <class T, class Join>
T across(Lanes<T> x, Join join) {
  for (std::size_t half = Lanes<T>::kParts / 2; half > 0; half /= 2)
    for (std::size_t p = 0; p < half; ++p) x.part[p] = join(x.part[p], x.part[p + half]);
  return across<T, Lanes<T>::kWidth>(x.part[0], join, std::make_index_sequence<Lanes<T>::kWidth / 2>());
}

// The sum over rows x, y, …: next(sum so far, x_i, y_i, …) takes numbers, and vectors of them.
template <class Next, class... Row>
Real sum_of(std::size_t width, Next next, const Row*... row) {
  Lanes<Real> lanes{};
  std::size_t i = 0;
  for (; i + Lanes<Real>::kCount <= width; i += Lanes<Real>::kCount)
    lanes = each_lane<Real>(next, lanes, load_lanes(row + i)...);
  Real sum = across(lanes, [](auto a, auto b) { return a + b; });
  for (; i < width; ++i) sum = next(sum, row[i]...);
  return sum;
}

}  // namespace headlight::kernels::this_level

// Copies of parts of matrices whose rows stand close together.
#pragma once

#include "headlight/core/gemm.h"
#include "vectors.h"

namespace headlight::kernels::this_level {

inline void transpose_4x4(const Real* in, std::size_t in_stride, Real* out, std::size_t out_stride) {
  const auto row = [&](std::size_t i) { return load<4>(in + i * in_stride); };
  const Vector<4> a = row(0), b = row(1), c = row(2), d = row(3);
  const Vector<4> ab_left = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                  ab_right = __builtin_shufflevector(a, b, 2, 6, 3, 7),
                  cd_left = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                  cd_right = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store<4>(out, __builtin_shufflevector(ab_left, cd_left, 0, 1, 4, 5));
  store<4>(out + out_stride, __builtin_shufflevector(ab_left, cd_left, 2, 3, 6, 7));
  store<4>(out + 2 * out_stride, __builtin_shufflevector(ab_right, cd_right, 0, 1, 4, 5));
  store<4>(out + 3 * out_stride, __builtin_shufflevector(ab_right, cd_right, 2, 3, 6, 7));
}

// out (k,n) ← in, which is (k,n) or, transposed, (n,k)
inline void pack(ConstMatrixView in, Real* out, std::size_t out_stride) {
  const std::size_t k = in.height(), n = in.width();
  if (!in.transposed) {
    for (std::size_t p = 0; p < k; ++p) {
      const Real* from = in.data + p * in.stride;
      Real* to = out + p * out_stride;
      std::size_t j = 0;
      for (; j + kLanes <= n; j += kLanes) store<kLanes>(to + j, load<kLanes>(from + j));
      for (; j < n; ++j) to[j] = from[j];
    }
    return;
  }
  const std::size_t whole_k = k - k % 4, whole_n = n - n % 4;
  // Few rows of `in` at a time, each read from left to right: the numbers of a column may share a cache set.
  constexpr std::size_t kTogether = 16;
  for (std::size_t from = 0; from < whole_n; from += kTogether)
    for (std::size_t p = 0; p < whole_k; p += 4)
      for (std::size_t j = from; j < min_of(from + kTogether, whole_n); j += 4)
        transpose_4x4(in.data + j * in.stride + p, in.stride, out + p * out_stride + j, out_stride);
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t j = p < whole_k ? whole_n : 0; j < n; ++j)
      out[p * out_stride + j] = in.data[j * in.stride + p];
}

}  // namespace headlight::kernels::this_level

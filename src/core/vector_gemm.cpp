#include "headlight/core/vector_gemm.h"

#include <algorithm>

#include "vectors.h"

// C is computed in blocks that stay in registers: R rows of V vectors, 16 vectors in all with AVX-512. For
// each p, one row of B is loaded, and each of R numbers of A is multiplied with all of it. A may lie in any
// order; a panel of B as wide as the block is copied first if its rows do not lie close together.
namespace headlight::inline HEADLIGHT_PRECISION {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kRows = 8;
#else
constexpr std::size_t kRows = 4;
#endif
constexpr std::size_t kDepth = 256;  // a panel of so many rows, two vectors wide, takes 32 KB at most

using Lanes = Vector<kLanes>;

struct Left {
  const Real* data;
  std::size_t row, col;  // strides

  Left from_row(std::size_t i) const { return {data + i * row, row, col}; }
  Left from_col(std::size_t p) const { return {data + p * col, row, col}; }
};

struct Scales {
  Real alpha, beta;
};

template <std::size_t R, std::size_t V>
void multiply_block(Left a, ConstMatrixView b, Real* c, std::size_t c_stride, Scales scales) {
  Lanes sum[R][V] = {};
  for (std::size_t p = 0; p < b.rows; ++p) {
    Lanes row[V];
    for (std::size_t j = 0; j < V; ++j) row[j] = load<kLanes>(b.data + p * b.stride + j * kLanes);
    for (std::size_t i = 0; i < R; ++i) {
      const Real x = a.data[i * a.row + p * a.col];
      for (std::size_t j = 0; j < V; ++j) sum[i][j] += x * row[j];
    }
  }
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < V; ++j) {
      Real* out = c + i * c_stride + j * kLanes;
      const Lanes product = scales.alpha * sum[i][j];
      store<kLanes>(out, scales.beta == 0 ? product : product + scales.beta * load<kLanes>(out));
    }
}

// All rows of C below one panel of B, R at a time, then those left over by halves.
template <std::size_t R, std::size_t V>
void multiply_rows(Left a, ConstMatrixView panel, MatrixView c, Scales scales) {
  std::size_t i = 0;
  for (; i + R <= c.rows; i += R)
    multiply_block<R, V>(a.from_row(i), panel, c.data + i * c.stride, c.stride, scales);
  if constexpr (R > 1)
    if (i < c.rows)
      multiply_rows<R / 2, V>(a.from_row(i), panel, {c.data + i * c.stride, c.rows - i, c.cols, c.stride},
                              scales);
}

void transpose_4x4(const Real* in, std::size_t in_stride, Real* out, std::size_t out_stride) {
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
void pack(ConstMatrixView in, Real* out, std::size_t out_stride) {
  const std::size_t k = in.height(), n = in.width();
  if (!in.transposed) {
    for (std::size_t p = 0; p < k; ++p) std::copy_n(in.data + p * in.stride, n, out + p * out_stride);
    return;
  }
  const std::size_t whole_k = k - k % 4, whole_n = n - n % 4;
  for (std::size_t p = 0; p < whole_k; p += 4)
    for (std::size_t j = 0; j < whole_n; j += 4)
      transpose_4x4(in.data + j * in.stride + p, in.stride, out + p * out_stride + j, out_stride);
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t j = p < whole_k ? whole_n : 0; j < n; ++j)
      out[p * out_stride + j] = in.data[j * in.stride + p];
}

// Columns first … first+count-1, and rows first … of a matrix as it is seen after transposition.
ConstMatrixView columns(ConstMatrixView m, std::size_t first, std::size_t count) {
  m.data += first * (m.transposed ? m.stride : 1);
  (m.transposed ? m.rows : m.cols) = count;
  return m;
}
ConstMatrixView rows(ConstMatrixView m, std::size_t first, std::size_t count) {
  m.data += first * (m.transposed ? 1 : m.stride);
  (m.transposed ? m.cols : m.rows) = count;
  return m;
}

// The columns of C that do not fill a vector: computed with zeros beside them, aside.
void multiply_last_columns(Left a, ConstMatrixView b, MatrixView c, Scales scales) {
  alignas(64) Real panel[kDepth * kLanes] = {}, block[2 * kRows * kLanes];
  const std::size_t k = b.height();
  pack(b, panel, kLanes);
  for (std::size_t first = 0; first < c.rows; first += 2 * kRows) {
    const std::size_t height = std::min(2 * kRows, c.rows - first);
    multiply_rows<2 * kRows, 1>(a.from_row(first), {panel, k, kLanes, kLanes},
                                {block, height, kLanes, kLanes}, {scales.alpha, 0});
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < c.cols; ++j) {
        Real& out = c.data[(first + i) * c.stride + j];
        out = block[i * kLanes + j] + (scales.beta == 0 ? 0 : scales.beta * out);
      }
  }
}

// One slice of k: the columns of C in panels of two vectors, then of one, then what is left.
void multiply_slice(Left a, ConstMatrixView b, MatrixView c, Scales scales) {
  alignas(64) Real copy[kDepth * 2 * kLanes];
  std::size_t j = 0;
  const auto next_panel = [&]<std::size_t R, std::size_t V>() {
    constexpr std::size_t kWidth = V * kLanes;
    ConstMatrixView panel = columns(b, j, kWidth);
    // Rows far apart share few places of the cache. Copying pays when enough rows of A use the copy.
    if (b.transposed || (c.rows >= 32 && b.stride > 64)) {
      pack(panel, copy, kWidth);
      panel = {copy, b.height(), kWidth, kWidth};
    }
    multiply_rows<R, V>(a, panel, {c.data + j, c.rows, kWidth, c.stride}, scales);
    j += kWidth;
  };
  while (j + 2 * kLanes <= c.cols) next_panel.template operator()<kRows, 2>();
  if (j + kLanes <= c.cols) next_panel.template operator()<2 * kRows, 1>();
  if (j == c.cols) return;
  multiply_last_columns(a, columns(b, j, c.cols - j), {c.data + j, c.rows, c.cols - j, c.stride}, scales);
}

}  // namespace

bool vector_gemm_pays([[maybe_unused]] std::size_t m, [[maybe_unused]] std::size_t n,
                      [[maybe_unused]] std::size_t k) {
#if defined(__AVX512F__)
  return true;
#elif defined(__AVX2__) && defined(__FMA__)
  return m * n * k <= std::size_t{64 * 64 * 64};
#else
  return false;
#endif
}

void vector_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta) {
  const Left left{a.data, a.transposed ? 1 : a.stride, a.transposed ? a.stride : 1};
  const std::size_t k = b.height();
  for (std::size_t p = 0; p < k; p += kDepth)
    multiply_slice(left.from_col(p), rows(b, p, std::min(kDepth, k - p)), c, {alpha, p == 0 ? beta : 1});
}

}  // namespace headlight::inline HEADLIGHT_PRECISION

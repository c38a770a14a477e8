#include "headlight/core/vector_gemm.h"

#include <algorithm>

#include "vectors.h"

// C is computed in blocks that stay in registers: R rows of C vectors, 16 vectors in all with AVX-512. For
// each p, one row of B is loaded, and each of R numbers of A is multiplied with all of it. A may lie in any
// order; a panel of B as wide as the block is copied first if its rows do not lie close together.
namespace headlight {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kRows = 8;
#else
constexpr std::size_t kRows = 4;
#endif
constexpr std::size_t kDepth = 256;  // a panel of so many rows, two vectors wide, takes 32 KB at most

struct Left {
  const Real* data;
  std::size_t row, col;  // strides

  Left from_row(std::size_t i) const { return {data + i * row, row, col}; }
  Left from_col(std::size_t p) const { return {data + p * col, row, col}; }
};

struct Scales {
  Real alpha, beta;
};

template <std::size_t Width, std::size_t R, std::size_t C>
void multiply_block(Left a, ConstMatrix b, Real* c, std::size_t c_stride, Scales scales) {
  Vector<Width> sum[R][C] = {};
  for (std::size_t p = 0; p < b.rows; ++p) {
    Vector<Width> row[C];
    for (std::size_t j = 0; j < C; ++j) row[j] = load<Width>(b.data + p * b.stride + j * Width);
    for (std::size_t i = 0; i < R; ++i) {
      const Real x = a.data[i * a.row + p * a.col];
      for (std::size_t j = 0; j < C; ++j) sum[i][j] += x * row[j];
    }
  }
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < C; ++j) {
      Real* out = c + i * c_stride + j * Width;
      const Vector<Width> product = scales.alpha * sum[i][j];
      store<Width>(out, scales.beta == 0 ? product : product + scales.beta * load<Width>(out));
    }
}

// All rows of C below one panel of B, R at a time, then those left over by halves.
template <std::size_t Width, std::size_t R, std::size_t C>
void multiply_rows(Left a, ConstMatrix panel, Matrix c, Scales scales) {
  std::size_t i = 0;
  for (; i + R <= c.rows; i += R)
    multiply_block<Width, R, C>(a.from_row(i), panel, c.data + i * c.stride, c.stride, scales);
  if constexpr (R > 1)
    if (i < c.rows)
      multiply_rows<Width, R / 2, C>(a.from_row(i), panel,
                                     {c.data + i * c.stride, c.rows - i, c.cols, c.stride}, scales);
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

// out (k,n), its rows one after another ← in (n,k), transposed
void pack_transposed(const Real* in, std::size_t stride, std::size_t k, std::size_t n, Real* out) {
  const std::size_t whole_k = k - k % 4, whole_n = n - n % 4;
  for (std::size_t p = 0; p < whole_k; p += 4)
    for (std::size_t j = 0; j < whole_n; j += 4)
      transpose_4x4(in + j * stride + p, stride, out + p * n + j, n);
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t j = p < whole_k ? whole_n : 0; j < n; ++j) out[p * n + j] = in[j * stride + p];
}

void pack(const Real* in, std::size_t stride, std::size_t k, std::size_t n, Real* out) {
  for (std::size_t p = 0; p < k; ++p) std::copy_n(in + p * stride, n, out + p * n);
}

// One slice of k: the columns of C in panels of two vectors, then one, then half a vector and so on.
template <std::size_t Width>
void multiply_slice(Left a, ConstMatrix b, Matrix c, Scales scales) {
  alignas(64) Real copy[kDepth * 2 * Width];
  const std::size_t k = b.height();
  std::size_t j = 0;
  const auto next_panel = [&]<std::size_t R, std::size_t C>() {
    ConstMatrix panel{b.data + j * (b.transposed ? b.stride : 1), k, C * Width, b.stride};
    // Rows far apart share few places of the cache. Copying pays when enough rows of A use the copy.
    if (b.transposed || (c.rows >= 32 && b.stride > 64)) {
      (b.transposed ? pack_transposed : pack)(panel.data, b.stride, k, C * Width, copy);
      panel = {copy, k, C * Width, C * Width};
    }
    multiply_rows<Width, R, C>(a, panel, {c.data + j, c.rows, C * Width, c.stride}, scales);
    j += C * Width;
  };
  while (j + 2 * Width <= c.cols) next_panel.template operator()<kRows, 2>();
  if (j + Width <= c.cols) next_panel.template operator()<2 * kRows, 1>();
  if constexpr (Width > 1) {
    if (j == c.cols) return;
    b.data += j * (b.transposed ? b.stride : 1);
    (b.transposed ? b.rows : b.cols) -= j;
    multiply_slice<Width / 2>(a, b, {c.data + j, c.rows, c.cols - j, c.stride}, scales);
  }
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

void vector_gemm(ConstMatrix a, ConstMatrix b, Matrix c, Real alpha, Real beta) {
  const Left left{a.data, a.transposed ? 1 : a.stride, a.transposed ? a.stride : 1};
  const std::size_t k = b.height();
  for (std::size_t p = 0; p < k; p += kDepth) {
    ConstMatrix slice = b;
    slice.data += p * (b.transposed ? 1 : b.stride);
    (b.transposed ? slice.cols : slice.rows) = std::min(kDepth, k - p);
    multiply_slice<kLanes>(left.from_col(p), slice, c, {alpha, p == 0 ? beta : 1});
  }
}

}  // namespace headlight

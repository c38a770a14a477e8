// Matrix product, by vector_gemm.h.
#pragma once

#include <cstddef>
#include <limits>

#include "headlight/core/real.h"

namespace headlight {

// A matrix in memory, read in place: row i starts at data + i·stride. With `transposed`, row i of the memory
// is column i of the matrix. (The kernels need these functions inlined, see
// src/engine/core/kernels/kernels.h.)
struct ConstMatrixView {
  const Real* data;
  std::size_t rows, cols, stride;
  bool transposed = false;

  [[gnu::always_inline]] std::size_t height() const { return transposed ? cols : rows; }
  [[gnu::always_inline]] std::size_t width() const { return transposed ? rows : cols; }
  [[gnu::always_inline]] ConstMatrixView t() const { return {data, rows, cols, stride, !transposed}; }
};

struct MatrixView {
  Real* data;
  std::size_t rows, cols, stride;

  [[gnu::always_inline]] operator ConstMatrixView() const { return {data, rows, cols, stride}; }
  [[gnu::always_inline]] ConstMatrixView t() const { return {data, rows, cols, stride, true}; }
};

// Where a matrix may differ from 0: at (i,j) with first ≤ j - i ≤ last.
struct Band {
  std::ptrdiff_t first = -kAny, last = kAny;

  static constexpr std::ptrdiff_t kAny = std::numeric_limits<std::ptrdiff_t>::max() / 4;

  [[gnu::always_inline]] Band t() const { return {-last, -first}; }
  bool operator==(const Band&) const = default;
};

// What a product may skip. Outside the band `a`, the caller sets A to 0 for kBandEdge places, and gemm does
// not read A beyond them. Outside the band `c`, the caller does not read C, and gemm may leave it unchanged.
// Causal attention skips half of its products in this way.
inline constexpr std::size_t kBandEdge = 15;
struct Bands {
  Band a = {}, c = {};

  bool operator==(const Bands&) const = default;
};

// C ← alpha · A·B + beta · C        A (m,k), B (k,n), C (m,n), as seen after transposition.
// With beta = 0 the old content of C is not read (it may be NaN). Single-threaded, because the trainer
// runs several shards at once. Throws Error when the shapes do not fit, or a stride is shorter than its row.
void gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha = 1, Real beta = 0,
          Bands bands = {});

}  // namespace headlight

// Matrix product: the one door to BLAS, and to our own products where those are faster (vector_gemm.h).
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight {

// A matrix somewhere in memory, read in place: row i starts at data + i·stride. `transposed` says to
// read it the other way round.
struct ConstMatrixView {
  const Real* data;
  std::size_t rows, cols, stride;
  bool transposed = false;

  std::size_t height() const { return transposed ? cols : rows; }
  std::size_t width() const { return transposed ? rows : cols; }
  ConstMatrixView t() const { return {data, rows, cols, stride, !transposed}; }
};

struct MatrixView {
  Real* data;
  std::size_t rows, cols, stride;

  operator ConstMatrixView() const { return {data, rows, cols, stride}; }
  ConstMatrixView t() const { return {data, rows, cols, stride, true}; }
};

// C ← alpha · A·B + beta · C        A (m,k), B (k,n), C (m,n), as seen after transposition.
// With beta = 0 the old content of C is not read (it may be NaN). Single-threaded: the trainer runs
// several shards at once instead. Throws Error when the shapes do not fit, or a stride is shorter
// than its row.
void gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha = 1, Real beta = 0);

}  // namespace headlight

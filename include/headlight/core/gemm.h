// Matrix product: our own (vector_gemm.h), and in a build with HEADLIGHT_BLAS that of a BLAS where it is
// faster.
#pragma once

#include <cstddef>
#include <limits>

#include "headlight/core/real.h"

namespace headlight::inline HEADLIGHT_PRECISION {

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

// Where a matrix may differ from 0: at (i,j) with first ≤ j - i ≤ last.
struct Band {
  std::ptrdiff_t first = -kAny, last = kAny;

  static constexpr std::ptrdiff_t kAny = std::numeric_limits<std::ptrdiff_t>::max() / 4;

  Band t() const { return {-last, -first}; }
  bool operator==(const Band&) const = default;
};

// What is known of a product. Outside of `a`, A is 0: as far as kBandEdge places from the band, and beyond
// that it is not read. Outside of `c`, nobody will look at C, and it may keep what it held. Half of causal
// attention is spared by it.
inline constexpr std::size_t kBandEdge = 15;
struct Bands {
  Band a = {}, c = {};

  bool operator==(const Bands&) const = default;
};

// C ← alpha · A·B + beta · C        A (m,k), B (k,n), C (m,n), as seen after transposition.
// With beta = 0 the old content of C is not read (it may be NaN). Single-threaded: the trainer runs
// several shards at once instead. Throws Error when the shapes do not fit, or a stride is shorter
// than its row.
void gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha = 1, Real beta = 0,
          Bands bands = {});

// OpenBLAS's own threads take a global lock and spin while idle. Headlight runs shards of the batch on its
// threads instead: while one of these is alive, OpenBLAS stays on the thread that calls it. After the last
// one it has the threads that it had before. ThreadPool::run holds one. Does nothing for other BLAS
// libraries, and in a build without HEADLIGHT_BLAS.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace headlight::inline HEADLIGHT_PRECISION

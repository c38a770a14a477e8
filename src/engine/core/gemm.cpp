#include "headlight/core/gemm.h"

#include "headlight/core/check.h"
#include "headlight/core/vector_gemm.h"

namespace headlight {

void gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta, Bands bands) {
  const std::size_t m = a.height(), k = a.width(), n = b.width();
  check(b.height() == k, "[gemm] inner dimensions differ: ({},{}) x ({},{}). Did you mean a transpose, .t()?",
        m, k, b.height(), n);
  check(c.rows == m && c.cols == n,
        "[gemm] the product of ({},{}) x ({},{}) does not fit a result of ({},{}).", m, k, k, n, c.rows,
        c.cols);
  check(a.stride >= a.cols && b.stride >= b.cols && c.stride >= c.cols,
        "[gemm] a row stride is shorter than its row: strides {}, {}, {} for {}, {}, {} columns.", a.stride,
        b.stride, c.stride, a.cols, b.cols, c.cols);
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (std::size_t i = 0; i < m; ++i) {
      Real* row = c.data + i * c.stride;
      for (std::size_t j = 0; j < n; ++j) row[j] = beta == 0 ? 0 : row[j] * beta;
    }
    return;
  }
  kernels::vector_gemm(a, b, c, alpha, beta, bands);
}

}  // namespace headlight

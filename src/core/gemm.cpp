#include "headlight/core/gemm.h"

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/vector_gemm.h"

#include <xtensor-blas/xblas.hpp>

// Present in OpenBLAS only; other BLAS libraries leave it null.
extern "C" __attribute__((weak)) void openblas_set_num_threads(int);

namespace headlight {
namespace {

// OpenBLAS's own threads take a global lock and spin while idle; Headlight runs shards of the batch on
// its threads instead, each with a BLAS that stays on its own.
[[maybe_unused]] const bool blas_is_single_threaded = [] {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  return true;
}();

cxxblas::Transpose flag(const ConstMatrixView& m) {
  return m.transposed ? cxxblas::Transpose::Trans : cxxblas::Transpose::NoTrans;
}

}  // namespace

void gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta) {
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
  if (vector_gemm_pays(m, n, k)) return vector_gemm(a, b, c, alpha, beta);
  const auto index = [](std::size_t i) { return static_cast<xt::blas_index_t>(i); };
  cxxblas::gemm<xt::blas_index_t>(cxxblas::StorageOrder::RowMajor, flag(a), flag(b), index(m), index(n),
                                  index(k), alpha, a.data, index(a.stride), b.data, index(b.stride), beta,
                                  c.data, index(c.stride));
}

}  // namespace headlight

#include "blas.h"

#include <mutex>

// BLAS is Fortran's: arguments by address, matrices by columns, whole numbers of 32 bits.
extern "C" {
void sgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
            const float* alpha, const float* a, const int* lda, const float* b, const int* ldb,
            const float* beta, float* c, const int* ldc);
void dgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);

// Present in OpenBLAS only; other BLAS libraries leave them null.
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) int openblas_get_num_threads();
}

namespace headlight {
namespace {

#ifdef HEADLIGHT_DOUBLE
constexpr auto* fortran_gemm = &dgemm_;
#else
constexpr auto* fortran_gemm = &sgemm_;
#endif

struct BlasThreads {
  std::mutex mutex;
  int scopes = 0, before = 1;
};

BlasThreads& blas_threads() {
  static BlasThreads state;
  return state;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (openblas_set_num_threads == nullptr || openblas_get_num_threads == nullptr) return;
  BlasThreads& state = blas_threads();
  const std::lock_guard lock(state.mutex);
  if (state.scopes++ > 0) return;
  state.before = openblas_get_num_threads();
  openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (openblas_set_num_threads == nullptr || openblas_get_num_threads == nullptr) return;
  BlasThreads& state = blas_threads();
  const std::lock_guard lock(state.mutex);
  if (--state.scopes == 0) openblas_set_num_threads(state.before);
}

// By columns, what we hold by rows is the transpose: Cᵀ ← alpha · Bᵀ·Aᵀ + beta · Cᵀ.
void blas_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta) {
  const auto flag = [](const ConstMatrixView& m) { return m.transposed ? 'T' : 'N'; };
  const auto number = [](std::size_t i) { return static_cast<int>(i); };
  const char b_flag = flag(b), a_flag = flag(a);
  const int n = number(c.cols), m = number(c.rows), k = number(a.width());
  const int b_stride = number(b.stride), a_stride = number(a.stride), c_stride = number(c.stride);
  fortran_gemm(&b_flag, &a_flag, &n, &m, &k, &alpha, b.data, &b_stride, a.data, &a_stride, &beta, c.data,
               &c_stride);
}

}  // namespace headlight

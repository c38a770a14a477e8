// LAPACK by xtensor-blas. Its headers take a second to compile, so only files that need them include this.
#pragma once

#include <mutex>
#include <xtensor-blas/xlinalg.hpp>

// Present in OpenBLAS only; other libraries leave them null.
extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) int openblas_get_num_threads();
}

namespace headlight::interpret {

// Keeps OpenBLAS on the calling thread while it exists: idle threads of OpenBLAS spin. Afterwards OpenBLAS
// has its former number of threads, which belongs to the host process.
class OneBlasThread {
 public:
  OneBlasThread() {
    if (kOpenBlas) before_ = openblas_get_num_threads(), openblas_set_num_threads(1);
  }
  ~OneBlasThread() {
    if (kOpenBlas) openblas_set_num_threads(before_);
  }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  static inline const bool kOpenBlas =
      openblas_set_num_threads != nullptr && openblas_get_num_threads != nullptr;
  static inline std::mutex mutex_;

  std::lock_guard<std::mutex> lock_{mutex_};
  int before_ = 1;
};

}  // namespace headlight::interpret

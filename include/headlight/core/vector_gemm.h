// Matrix products in the compiler's own vectors, for the machine that this build is for. Call gemm(), which
// in a build with HEADLIGHT_BLAS chooses between these and BLAS.
#pragma once

#include "headlight/core/gemm.h"

namespace headlight::inline HEADLIGHT_PRECISION {

// Whether vector_gemm was measured to be as fast as BLAS: with AVX-512 about twice as fast as Debian 12's
// OpenBLAS, which picks AVX2 kernels there; with AVX2 1.0 (512·512·512) to 1.5 times (32·16·64); on NEON not
// measured. Not in a build for any machine, whose vectors are shorter than those that BLAS picks at run time.
bool vector_gemm_pays();

// C ← alpha · A·B + beta · C, as gemm() does, for k > 0; shapes are not checked. Each number of C is summed
// in order of k, in slices of 256, with multiply-adds that are rounded once: the same bits for every width of
// vectors.
void vector_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta, Bands bands = {});

}  // namespace headlight::inline HEADLIGHT_PRECISION

// Matrix products with the compiler's vector types, for the machine that this build targets. Call gemm(),
// which chooses between vector_gemm and a BLAS in a build with HEADLIGHT_BLAS.
#pragma once

#include "headlight/core/gemm.h"

namespace headlight {

// Whether vector_gemm is at least as fast as BLAS in this build, as measured against Debian 12's OpenBLAS.
// With AVX-512 it is about twice as fast (OpenBLAS picks AVX2 kernels there), with AVX2 1.0 times
// (512·512·512) to 1.5 times (32·16·64). NEON was not measured. False in a portable build, whose vectors are
// shorter than those that BLAS picks at run time.
bool vector_gemm_pays();

// C ← alpha · A·B + beta · C, like gemm(), for k > 0; shapes are not checked. Each number of C is summed in
// order of k, in slices of 256, with multiply-adds that round once. So the bits are the same for every width
// of vectors.
void vector_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta, Bands bands = {});

}  // namespace headlight

// The BLAS library that a build with HEADLIGHT_BLAS links.
#pragma once

#include "headlight/core/gemm.h"

namespace headlight {

// C ← alpha · A·B + beta · C, as gemm() does, for sizes above 0; shapes are not checked.
void blas_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta);

}  // namespace headlight

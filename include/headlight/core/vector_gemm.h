// Matrix products with the compiler's vector types. Call gemm(), which checks shapes.
#pragma once

#include "headlight/core/gemm.h"

namespace headlight::kernels {

// C ← alpha · A·B + beta · C, like gemm(), for k > 0; shapes are not checked. Each number of C is summed in
// order of k, in slices of 256, with multiply-adds that round once. So the bits are the same for every width
// of vectors.
void vector_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta, Bands bands = {});

}  // namespace headlight::kernels

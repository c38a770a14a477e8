// The kernels: functions that are compiled once for each level of the instruction set (x86-64, -v3 with AVX2,
// -v4 with AVX-512), from the sources in kernels/. The first call chooses the best level of the machine.
// Every level with a fused multiply-add gives the same bits.
#pragma once

#include "function_kernels.h"
#include "headlight/core/attention_kernels.h"
#include "headlight/core/norm_kernels.h"
#include "headlight/core/pattern_dropout.h"
#include "headlight/core/peak.h"
#include "headlight/core/row_kernels.h"
#include "headlight/core/row_sums.h"
#include "headlight/core/vector_gemm.h"

// All kernels. A header declares each in headlight::kernels, kernels/ defines it in the namespace of the
// level, and level.cpp passes its calls on.
// clang-format off
#define HEADLIGHT_KERNELS(of)                                                                   \
  of(vector_gemm) of(attention) of(attention_vjp) of(dropout_row)                               \
  of(layer_norm_rows) of(layer_norm_rows_vjp) of(rms_norm_rows) of(rms_norm_rows_vjp)           \
  of(sum_row) of(dot_row) of(sum_of_squares_row) of(max_row) of(argmax_row)                     \
  of(softmax_row) of(softmax_row_vjp) of(softmax_sum_row) of(minus_log_softmax) of(exp_row)     \
  of(mix_row) of(rotate_heads)                                                                  \
  of(apply_exp) of(apply_log) of(apply_tanh) of(apply_sigmoid) of(apply_erf)                    \
  of(apply_silu) of(apply_silu_vjp) of(apply_gelu_tanh) of(apply_gelu_tanh_vjp)                 \
  of(apply_gelu_erf) of(apply_gelu_erf_vjp) of(multiply_adds)
// clang-format on

namespace headlight::kernels {

// The kernels of one level.
struct Level {
  bool fuses_multiply_add;
#define HEADLIGHT_MEMBER(kernel) decltype(&kernels::kernel) kernel;
  HEADLIGHT_KERNELS(HEADLIGHT_MEMBER)
#undef HEADLIGHT_MEMBER
};

// The best level of this machine, or of x86-64 the one that the environment variable HEADLIGHT_LEVEL names if
// it is lower: v4, v3 or baseline. Throws Error for another name, and where no such level was built.
const Level& level();

}  // namespace headlight::kernels

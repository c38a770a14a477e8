// Functions of each of n numbers, for elementwise.h: y_i = f(x_i), and x̄_i = ȳ_i f'(x_i).
#pragma once

#include <cstddef>

#include "headlight/core/real.h"

namespace headlight::kernels {

void apply_exp(const Real* x, Real* y, std::size_t n);
void apply_log(const Real* x, Real* y, std::size_t n);
void apply_tanh(const Real* x, Real* y, std::size_t n);
void apply_sigmoid(const Real* x, Real* y, std::size_t n);
void apply_erf(const Real* x, Real* y, std::size_t n);
void apply_silu(const Real* x, Real* y, std::size_t n);
void apply_silu_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n);
void apply_gelu_tanh(const Real* x, Real* y, std::size_t n);
void apply_gelu_tanh_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n);
void apply_gelu_erf(const Real* x, Real* y, std::size_t n);
void apply_gelu_erf_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n);

}  // namespace headlight::kernels

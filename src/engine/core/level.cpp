#include "level.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "headlight/core/check.h"

namespace headlight::kernels {

// The baseline: the kernels compiled as the rest of the library is.
namespace this_level {
extern const Level table;
}

#ifdef HEADLIGHT_X86_LEVELS  // cmake/Levels.cmake

namespace v3 {
extern const Level table;
}
namespace v4 {
extern const Level table;
}

namespace {

struct Candidate {
  std::string_view name;
  bool runs_here;
  const Level& level;
};

const Level& choose() {
  const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  // The best level first.
  const Candidate built[] = {
#ifdef HEADLIGHT_V4
      {"v4", has_v4, v4::table},
#endif
#ifdef HEADLIGHT_V3
      {"v3", has_v3, v3::table},
#endif
#ifdef HEADLIGHT_BASELINE
      {"baseline", true, this_level::table},
#endif
  };
  const char* best = std::getenv("HEADLIGHT_LEVEL");
  bool allowed = best == nullptr;
  for (const Candidate& candidate : built) {
    allowed = allowed || candidate.name == best;
    if (allowed && candidate.runs_here) return candidate.level;
  }
  const std::string asked = best == nullptr ? "" : best;
  check(best == nullptr || asked == "v4" || asked == "v3" || asked == "baseline",
        "HEADLIGHT_LEVEL: expected v4, v3 or baseline, got '{}'.", asked);
  fail("this build has the kernels of level {} alone, and {}. Hint: cmake -DHEADLIGHT_LEVELS=all builds all.",
       built[0].name, best == nullptr ? "this processor lacks it" : "HEADLIGHT_LEVEL is " + asked);
}

}  // namespace

const Level& level() {
  static const Level& chosen = choose();
  return chosen;
}

#else

const Level& level() { return this_level::table; }

#endif

void vector_gemm(ConstMatrixView a, ConstMatrixView b, MatrixView c, Real alpha, Real beta, Bands bands) {
  level().vector_gemm(a, b, c, alpha, beta, bands);
}

void attention(const AttentionSizes& sizes, const AttentionInputs& in, Heads<Real> out,
               SoftmaxRows<Real> rows) {
  level().attention(sizes, in, out, rows);
}
void attention_vjp(const AttentionSizes& sizes, const AttentionInputs& in, Heads<const Real> out,
                   SoftmaxRows<const Real> rows, Heads<const Real> dout, const AttentionCotangents& to) {
  level().attention_vjp(sizes, in, out, rows, dout, to);
}
void dropout_row(const PatternDropout& dropout, std::size_t b, std::size_t h, std::size_t position,
                 std::size_t first, std::size_t count, Real* factors) {
  level().dropout_row(dropout, b, h, position, first, count, factors);
}

void layer_norm_rows(const Real* x, const Real* w, const Real* b, Real eps, Real* y, Real* mean, Real* rstd,
                     std::size_t rows, std::size_t width) {
  level().layer_norm_rows(x, w, b, eps, y, mean, rstd, rows, width);
}
void layer_norm_rows_vjp(const Real* x, const Real* w, const Real* mean, const Real* rstd, const Real* dy,
                         Real* dx, Real* dw, Real* db, std::size_t rows, std::size_t width) {
  level().layer_norm_rows_vjp(x, w, mean, rstd, dy, dx, dw, db, rows, width);
}
void rms_norm_rows(const Real* x, const Real* w, Real eps, Real* y, Real* r, std::size_t rows,
                   std::size_t width) {
  level().rms_norm_rows(x, w, eps, y, r, rows, width);
}
void rms_norm_rows_vjp(const Real* x, const Real* w, const Real* r, const Real* dy, Real* dx, Real* dw,
                       std::size_t rows, std::size_t width) {
  level().rms_norm_rows_vjp(x, w, r, dy, dx, dw, rows, width);
}

Real sum_row(const Real* x, std::size_t width) { return level().sum_row(x, width); }
Real dot_row(const Real* x, const Real* y, std::size_t width) { return level().dot_row(x, y, width); }
double sum_of_squares_row(const Real* x, std::size_t width) { return level().sum_of_squares_row(x, width); }
Real max_row(const Real* x, std::size_t width) { return level().max_row(x, width); }
std::size_t argmax_row(const Real* x, std::size_t width) { return level().argmax_row(x, width); }
void mix_row(const Real* x, const Real* z, Real a, Real* y, std::size_t width) {
  level().mix_row(x, z, a, y, width);
}
void rotate_heads(const Real* x, const Real* cos, const Real* sin, Real sign, Real* y, std::size_t heads,
                  std::size_t d_head) {
  level().rotate_heads(x, cos, sin, sign, y, heads, d_head);
}

void softmax_row(const Real* x, Real* y, std::size_t width) { level().softmax_row(x, y, width); }
void softmax_row_vjp(const Real* y, const Real* dy, Real* dx, std::size_t width) {
  level().softmax_row_vjp(y, dy, dx, width);
}
SoftmaxSum softmax_sum_row(const Real* x, std::size_t width) { return level().softmax_sum_row(x, width); }
Real minus_log_softmax(const SoftmaxSum& sum, Real x) { return level().minus_log_softmax(sum, x); }
void exp_row(const Real* x, Real shift, Real weight, Real* y, std::size_t width) {
  level().exp_row(x, shift, weight, y, width);
}

void apply_exp(const Real* x, Real* y, std::size_t n) { level().apply_exp(x, y, n); }
void apply_log(const Real* x, Real* y, std::size_t n) { level().apply_log(x, y, n); }
void apply_tanh(const Real* x, Real* y, std::size_t n) { level().apply_tanh(x, y, n); }
void apply_sigmoid(const Real* x, Real* y, std::size_t n) { level().apply_sigmoid(x, y, n); }
void apply_erf(const Real* x, Real* y, std::size_t n) { level().apply_erf(x, y, n); }
void apply_silu(const Real* x, Real* y, std::size_t n) { level().apply_silu(x, y, n); }
void apply_silu_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n) {
  level().apply_silu_vjp(x, dy, dx, n);
}
void apply_gelu_tanh(const Real* x, Real* y, std::size_t n) { level().apply_gelu_tanh(x, y, n); }
void apply_gelu_tanh_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n) {
  level().apply_gelu_tanh_vjp(x, dy, dx, n);
}
void apply_gelu_erf(const Real* x, Real* y, std::size_t n) { level().apply_gelu_erf(x, y, n); }
void apply_gelu_erf_vjp(const Real* x, const Real* dy, Real* dx, std::size_t n) {
  level().apply_gelu_erf_vjp(x, dy, dx, n);
}

double multiply_adds(std::size_t rounds) { return level().multiply_adds(rounds); }

}  // namespace headlight::kernels

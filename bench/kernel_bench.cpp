// The kernels where a training step spends its time, at the sizes of the toy models, each with its rate and
// its share of what this machine can do: of_gemm is against products of 512 x 512 matrices, of_copy against
// copying as many bytes back and forth as the kernel reads and writes.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>

#include "headlight/autograd/backward.h"
#include "headlight/autograd/record.h"
#include "headlight/core/gemm.h"
#include "headlight/core/kernels.h"
#include "headlight/core/norm_kernels.h"
#include "headlight/core/rng.h"
#include "headlight/core/row_kernels.h"
#include "headlight/interpret/hooks.h"
#include "headlight/ops/ops.h"
#include "headlight/optim/adam.h"

using namespace headlight;

namespace {

Array normal(const Shape& shape) {
  Rng rng(1);
  return rng.normal_array(shape);
}
Tensor normal_tensor(const Shape& shape) { return parameter(normal(shape)); }

// The best rate of `work`, which does `amount`, in a tenth of a second.
template <class Work>
double best_rate(double amount, Work work) {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  for (const auto end = Clock::now() + std::chrono::milliseconds(100); Clock::now() < end;) {
    const auto start = Clock::now();
    work();
    best = std::max(best, amount / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

double gemm_limit() {
  static const double flops = [] {
    constexpr std::size_t n = 512;
    const Array a = normal({n, n}), b = normal({n, n});
    Array c = empty_array({n, n});
    return best_rate(2.0 * n * n * n, [&] {
      gemm({a.data(), n, n, n}, {b.data(), n, n, n}, {c.data(), n, n, n});
    });
  }();
  return flops;
}

// Bytes read and written in a second when `bytes` are touched, half of them read and half written.
double copy_limit(double bytes) {
  const auto half = static_cast<std::size_t>(bytes / 2);
  std::vector<char> from(half, 1), to(half);
  return best_rate(bytes, [&] {
    std::memcpy(to.data(), from.data(), half);
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  });
}

void report_flops(benchmark::State& state, double flops) {
  using benchmark::Counter;
  state.counters["GFLOP/s"] = Counter(flops * 1e-9, Counter::kIsIterationInvariantRate);
  state.counters["of_gemm"] = Counter(flops / gemm_limit(), Counter::kIsIterationInvariantRate);
}

void report_numbers(benchmark::State& state, std::size_t numbers) {
  using benchmark::Counter;
  const double bytes = static_cast<double>(numbers * sizeof(Real));
  state.counters["GB/s"] = Counter(bytes * 1e-9, Counter::kIsIterationInvariantRate);
  state.counters["of_copy"] = Counter(bytes / copy_limit(bytes), Counter::kIsIterationInvariantRate);
}

std::size_t argument(const benchmark::State& state, std::size_t i) {
  return static_cast<std::size_t>(state.range(i));
}

// (m,k) x (k,n), as the linear layers of small, medium and large, their gradients, and attention's tiles
void products(benchmark::State& state, bool a_transposed, bool b_transposed) {
  const std::size_t m = argument(state, 0), k = argument(state, 1), n = argument(state, 2);
  const Array a = normal(a_transposed ? Shape{k, m} : Shape{m, k}),
              b = normal(b_transposed ? Shape{n, k} : Shape{k, n});
  Array c = empty_array({m, n});
  const ConstMatrixView left{a.data(), a.shape()[0], a.shape()[1], a.shape()[1], a_transposed},
      right{b.data(), b.shape()[0], b.shape()[1], b.shape()[1], b_transposed};
  for (auto _ : state) {
    gemm(left, right, {c.data(), m, n, n});
    benchmark::ClobberMemory();
  }
  report_flops(state, 2.0 * static_cast<double>(m * k * n));
}
void gemm_forward(benchmark::State& state) { products(state, false, false); }
void gemm_dx(benchmark::State& state) { products(state, false, true); }
void gemm_dw(benchmark::State& state) { products(state, true, false); }
BENCHMARK(gemm_forward)
    ->Args({256, 64, 64})
    ->Args({512, 128, 128})
    ->Args({256, 256, 256})
    ->Args({256, 256, 1024})
    ->Args({256, 1024, 256})
    ->Args({64, 64, 16});
BENCHMARK(gemm_dx)->Args({256, 64, 64})->Args({256, 1024, 256})->Args({64, 16, 64});
BENCHMARK(gemm_dw)->Args({64, 256, 64})->Args({256, 256, 1024})->Args({64, 64, 16});

// The op; attention has its own, which runs online
void softmax(benchmark::State& state) {
  const std::size_t rows = 256, width = argument(state, 0);
  const Array x = normal({rows, width});
  Array y = empty_array(x.shape());
  for (auto _ : state) {
    for (std::size_t i = 0; i < rows; ++i)
      kernels::softmax_row(x.data() + i * width, y.data() + i * width, width);
    benchmark::ClobberMemory();
  }
  report_numbers(state, 2 * x.size());
}
BENCHMARK(softmax)->Arg(64)->Arg(1024);

void layer_norm_forward(benchmark::State& state) {
  const std::size_t rows = 256, width = argument(state, 0);
  const Array x = normal({rows, width}), w = normal({width}), b = normal({width});
  Array y = empty_array(x.shape()), mean = empty_array({rows}), rstd = empty_array({rows});
  for (auto _ : state) {
    kernels::layer_norm_rows(x.data(), w.data(), b.data(), Real(1e-5), y.data(), mean.data(), rstd.data(),
                             rows, width);
    benchmark::ClobberMemory();
  }
  report_numbers(state, 2 * x.size());
}
BENCHMARK(layer_norm_forward)->Arg(64)->Arg(256);

void layer_norm_backward(benchmark::State& state) {
  const std::size_t rows = 256, width = argument(state, 0);
  const Array x = normal({rows, width}), w = normal({width}), dy = normal({rows, width});
  const Array mean = full_array({rows}, 0), rstd = full_array({rows}, 1);
  Array dx = empty_array(x.shape()), dw = full_array({width}, 0), db = full_array({width}, 0);
  for (auto _ : state) {
    kernels::layer_norm_rows_vjp(x.data(), w.data(), mean.data(), rstd.data(), dy.data(), dx.data(),
                                 dw.data(), db.data(), rows, width);
    benchmark::ClobberMemory();
  }
  report_numbers(state, 3 * x.size());
}
BENCHMARK(layer_norm_backward)->Arg(64)->Arg(256);

// Forward reads x and writes y; backward reads x and its cotangent and writes another.
void gelu_forward(benchmark::State& state) {
  const NoGrad no_grad;
  const Tensor x = normal_tensor({256, 1024});
  for (auto _ : state) benchmark::DoNotOptimize(gelu(x).array().data());
  report_numbers(state, 2 * x.size());
}
BENCHMARK(gelu_forward);

void gelu_backward(benchmark::State& state) {
  const Array x = normal({256, 1024}), dy = normal({256, 1024});
  for (auto _ : state) benchmark::DoNotOptimize(kernels::gelu_tanh_vjp(x, dy).data());
  report_numbers(state, 3 * x.size());
}
BENCHMARK(gelu_backward);

// Causal attention, four sequences of n with h heads of d: forward, or forward and backward as in training.
struct AttentionProblem {
  std::size_t n, heads, d;
  Tensor q, k, v;

  explicit AttentionProblem(const benchmark::State& state)
      : n(argument(state, 0)),
        heads(argument(state, 1)),
        d(argument(state, 2)),
        q(normal_tensor({4, n, heads * d})),
        k(normal_tensor({4, n, heads * d})),
        v(normal_tensor({4, n, heads * d})) {}

  Tensor operator()() const {
    return scaled_dot_product_attention(q, k, v, {.causal = true, .n_heads = heads});
  }
  double forward_flops() const {
    return 4.0 * 4 * static_cast<double>(heads * d) * static_cast<double>(n * (n + 1) / 2);
  }
};

void attention_forward(benchmark::State& state) {
  const AttentionProblem attention(state);
  const NoGrad no_grad;
  for (auto _ : state) benchmark::DoNotOptimize(attention().array().data());
  report_flops(state, attention.forward_flops());
}
BENCHMARK(attention_forward)->Args({64, 4, 16})->Args({128, 8, 32})->Args({1024, 4, 16});

void attention_forward_and_backward(benchmark::State& state) {
  const AttentionProblem attention(state);
  const Tensor cotangent = Tensor(normal(attention.q.shape()));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        grad(attention(), {attention.q, attention.k, attention.v}, {.cotangent = cotangent}).data());
  report_flops(state, 3 * attention.forward_flops());
}
BENCHMARK(attention_forward_and_backward)->Args({64, 4, 16})->Args({128, 8, 32})->Args({1024, 4, 16});

void cross_entropy_forward_and_backward(benchmark::State& state) {
  const std::size_t rows = 256, classes = 64;
  const Tensor logits = normal_tensor({rows, classes});
  IntArray targets({rows}, 3);
  for (auto _ : state) benchmark::DoNotOptimize(grad(cross_entropy(logits, targets), {logits}).data());
  report_numbers(state, 3 * logits.size());
}
BENCHMARK(cross_entropy_forward_and_backward);

// Reads gradient, weight and both moments, writes all but the gradient.
void adamw(benchmark::State& state) {
  const std::size_t n = argument(state, 0);
  optim::AdamW optimizer({normal_tensor({n})}, {});
  const Array gradient = normal({n});
  for (auto _ : state) optimizer.step({gradient.data()});
  report_numbers(state, 7 * n);
}
BENCHMARK(adamw)->Arg(53000)->Arg(1600000);

// One sequence of 64 through the demo's model: plain, and with every activation kept.
void model_forward(benchmark::State& state) {
  Rng rng(1);
  const nn::Transformer model({}, rng);
  const IntArray tokens({1, 64}, 3);
  const NoGrad no_grad;
  for (auto _ : state) benchmark::DoNotOptimize(model(tokens).array().data());
}
BENCHMARK(model_forward)->Unit(benchmark::kMicrosecond);

void model_run_with_cache(benchmark::State& state) {
  Rng rng(1);
  nn::Transformer model({}, rng);
  const IntArray tokens({1, 64}, 3);
  for (auto _ : state) benchmark::DoNotOptimize(interpret::run_with_cache(model, tokens).logits.data());
}
BENCHMARK(model_run_with_cache)->Unit(benchmark::kMicrosecond);

}  // namespace

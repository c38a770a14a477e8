// The kernels where a training step spends its time, at the sizes of the toy models.
#include <benchmark/benchmark.h>

#include "headlight/core/attention_kernels.h"
#include "headlight/core/gemm.h"
#include "headlight/core/kernels.h"
#include "headlight/core/rng.h"
#include "headlight/core/row_kernels.h"

using namespace headlight;

namespace {

Array normal(const Shape& shape) {
  Rng rng(1);
  return rng.normal_array(shape);
}

void report_flops(benchmark::State& state, double flops) {
  state.counters["GFLOP/s"] = benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

// (m,k) x (k,n)
void gemm_of(benchmark::State& state) {
  const auto m = static_cast<std::size_t>(state.range(0)), k = static_cast<std::size_t>(state.range(1)),
             n = static_cast<std::size_t>(state.range(2));
  const Array a = normal({m, k}), b = normal({k, n});
  Array c = empty_array({m, n});
  for (auto _ : state) {
    gemm({a.data(), m, k, k}, {b.data(), k, n, n}, {c.data(), m, n, n});
    benchmark::ClobberMemory();
  }
  report_flops(state, 2.0 * static_cast<double>(m * k * n));
}
BENCHMARK(gemm_of)->Args({256, 64, 64})->Args({64, 16, 64})->Args({512, 128, 128})->Args({512, 512, 512});

void softmax_rows(benchmark::State& state) {
  const auto width = static_cast<std::size_t>(state.range(0));
  const Array x = normal({256, width});
  Array y = empty_array(x.shape());
  for (auto _ : state) {
    for (std::size_t i = 0; i < 256; ++i)
      kernels::softmax_row(x.data() + i * width, y.data() + i * width, width);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(softmax_rows)->Arg(64)->Arg(1024);

void layer_norm_rows(benchmark::State& state) {
  const std::size_t rows = 256, width = 64;
  const Array x = normal({rows, width}), w = normal({width}), b = normal({width});
  Array y = empty_array(x.shape()), mean = empty_array({rows}), rstd = empty_array({rows});
  for (auto _ : state) {
    kernels::layer_norm_rows(x.data(), w.data(), b.data(), Real(1e-5), y.data(), mean.data(), rstd.data(),
                             rows, width);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(layer_norm_rows);

void gelu(benchmark::State& state) {
  const Array x = normal({256, 1024});
  for (auto _ : state) benchmark::DoNotOptimize(kernels::gelu_tanh(x));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(gelu);

// Four heads of 16, causal: four sequences of n.
void attention(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::size_t batch = 4, heads = 4, d = 16, row = heads * d;
  const Array q = normal({batch, n, row}), k = normal({batch, n, row}), v = normal({batch, n, row});
  Array pattern = empty_array({batch, heads, n, n}), out = empty_array(q.shape());
  const auto view = [&](const Array& x) { return kernels::Heads<const Real>{x.data(), n * row, d, row}; };
  const kernels::AttentionSizes sizes{batch, heads, n, n, d, d, Real(0.25), true};
  for (auto _ : state) {
    kernels::attention(sizes, view(q), view(k), view(v), {}, {}, pattern.data(),
                       {out.data(), n * row, d, row});
    benchmark::ClobberMemory();
  }
  report_flops(state, 4.0 * static_cast<double>(batch * heads * n * n * d));
}
BENCHMARK(attention)->Arg(64)->Arg(1024);

}  // namespace

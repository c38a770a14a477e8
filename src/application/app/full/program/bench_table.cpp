#include "bench_table.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight::app {

using bench::BenchConfig, bench::Result;

void print_heading(bool peers) {
  fmt::print("config   ms/step  (least … most)     tokens/s  peak MB  GFLOP/s{}\n",
             peers ? "   PyTorch ms  its MB  ratio  its setting" : "");
}

void print_row(const BenchConfig& config, const Result& r) {
  fmt::print("{:<7}  {:>7.2f}  {:<16}  {:>9.0f}  {:>7.1f}  {:>7.1f}", config.name, r.ms.median,
             fmt::format("({:.2f} … {:.2f})", r.ms.least, r.ms.most), r.tokens_per_second, r.peak_mb,
             r.gflops);
  if (r.torch_ms.median > 0)
    fmt::print("   {:>10.1f}  {:>6.0f}  {:>5}  {}", r.torch_ms.median, r.torch_peak_mb,
               r.torch_ratio() ? fmt::format("{:.1f}x", *r.torch_ratio()) : "-", r.torch_setting);
  fmt::print("\n");
}

namespace {

// What the machine can do, how near our products come to it, and how near the steps come to our products.
void print_shares(const std::vector<BenchConfig>& configs, const std::vector<Result>& results) {
  fmt::print(
      "\n           peak     products of peak       step of     update\n"
      "           GFLOP/s  512³   of its layers  512³        of copy\n");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const bench::MachineRates& machine = results[i].machine;
    const auto percent = [](double share) { return fmt::format("{:.0f}%", 100 * share); };
    fmt::print("{:<9}  {:>7.1f}  {:>4}   {:>13}  {:>4}        {:>7}\n", configs[i].name, machine.peak,
               percent(machine.product / machine.peak), percent(machine.layers / machine.peak),
               percent(results[i].gflops / machine.product), percent(results[i].update_gbs / machine.copy));
  }
}

void print_phases(const std::vector<BenchConfig>& configs, const std::vector<Result>& results) {
  fmt::print("\nof a step    ");
  for (const bench::Phase& phase : bench::phases()) fmt::print("{:>10}", phase.name);
  fmt::print("   waiting\n");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    fmt::print("{:<13}", configs[i].name);
    double rest = 1;
    for (const bench::Phase& phase : bench::phases()) {
      const double share = 1e3 * (results[i].phases.*phase.seconds) / results[i].ms.median;
      rest -= share;
      fmt::print("{:>9.1f}%", 100 * share);
    }
    fmt::print("{:>9.1f}%\n", 100 * std::max(0.0, rest));
  }
}

// Small models against loops that were written for them, each on one thread.
void print_plain(const std::vector<BenchConfig>& configs, const std::vector<Result>& results) {
  const auto has = [](const Result& r) { return r.plain_ms.has_value(); };
  if (std::none_of(results.begin(), results.end(), has)) return;
  fmt::print("\none thread   µs/step  plain loops  ours : plain\n");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const Result& r = results[i];
    if (has(r))
      fmt::print("{:<11}  {:>7.0f}  {:>11.0f}  {:>12.2f}\n", configs[i].name, 1e3 * r.one_thread_ms->median,
                 1e3 * r.plain_ms->median, r.one_thread_ms->median / r.plain_ms->median);
  }
}

}  // namespace

void print_summary(const std::vector<BenchConfig>& configs, const std::vector<Result>& results, int threads,
                   int rounds) {
  print_shares(configs, results);
  print_phases(configs, results);
  print_plain(configs, results);
  fmt::print(
      "\n{} threads, median of {} rounds.\n"
      "peak: multiply-adds that stay in registers, on {} threads. 512³: our products of 512 x 512 matrices.\n"
      "of its layers: the products of the linear layers and of their gradients, one shard at a time.\n"
      "step of 512³: the additions and multiplications that a step needs, as a share of that product's "
      "rate.\n"
      "update of copy: adding up the shards and AdamW, by the bytes that they read and write.\n",
      threads, rounds, threads);
  if (std::any_of(results.begin(), results.end(), [](const Result& r) { return r.torch_ms.median > 0; }))
    fmt::print(
        "PyTorch's setting: its threads, BLAS's threads and OpenBLAS's kernels, the best of those with right "
        "products.\n");
  const auto slow = std::find_if(results.begin(), results.end(),
                                 [](const Result& r) { return r.torch_ms.median > 0 && !r.torch_ratio(); });
  if (slow != results.end())
    fmt::print(
        "There is no ratio, because the BLAS that PyTorch found, \"{}\", is many times slower than OpenBLAS and "
        "MKL. Hint: apt-get install libopenblas0.\n",
        slow->torch_blas);
}

}  // namespace headlight::app

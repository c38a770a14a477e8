#include "machine.h"

#include <fmt/core.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <numeric>

#include "headlight/core/check.h"
#include "headlight/core/gemm.h"
#include "headlight/core/numbers.h"
#include "headlight/core/peak.h"
#include "headlight/core/thread_pool.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"

namespace headlight::bench {
namespace {

// What `work` does per second, where one call does an amount of `work()`.
double rate_of(double seconds, const std::function<double()>& work) {
  using Clock = std::chrono::steady_clock;
  work();
  const auto start = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  double amount = 0;
  while (passed() < seconds) amount += work();
  return amount / passed();
}

// A product of matrices of ones, (m,k) x (k,n), each as it lies in memory or transposed.
class Product {
 public:
  Product(std::size_t m, std::size_t k, std::size_t n, bool a_transposed, bool b_transposed)
      : a_(full_array(a_transposed ? Shape{k, m} : Shape{m, k}, 1)),
        b_(full_array(b_transposed ? Shape{n, k} : Shape{k, n}, 1)),
        c_(empty_array({m, n})),
        a_transposed_(a_transposed),
        b_transposed_(b_transposed) {}

  // Returns its additions and multiplications.
  double operator()() {
    const std::size_t m = c_.shape()[0], n = c_.shape()[1];
    const ConstMatrixView left = view(a_, a_transposed_);
    gemm(left, view(b_, b_transposed_), {c_.data(), m, n, n});
    return 2.0 * static_cast<double>(m * n * left.width());
  }

 private:
  static ConstMatrixView view(const Array& x, bool transposed) {
    return {x.data(), x.shape()[0], x.shape()[1], x.shape()[1], transposed};
  }

  Array a_, b_, c_;
  bool a_transposed_, b_transposed_;
};

// y = x w, x̄ = ȳ wᵀ and w̄ = xᵀ ȳ for (rows, in) x (in, out).
void add_layer(std::vector<Product>& products, std::size_t rows, std::size_t in, std::size_t out) {
  products.emplace_back(rows, in, out, false, false);
  products.emplace_back(rows, out, in, false, true);
  products.emplace_back(in, rows, out, true, false);
}

std::vector<Product> layers_of(const BenchConfig& c) {
  std::vector<Product> products;
  const std::size_t rows = c.batch / shards_of(c) * c.n_ctx;
  for (int i = 0; i < 4; ++i) add_layer(products, rows, c.d_model, c.d_model);  // W_Q, W_K, W_V and W_O
  if (c.d_mlp > 0) {
    add_layer(products, rows, c.d_model, c.d_mlp);
    add_layer(products, rows, c.d_mlp, c.d_model);
  }
  return products;
}

// The sum of the rates of all threads, each with a `make()` of its own.
double rate_of_threads(ThreadPool& pool, double seconds,
                       const std::function<std::function<double()>()>& make) {
  std::vector<double> rates(static_cast<std::size_t>(pool.threads()));
  pool.run(rates.size(), [&](std::size_t i) { rates[i] = rate_of(seconds, make()); });
  return std::accumulate(rates.begin(), rates.end(), 0.0);
}

std::function<double()> all_of(std::vector<Product> products) {
  return [products = std::move(products)]() mutable {
    double flops = 0;
    for (Product& product : products) flops += product();
    return flops;
  };
}

double copy_rate(double bytes, double seconds) {
  const auto half = static_cast<std::size_t>(bytes / 2);
  std::vector<char> from(half, 1), to(half);
  const volatile char* seen = to.data();
  return rate_of(seconds, [&] {
    std::memcpy(to.data(), from.data(), half);
    return seen[half / 2] * 2.0 * static_cast<double>(half);  // each byte is 1
  });
}

}  // namespace

double update_bytes(const BenchConfig& config, double parameters) {
  return parameters * sizeof(Real) * (3.0 * static_cast<double>(shards_of(config) - 1) + 1 + 7);
}

MachineRates machine_rates(const BenchConfig& config, double parameters, int threads, double seconds) {
  const WorkDone child = run_in_copy([&] {
    ThreadPool pool(threads);
    constexpr std::size_t kRounds = 100'000;
    const auto peak = [] { return [] { return kernels::multiply_adds(kRounds); }; };
    const auto square = [] { return all_of({Product(512, 512, 512, false, false)}); };
    const auto layers = [&] { return all_of(layers_of(config)); };
    // The gradients of all shards, the weights and two moments.
    const double touched = parameters * sizeof(Real) * static_cast<double>(shards_of(config) + 3);
    return fmt::format("{} {} {} {}", rate_of_threads(pool, seconds, peak),
                       rate_of_threads(pool, seconds, square), rate_of_threads(pool, seconds, layers),
                       copy_rate(touched, seconds));
  });
  const std::vector<std::string> words = text_words(child.output);
  check(words.size() == 4, "the process that measures the machine ended without printing its rates.");
  const auto giga = [&](std::size_t i) { return number_from_text<double>(words[i]) / 1e9; };
  return {giga(0), giga(1), giga(2), giga(3)};
}

}  // namespace headlight::bench

#include "step_timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "headlight/core/check.h"
#include "headlight/core/numbers.h"
#include "headlight/run/experiment.h"
#include "headlight/system/process.h"
#include "headlight/system/text.h"

namespace headlight::bench {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::size_t shards_of(const BenchConfig& config) {
  constexpr std::size_t kTokens = 256;  // of a shard: docs/performance.md compares other numbers
  if (config.batch * config.n_ctx <= kTokens) return 2;
  return std::min(config.batch, std::max<std::size_t>(8, config.batch * config.n_ctx / kTokens));
}

run::RunConfig run_config(const BenchConfig& c) {
  run::RunConfig run;
  run.task.n_ctx = c.n_ctx;
  run.task.d_vocab = c.d_vocab;
  run.task.distinct = false;
  run.model.n_layers = c.n_layers;
  run.model.norm = c.norm;
  run.model.d_model = c.d_model;
  run.model.n_heads = c.n_heads;
  run.model.d_mlp = c.d_mlp;
  run.model.positions = "learned";
  run.train.batch = c.batch;
  run.train.shards = shards_of(c);
  run.train.learning_rate = 1e-2 * 64 / static_cast<double>(c.d_model);
  return run;
}

namespace {

// The numbers of a StepTiming except the memory, as text that the child process prints.
std::string measure(const BenchConfig& c, int threads, int steps) {
  run::Experiment run(run_config(c), {.threads = threads, .record = false});
  train::Trainer& trainer = run.trainer();
  trainer.step();  // the first step allocates its memory from the system
  if (steps == 0) {
    const auto start = Clock::now();
    trainer.step();
    steps = std::clamp(static_cast<int>(0.5 / seconds_since(start)), 3, 500);
  }
  for (int i = 0; i < steps / 5; ++i) trainer.step();
  const train::PhaseSeconds before = trainer.phases();
  const auto start = Clock::now();
  for (int i = 0; i < steps; ++i) trainer.step();
  const double seconds = seconds_since(start);
  const auto a_step = [&](double train::PhaseSeconds::*phase) {
    return (trainer.phases().*phase - before.*phase) / steps;
  };
  using P = train::PhaseSeconds;
  return fmt::format("{} {} {} {} {} {} {}", 1e3 * seconds / steps,
                     nn::parameter_count(nn::named_parameters(run.model())), a_step(&P::data),
                     a_step(&P::forward), a_step(&P::backward), a_step(&P::reduce), a_step(&P::optimizer));
}

}  // namespace

const std::vector<BenchConfig>& bench_configs() {
  constexpr auto rms = nn::NormKind::rms;
  static const std::vector<BenchConfig> configs{{"tiny16", 16, 4, 16, 16, 64, 1, 27, rms},
                                                {"tiny32", 32, 4, 16, 16, 128, 1, 27, rms},
                                                {"tiny64", 64, 4, 16, 16, 256, 1, 27, rms},
                                                {"small", 64, 4, 64, 32, 0},
                                                {"medium", 128, 4, 64, 64, 0},
                                                {"large", 256, 8, 128, 16, 1024},
                                                {"long", 64, 4, 1024, 4, 0},
                                                {"longer", 64, 4, 2048, 2, 0}};
  return configs;
}

const BenchConfig& find_bench_config(const std::string& name) {
  for (const BenchConfig& c : bench_configs())
    if (name == c.name) return c;
  fail("unknown benchmark '{}': expected tiny16, tiny32, tiny64, small, medium, large, long or longer.",
       name);
}

StepTiming time_steps(const BenchConfig& config, int threads, int steps) {
  const WorkDone child = run_in_copy([&] { return measure(config, threads, steps); });
  const std::vector<std::string> words = text_words(child.output);
  check(words.size() == 7, "the timed process ended without printing its timings.");
  const auto number = [&](std::size_t i) { return number_from_text<double>(words[i]); };
  StepTiming t{};
  t.ms = number(0), t.parameters = number(1);
  t.phases = {number(2), number(3), number(4), number(5), number(6)};
  t.peak_mb = child.peak_mb;
  return t;
}

double step_flops(const BenchConfig& c) {
  const auto layers = static_cast<double>(c.n_layers), vocab = static_cast<double>(c.d_vocab);
  const auto d = static_cast<double>(c.d_model), n = static_cast<double>(c.n_ctx),
             batch = static_cast<double>(c.batch), mlp = static_cast<double>(c.d_mlp);
  const double weights = layers * (4 * d * d + 2 * d * mlp) + d * vocab;  // used once for each token
  const double pairs = batch * n * (n + 1) / 2;                           // of a query and a visible key
  const double forward = 2 * weights * batch * n + layers * pairs * (2 * d + 2 * d);  // q·k, and the mix of v
  return 3 * forward;
}

}  // namespace headlight::bench

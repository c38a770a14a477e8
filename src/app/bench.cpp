#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "command.h"
#include "headlight/core/check.h"
#include "headlight/train/checkpoint.h"
#include "headlight/train/trainer.h"

namespace headlight::app {
namespace {

struct BenchOptions {
  std::vector<std::string> configs;
  bool json = false;
  int threads = 0;
  int steps = 60;
};

// A model and batch whose training step is timed: two layers, learned positions, AdamW, clipping.
struct BenchConfig {
  const char* name;
  std::size_t d_model, n_heads, n_ctx, batch, d_mlp;
};
constexpr std::array<BenchConfig, 5> kConfigs{{{"small", 64, 4, 64, 32, 0},
                                               {"medium", 128, 4, 64, 64, 0},
                                               {"large", 256, 8, 128, 16, 1024},
                                               {"long", 64, 4, 1024, 4, 0},
                                               {"longer", 64, 4, 2048, 2, 0}}};

const BenchConfig& find_config(const std::string& name) {
  for (const BenchConfig& c : kConfigs)
    if (name == c.name) return c;
  fail("unknown benchmark '{}': expected small, medium, large, long or longer.", name);
}

train::RunConfig run_config(const BenchConfig& c) {
  train::RunConfig run;
  run.task.n_ctx = run.model.n_ctx = c.n_ctx;
  run.task.distinct = false;
  run.model.d_model = c.d_model;
  run.model.n_heads = c.n_heads;
  run.model.d_mlp = c.d_mlp;
  run.model.positions = nn::Positions::learned;
  run.train.batch = c.batch;
  run.train.shards = std::min<std::size_t>(8, c.batch);
  run.train.learning_rate = 1e-2 * 64 / static_cast<double>(c.d_model);
  return run;
}

struct Timing {
  double ms_per_step, tokens_per_second, peak_mb;
  int threads;
};

Timing time_steps(const BenchConfig& c, const BenchOptions& options) {
  const train::RunConfig config = run_config(c);
  const auto task = tasks::make_task(config.task);
  const auto model = train::make_model(config);
  ThreadPool pool(options.threads);
  train::Trainer trainer(*model, *task, config.train, pool);
  const int warm = std::max(1, options.steps / 5);
  for (int i = 0; i < warm; ++i) trainer.step();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < options.steps; ++i) trainer.step();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {1e3 * seconds / options.steps, static_cast<double>(c.batch * c.n_ctx * options.steps) / seconds,
          static_cast<double>(usage.ru_maxrss) / 1024, pool.threads()};
}

int bench(BenchOptions options) {
  check(options.steps >= 1, "a benchmark needs at least 1 step, got {}.", options.steps);
  if (options.configs.empty()) options.configs = {"small", "medium", "large"};
  for (const auto& name : options.configs) find_config(name);
  if (!options.json) fmt::print("config   ms/step   tokens/s  peak MB  threads\n");
  for (const auto& name : options.configs) {
    const Timing t = time_steps(find_config(name), options);
    if (options.json) {
      const nlohmann::ordered_json line = {{"config", name},
                                           {"ms_per_step", t.ms_per_step},
                                           {"tokens_per_second", t.tokens_per_second},
                                           {"peak_mb", t.peak_mb},
                                           {"threads", t.threads}};
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:<7}  {:>7.2f}  {:>9.0f}  {:>7.1f}  {:>7}\n", name, t.ms_per_step, t.tokens_per_second,
                 t.peak_mb, t.threads);
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

void add_bench(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand("bench", "Time the training step");
  command->add_option(
      "CONFIG", options->configs,
      "small, medium, large, long, longer (default: the first three). Peak memory is the process's, "
      "so give one at a time to compare it");
  command->add_flag("--json", options->json, "One JSON object a line");
  command->add_option("--threads", options->threads, "Threads; 0: all cores")->capture_default_str();
  command->add_option("--steps", options->steps, "Steps to time, after a fifth as many to warm up")
      ->capture_default_str();
  command->footer("\nExamples:\n  ./headlight bench\n  ./headlight bench small --json");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return bench(*options); }; });
}

}  // namespace headlight::app

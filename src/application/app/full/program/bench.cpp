#include "bench.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/output/json.h"
#include "bench/rounds.h"
#include "bench_scaling.h"
#include "bench_table.h"
#include "headlight/core/check.h"
#include "headlight/system/json.h"
#include "headlight/system/run_main.h"

namespace headlight::app {
namespace {

using bench::BenchConfig, bench::Result;

struct BenchOptions {
  std::vector<std::string> configs;
  bool json = false, peers = false;
  bench::RoundOptions rounds;
};

int run_bench(const BenchOptions& options) {
  check(options.rounds.rounds >= 1, "a benchmark needs at least 1 round, got {}.", options.rounds.rounds);
  check(options.rounds.steps >= 0, "a benchmark cannot take {} steps.", options.rounds.steps);
  std::vector<BenchConfig> configs;
  for (const auto& name : options.configs) configs.push_back(bench::find_bench_config(name));
  if (configs.empty()) configs = bench::bench_configs();
  std::optional<bench::TorchPeer> torch;
  if (options.peers) {
    torch.emplace();
    if (!torch->available()) {
      note("headlight: PyTorch was left out: no python3 here has it (apt-get install python3-torch).");
      torch.reset();
    }
  }
  const int threads = ThreadPool(options.rounds.threads).threads();
  if (!options.json) print_heading(torch.has_value());
  ordered_json json = json_of("bench");
  std::vector<Result> results;
  for (const BenchConfig& config : configs) {
    results.push_back(bench::measure(config, options.rounds, torch ? &*torch : nullptr));
    if (options.json)
      json["configs"].push_back(json_from<ordered_json>(bench::as_json(config, results.back(), threads)));
    else
      print_row(config, results.back());
    std::fflush(stdout);
  }
  if (options.json) {
    print_json(json);
    return 0;
  }
  print_summary(configs, results, threads, options.rounds.rounds);
  return 0;
}

std::function<int()> add_bench(CLI::App& command) {
  auto options = std::make_shared<BenchOptions>();
  command.add_option("CONFIG", options->configs,
                     "tiny16, tiny32, tiny64, small, medium, large, long, longer (default: all)");
  command.add_flag("--peers", options->peers, "Time the same step in PyTorch too, in turn");
  command.add_flag("--json", options->json, "All numbers, unrounded, as JSON");
  command.add_option("--threads", options->rounds.threads, "Threads; 0: all cores")->capture_default_str();
  command
      .add_option("--steps", options->rounds.steps,
                  "Steps to time in a round; 0: as many as half a second holds")
      ->capture_default_str();
  command.add_option("--rounds", options->rounds.rounds, "Rounds; the median is shown")
      ->capture_default_str();
  command.footer(
      "\nEach round runs in a process of its own; peak memory is that of the process.\n"
      "\nExamples:\n  ./headlight bench\n  ./headlight bench small --peers\n  ./headlight bench scaling\n"
      "  ./headlight bench kernels --benchmark_filter=gemm");
  const AddedScaling scaling = add_bench_scaling(command);
  CLI::App* kernels = command.add_subcommand("kernels", "Time the kernels (takes Google Benchmark)");
  return [options, scaling, kernels] {
    check(!kernels->parsed(), "bench kernels is a program of its own: ./headlight builds and starts it.");
    return scaling.command->parsed() ? scaling.run() : run_bench(*options);
  };
}

}  // namespace

OwnCommand bench_command() { return {"bench", "Time the training step", add_bench}; }

}  // namespace headlight::app

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/bench_peers.h"
#include "app/bench_step.h"
#include "bench_scaling.h"
#include "command.h"
#include "headlight/core/check.h"

namespace headlight::app {
namespace {

struct BenchOptions {
  std::vector<std::string> configs;
  bool json = false, peers = false;
  int threads = 0, steps = 0, rounds = 5;
};

// Middle, least and most of what the rounds gave.
struct Spread {
  double median, least, most;

  explicit Spread(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    least = values.front();
    most = values.back();
  }
};

struct Result {
  Spread ms, torch_ms;
  double peak_mb, torch_peak_mb, gflops, share_of_gemm;
  train::PhaseSeconds phases;  // of a step in the round of the median, as wall time
};

struct Phase {
  const char* name;
  double train::PhaseSeconds::*seconds;
};
constexpr Phase kPhases[] = {{"data", &train::PhaseSeconds::data},
                             {"forward", &train::PhaseSeconds::forward},
                             {"backward", &train::PhaseSeconds::backward},
                             {"reduce", &train::PhaseSeconds::reduce},
                             {"optimizer", &train::PhaseSeconds::optimizer}};

// Rounds one after the other, Headlight and its peer in turn, so that both meet the same machine.
Result measure(const BenchConfig& config, const BenchOptions& options, const TorchPeer* torch) {
  std::vector<StepTiming> timings;
  std::vector<double> ms, torch_ms, gemm;
  double torch_peak = 0;
  for (int round = 0; round < options.rounds; ++round) {
    timings.push_back(time_steps(config, options.threads, options.steps));
    ms.push_back(timings.back().ms);
    gemm.push_back(gemm_gflops(options.threads));
    if (torch == nullptr) continue;
    const PeerTiming peer = torch->time_steps(config);
    torch_ms.push_back(peer.ms);
    torch_peak = std::max(torch_peak, peer.peak_mb);
  }
  const Spread spread(ms);
  const auto middle = std::min_element(timings.begin(), timings.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.ms - spread.median) < std::abs(b.ms - spread.median);
  });
  Result result{spread,        Spread(torch_ms.empty() ? std::vector{0.0} : torch_ms), 0, torch_peak, 0, 0,
                middle->phases};
  for (const StepTiming& t : timings) result.peak_mb = std::max(result.peak_mb, t.peak_mb);
  result.gflops = step_flops(config) / spread.median * 1e-6;
  result.share_of_gemm = result.gflops / Spread(gemm).median;
  const auto threads = static_cast<double>(ThreadPool(options.threads).threads());
  for (double train::PhaseSeconds::*p :
       {&train::PhaseSeconds::data, &train::PhaseSeconds::forward, &train::PhaseSeconds::backward})
    result.phases.*p /= threads;
  return result;
}

double tokens_per_second(const BenchConfig& config, const Result& r) {
  return static_cast<double>(config.batch * config.n_ctx) / r.ms.median * 1e3;
}

std::string as_json(const BenchConfig& config, const Result& r, int threads) {
  nlohmann::ordered_json line{{"config", config.name},
                              {"ms_per_step", r.ms.median},
                              {"ms_least", r.ms.least},
                              {"ms_most", r.ms.most},
                              {"tokens_per_second", tokens_per_second(config, r)},
                              {"peak_mb", r.peak_mb},
                              {"gflops", r.gflops},
                              {"share_of_gemm", r.share_of_gemm},
                              {"threads", threads}};
  for (const Phase& phase : kPhases) line["phases_ms"][phase.name] = 1e3 * (r.phases.*phase.seconds);
  if (r.torch_ms.median > 0)
    line["torch"] = {{"ms_per_step", r.torch_ms.median},
                     {"peak_mb", r.torch_peak_mb},
                     {"ratio", r.torch_ms.median / r.ms.median}};
  return line.dump();
}

void print_heading(bool peers) {
  fmt::print("config   ms/step  (least … most)     tokens/s  peak MB  GFLOP/s  of gemm{}\n",
             peers ? "   PyTorch ms  its MB  ratio" : "");
}

void print_row(const BenchConfig& config, const Result& r) {
  fmt::print("{:<7}  {:>7.2f}  {:<16}  {:>9.0f}  {:>7.1f}  {:>7.1f}  {:>6.0f}%", config.name, r.ms.median,
             fmt::format("({:.2f} … {:.2f})", r.ms.least, r.ms.most), tokens_per_second(config, r), r.peak_mb,
             r.gflops, 100 * r.share_of_gemm);
  if (r.torch_ms.median > 0)
    fmt::print("   {:>10.1f}  {:>6.0f}  {:>4.1f}x", r.torch_ms.median, r.torch_peak_mb,
               r.torch_ms.median / r.ms.median);
  fmt::print("\n");
}

void print_phases(const std::vector<BenchConfig>& configs, const std::vector<Result>& results) {
  fmt::print("\nof a step    ");
  for (const Phase& phase : kPhases) fmt::print("{:>10}", phase.name);
  fmt::print("   waiting\n");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    fmt::print("{:<13}", configs[i].name);
    double rest = 1;
    for (const Phase& phase : kPhases) {
      const double share = 1e3 * (results[i].phases.*phase.seconds) / results[i].ms.median;
      rest -= share;
      fmt::print("{:>9.1f}%", 100 * share);
    }
    fmt::print("{:>9.1f}%\n", 100 * std::max(0.0, rest));
  }
}

int bench(const BenchOptions& options) {
  check(options.rounds >= 1, "a benchmark needs at least 1 round, got {}.", options.rounds);
  check(options.steps >= 0, "a benchmark cannot take {} steps.", options.steps);
  std::vector<BenchConfig> configs;
  for (const auto& name : options.configs) configs.push_back(find_bench_config(name));
  if (configs.empty()) configs = bench_configs();
  std::optional<TorchPeer> torch;
  if (options.peers) {
    torch.emplace();
    if (!torch->available()) {
      fmt::print(
          stderr,
          "headlight: PyTorch was left out: no python3 here has it (apt-get install python3-torch).\n");
      torch.reset();
    }
  }
  const int threads = ThreadPool(options.threads).threads();
  if (!options.json) print_heading(torch.has_value());
  std::vector<Result> results;
  for (const BenchConfig& config : configs) {
    results.push_back(measure(config, options, torch ? &*torch : nullptr));
    if (options.json)
      fmt::print("{}\n", as_json(config, results.back(), threads));
    else
      print_row(config, results.back());
    std::fflush(stdout);
  }
  if (options.json) return 0;
  print_phases(configs, results);
  fmt::print(
      "\n{} threads, median of {} rounds. \"of gemm\": the share of what {} threads reach in products of 512 "
      "x 512 "
      "matrices.\n",
      threads, options.rounds, threads);
  return 0;
}

}  // namespace

void add_bench(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand("bench", "Time the training step");
  command->add_option("CONFIG", options->configs, "small, medium, large, long, longer (default: all)");
  command->add_flag("--peers", options->peers, "Time the same step in PyTorch too, in turn");
  command->add_flag("--json", options->json, "One JSON object a line");
  command->add_option("--threads", options->threads, "Threads; 0: all cores")->capture_default_str();
  command->add_option("--steps", options->steps, "Steps to time in a round; 0: half a second of them")
      ->capture_default_str();
  command->add_option("--rounds", options->rounds, "Rounds, of which the median is shown")
      ->capture_default_str();
  command->footer(
      "\nEach round runs in a process of its own, whose peak memory is shown.\n"
      "\nExamples:\n  ./headlight bench\n  ./headlight bench small --peers\n  ./headlight bench scaling");
  CLI::App* scaling = add_bench_scaling(*command, chosen);
  command->callback([options, scaling, &chosen] {
    if (!scaling->parsed()) chosen = [options](const std::string&) { return bench(*options); };
  });
}

}  // namespace headlight::app

#include "rounds.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>

#include "headlight/core/numbers.h"
#include "headlight/system/json_output.h"
#include "headlight/system/process.h"
#include "plain_step.h"

namespace headlight::bench {

Spread::Spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  least = values.front();
  most = values.back();
}

const std::vector<Phase>& phases() {
  static const std::vector<Phase> all{{"data", &train::PhaseSeconds::data},
                                      {"forward", &train::PhaseSeconds::forward},
                                      {"backward", &train::PhaseSeconds::backward},
                                      {"reduce", &train::PhaseSeconds::reduce},
                                      {"optimizer", &train::PhaseSeconds::optimizer}};
  return all;
}

namespace {

// Of each rate, the median over the rounds.
MachineRates median_of(const std::vector<MachineRates>& rounds) {
  MachineRates medians{};
  for (double MachineRates::*rate :
       {&MachineRates::peak, &MachineRates::product, &MachineRates::layers, &MachineRates::copy}) {
    std::vector<double> values;
    for (const MachineRates& round : rounds) values.push_back(round.*rate);
    medians.*rate = Spread(values).median;
  }
  return medians;
}

// As -ffast-math has it in a program of its own: subnormal numbers, which take a hundred cycles, are 0.
void flush_subnormals() {
#ifdef __SSE2__
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

// ms for a step, in a process of its own, over half a second.
double time_plain_steps(const BenchConfig& config) {
  const WorkDone child = run_in_copy([&] {
    using Clock = std::chrono::steady_clock;
    flush_subnormals();
    const std::unique_ptr<PlainStep> plain = plain_step(config.name);
    int steps = -100;  // before the clock starts
    Clock::time_point begun = Clock::now();
    while (steps < 100 || Clock::now() - begun < std::chrono::milliseconds(500)) {
      plain->step();
      if (++steps == 0) begun = Clock::now();
    }
    return fmt::format("{}", std::chrono::duration<double, std::milli>(Clock::now() - begun).count() / steps);
  });
  return number_from_text<double>(child.output);
}

}  // namespace

Result measure(const BenchConfig& config, const RoundOptions& options, const TorchPeer* torch) {
  constexpr double kSeconds = 0.2;  // for each rate; a second in five rounds
  std::vector<StepTiming> timings;
  std::vector<double> ms, torch_ms, one_thread_ms, plain_ms;
  std::vector<MachineRates> machine;
  double torch_peak = 0, peak = 0;
  std::string setting, blas;
  for (int round = 0; round < options.rounds; ++round) {
    timings.push_back(time_steps(config, options.threads, options.steps));
    ms.push_back(timings.back().ms);
    peak = std::max(peak, timings.back().peak_mb);
    machine.push_back(machine_rates(config, timings.back().parameters, options.threads, kSeconds));
    if (plain_step(config.name)) {
      one_thread_ms.push_back(time_steps(config, 1, options.steps).ms);
      plain_ms.push_back(time_plain_steps(config));
    }
    if (torch == nullptr) continue;
    const PeerTiming peer = torch->time_steps(config, setting);  // the first round tries all settings
    setting = peer.setting;
    blas = peer.blas;
    torch_ms.push_back(peer.ms);
    torch_peak = std::max(torch_peak, peer.peak_mb);
  }
  const Spread spread(ms);
  const auto middle = std::min_element(timings.begin(), timings.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.ms - spread.median) < std::abs(b.ms - spread.median);
  });
  Result result{.ms = spread,
                .torch_ms = Spread(torch_ms.empty() ? std::vector{0.0} : torch_ms),
                .peak_mb = peak,
                .torch_peak_mb = torch_peak,
                .gflops = step_flops(config) / spread.median * 1e-6,
                .tokens_per_second = static_cast<double>(config.batch * config.n_ctx) / spread.median * 1e3,
                .torch_setting = setting,
                .torch_blas = blas,
                .machine = median_of(machine),
                .phases = middle->phases};
  if (!plain_ms.empty()) result.one_thread_ms.emplace(one_thread_ms), result.plain_ms.emplace(plain_ms);
  result.update_gbs =
      update_bytes(config, middle->parameters) / (result.phases.reduce + result.phases.optimizer) * 1e-9;
  const auto threads = static_cast<double>(ThreadPool(options.threads).threads());
  for (double train::PhaseSeconds::*p :
       {&train::PhaseSeconds::data, &train::PhaseSeconds::forward, &train::PhaseSeconds::backward})
    result.phases.*p /= threads;
  return result;
}

std::optional<double> Result::torch_ratio() const {
  if (torch_blas != "OpenBLAS" && torch_blas != "MKL") return {};
  return torch_ms.median / ms.median;
}

std::string as_json(const BenchConfig& config, const Result& r, int threads) {
  ordered_json line{{"config", config.name},
                    {"ms_per_step", r.ms.median},
                    {"ms_least", r.ms.least},
                    {"ms_most", r.ms.most},
                    {"tokens_per_second", r.tokens_per_second},
                    {"peak_mb", r.peak_mb},
                    {"gflops", r.gflops},
                    {"peak_gflops", r.machine.peak},
                    {"product_gflops", r.machine.product},
                    {"layers_gflops", r.machine.layers},
                    {"share_of_product", r.gflops / r.machine.product},
                    {"update_gb_per_second", r.update_gbs},
                    {"copy_gb_per_second", r.machine.copy},
                    {"threads", threads}};
  for (const Phase& phase : phases()) line["phases_ms"][phase.name] = 1e3 * (r.phases.*phase.seconds);
  if (r.plain_ms)
    line["plain"] = {{"ms_per_step", r.plain_ms->median},
                     {"ours_on_one_thread", r.one_thread_ms->median},
                     {"ratio", r.one_thread_ms->median / r.plain_ms->median}};
  if (r.torch_ms.median > 0)
    line["torch"] = {{"ms_per_step", r.torch_ms.median},
                     {"peak_mb", r.torch_peak_mb},
                     {"setting", r.torch_setting},
                     {"blas", r.torch_blas},
                     {"ratio", or_null(r.torch_ratio())}};
  return line.dump();
}

}  // namespace headlight::bench

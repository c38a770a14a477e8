#include "scaling.h"

#include <algorithm>

namespace headlight::bench {

Cost fastest(const BenchConfig& config, int threads, int rounds) {
  Cost best{1e300, 0};
  for (int i = 0; i < rounds; ++i) {
    const StepTiming t = time_steps(config, threads, 0);
    best.us_per_token =
        std::min(best.us_per_token, 1e3 * t.ms / static_cast<double>(config.batch * config.n_ctx));
    best.peak_mb = std::max(best.peak_mb, t.peak_mb);
  }
  return best;
}

draw::Figure growth_figure(const std::string& title, const draw::Axis& x, const std::vector<double>& at,
                           const std::vector<Cost>& costs) {
  draw::Series time{"µs", at, {}}, memory{"MB", at, {}};
  for (const Cost& c : costs) {
    time.y.push_back(c.us_per_token);
    memory.y.push_back(c.peak_mb);
  }
  return {title,
          x,
          "",
          {},
          {{"", x, {"time per token (µs)", false, 0.0}, {time}},
           {"", x, {"peak memory (MB)", false, 0.0}, {memory}}}};
}

draw::Chart speedup_chart(const std::vector<std::string>& configs,
                          const std::vector<std::vector<double>>& times) {
  draw::Chart chart{
      "Speed with more threads", {"threads", false, 0.0}, {"speed relative to one thread", false, 0.0}, {}};
  for (std::size_t i = 0; i < configs.size(); ++i) {
    draw::Series& series = chart.series.emplace_back(draw::Series{configs[i], {}, {}});
    for (std::size_t threads = 1; threads <= times[i].size(); ++threads) {
      series.x.push_back(static_cast<double>(threads));
      series.y.push_back(times[i][0] / times[i][threads - 1]);
    }
  }
  return chart;
}

}  // namespace headlight::bench

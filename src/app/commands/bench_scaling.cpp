#include "bench_scaling.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/bench_step.h"
#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/report/figure.h"

namespace headlight::app {
namespace {

struct ScalingOptions {
  std::string out = "runs/scaling";
  std::size_t longest = 4096;
  int rounds = 3;
};

constexpr std::size_t kTokens = 8192;  // in a batch, whatever the length of its sequences

struct Point {
  double us_per_token, peak_mb;
};

// The fastest of some rounds: what the machine can do when nothing else disturbs it.
Point fastest(const BenchConfig& config, int threads, int rounds) {
  Point best{1e300, 0};
  for (int i = 0; i < rounds; ++i) {
    const StepTiming t = time_steps(config, threads, 0);
    best.us_per_token =
        std::min(best.us_per_token, 1e3 * t.ms / static_cast<double>(config.batch * config.n_ctx));
    best.peak_mb = std::max(best.peak_mb, t.peak_mb);
  }
  return best;
}

// Two charts over a common axis: time for a token and peak memory.
report::Figure growth(const std::string& title, const report::Axis& x, const std::vector<double>& at,
                      const std::vector<Point>& points) {
  report::Series time{"µs", at, {}}, memory{"MB", at, {}};
  for (const Point& p : points) {
    time.y.push_back(p.us_per_token);
    memory.y.push_back(p.peak_mb);
  }
  return {title,
          x,
          "",
          {},
          {{"", x, {"time for a token (µs)", false, 0.0}, {time}},
           {"", x, {"peak memory (MB)", false, 0.0}, {memory}}}};
}

class Scaling {
 public:
  explicit Scaling(const ScalingOptions& options) : options_(options) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    check(!error && std::filesystem::is_directory(options.out), "cannot make the folder '{}'.", options.out);
  }

  void context() const {
    std::vector<double> at;
    std::vector<Point> points;
    fmt::print("context  µs/token  peak MB   (d_model 64, 4 heads, {} tokens a batch)\n", kTokens);
    for (std::size_t n = 64; n <= options_.longest; n *= 2) {
      at.push_back(static_cast<double>(n));
      points.push_back(
          fastest({"context", 64, 4, n, std::max<std::size_t>(1, kTokens / n), 0}, 0, options_.rounds));
      fmt::print("{:>7}  {:>8.2f}  {:>7.1f}\n", n, points.back().us_per_token, points.back().peak_mb);
      std::fflush(stdout);
    }
    save("context.svg", report::svg_figure(growth("Training with longer contexts",
                                                  {"tokens in a sequence", false, 0.0}, at, points)));
  }

  void heads() const {
    std::vector<double> at;
    std::vector<Point> points;
    fmt::print("\nheads  µs/token  peak MB   (d_model 64, context 256)\n");
    for (std::size_t h = 1; h <= 16; h *= 2) {
      at.push_back(static_cast<double>(h));
      points.push_back(fastest({"heads", 64, h, 256, kTokens / 256, 0}, 0, options_.rounds));
      fmt::print("{:>5}  {:>8.2f}  {:>7.1f}\n", h, points.back().us_per_token, points.back().peak_mb);
      std::fflush(stdout);
    }
    save("heads.svg",
         report::svg_figure(growth("More heads in the same width", {"heads", false, 0.0}, at, points)));
  }

  void threads() const {
    const int most = ThreadPool(0).threads();
    report::Chart chart{
        "Speed with more threads", {"threads", false, 0.0}, {"times one thread", false, 0.0}, {}};
    fmt::print("\nthreads");
    for (const char* name : {"small", "medium", "large"}) fmt::print("{:>9}", name);
    fmt::print("   (times the speed of one thread)\n");
    for (const char* name : {"small", "medium", "large"}) chart.series.push_back({name, {}, {}});
    std::vector<double> one;
    for (int threads = 1; threads <= most; ++threads) {
      fmt::print("{:>7}", threads);
      for (std::size_t i = 0; i < chart.series.size(); ++i) {
        report::Series& series = chart.series[i];
        const double time = fastest(find_bench_config(series.name), threads, options_.rounds).us_per_token;
        if (threads == 1) one.push_back(time);
        series.x.push_back(threads);
        series.y.push_back(one[i] / time);
        fmt::print("{:>9.2f}", series.y.back());
        std::fflush(stdout);
      }
      fmt::print("\n");
    }
    save("threads.svg", report::svg_chart(chart));
  }

 private:
  void save(const char* name, const std::string& svg) const {
    const auto file = std::filesystem::path(options_.out) / name;
    write_file(file, svg);
    fmt::print("wrote {}\n", file.string());
  }

  ScalingOptions options_;
};

}  // namespace

CLI::App* add_bench_scaling(CLI::App& bench, Action& chosen) {
  auto options = std::make_shared<ScalingOptions>();
  CLI::App* command =
      bench.add_subcommand("scaling", "How time and memory grow with context, heads and threads");
  command->add_option("--out", options->out, "Folder for the figures")->capture_default_str();
  command->add_option("--longest", options->longest, "Longest context; they double from 64 on")
      ->capture_default_str();
  command->add_option("--rounds", options->rounds, "Rounds, of which the fastest counts")
      ->capture_default_str();
  command->footer("\nExamples:\n  ./headlight bench scaling\n  ./headlight bench scaling --out figures");
  command->callback([options, &chosen] {
    chosen = [options](const std::string&) {
      check(options->rounds >= 1, "a benchmark needs at least 1 round, got {}.", options->rounds);
      check(options->longest >= 64 && options->longest <= kTokens / 2,
            "the longest context must be at least 64 and at most {}, got {}.", kTokens / 2, options->longest);
      const Scaling scaling(*options);
      scaling.context();
      scaling.heads();
      scaling.threads();
      return 0;
    };
  });
  return command;
}

}  // namespace headlight::app

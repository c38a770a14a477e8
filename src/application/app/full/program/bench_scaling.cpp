#include "bench_scaling.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/output/output_files.h"
#include "bench/scaling.h"
#include "headlight/core/check.h"
#include "headlight/system/files.h"
#include "headlight/system/text.h"

namespace headlight::app {
namespace {

struct ScalingOptions {
  std::string out = "runs/scaling";
  std::size_t longest = 4096;
  int rounds = 3;
};

constexpr std::size_t kTokens = 8192;  // in a batch, whatever the length of its sequences

class Scaling {
 public:
  explicit Scaling(const ScalingOptions& options) : options_(options) {
    make_folder(options.out);  // now, so that nothing is measured in vain
  }

  void context() const {
    std::vector<double> at;
    std::vector<bench::Cost> costs;
    fmt::print("context  µs/token  peak MB   (d_model 64, 4 heads, {} tokens a batch)\n", kTokens);
    for (std::size_t n = 64; n <= options_.longest; n *= 2) {
      at.push_back(static_cast<double>(n));
      costs.push_back(bench::fastest({"context", 64, 4, n, std::max<std::size_t>(1, kTokens / n), 0}, 0,
                                     options_.rounds));
      fmt::print("{:>7}  {:>8.2f}  {:>7.1f}\n", n, costs.back().us_per_token, costs.back().peak_mb);
      std::fflush(stdout);
    }
    save("context.svg",
         draw::svg_figure(bench::growth_figure("Training with longer contexts",
                                               {"tokens in a sequence", false, 0.0}, at, costs)));
  }

  void heads() const {
    std::vector<double> at;
    std::vector<bench::Cost> costs;
    fmt::print("\nheads  µs/token  peak MB   (d_model 64, context 256)\n");
    for (std::size_t h = 1; h <= 16; h *= 2) {
      at.push_back(static_cast<double>(h));
      costs.push_back(bench::fastest({"heads", 64, h, 256, kTokens / 256, 0}, 0, options_.rounds));
      fmt::print("{:>5}  {:>8.2f}  {:>7.1f}\n", h, costs.back().us_per_token, costs.back().peak_mb);
      std::fflush(stdout);
    }
    save("heads.svg", draw::svg_figure(bench::growth_figure("More heads in the same width",
                                                            {"heads", false, 0.0}, at, costs)));
  }

  void threads() const {
    const std::vector<std::string> configs{"small", "medium", "large"};
    const int most = ThreadPool(0).threads();
    std::vector<std::vector<double>> times(configs.size());
    fmt::print("\nthreads");
    for (const std::string& name : configs) fmt::print("{:>9}", name);
    fmt::print("   (times the speed of one thread)\n");
    for (int threads = 1; threads <= most; ++threads) {
      fmt::print("{:>7}", threads);
      for (std::size_t i = 0; i < configs.size(); ++i) {
        times[i].push_back(
            bench::fastest(bench::find_bench_config(configs[i]), threads, options_.rounds).us_per_token);
        fmt::print("{:>9.2f}", times[i].front() / times[i].back());
        std::fflush(stdout);
      }
      fmt::print("\n");
    }
    save("threads.svg", draw::svg_chart(bench::speedup_chart(configs, times)));
  }

 private:
  void save(const char* name, const std::string& svg) const {
    const auto file = std::filesystem::path(options_.out) / name;
    write_file(file, svg);
    fmt::print("wrote {}\n", printable(file.string()));
  }

  ScalingOptions options_;
};

}  // namespace

AddedScaling add_bench_scaling(CLI::App& bench) {
  auto options = std::make_shared<ScalingOptions>();
  CLI::App* command =
      bench.add_subcommand("scaling", "How time and memory grow with context, heads and threads");
  command->add_option("--out", options->out, "Folder for the figures")->capture_default_str();
  command->add_option("--longest", options->longest, "Longest context; contexts double from 64 on")
      ->capture_default_str();
  command->add_option("--rounds", options->rounds, "Rounds; the fastest counts")->capture_default_str();
  command->footer("\nExamples:\n  ./headlight bench scaling\n  ./headlight bench scaling --out figures");
  return {command, [options] {
            check_no_run_file({"--out", options->out});
            check(options->rounds >= 1, "a benchmark needs at least 1 round, got {}.", options->rounds);
            check(options->longest >= 64 && options->longest <= kTokens / 2,
                  "the longest context must be at least 64 and at most {}, got {}.", kTokens / 2,
                  options->longest);
            const Scaling scaling(*options);
            scaling.context();
            scaling.heads();
            scaling.threads();
            return 0;
          }};
}

}  // namespace headlight::app

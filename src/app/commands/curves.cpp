#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/examples.h"
#include "app/run_files.h"
#include "command.h"
#include "headlight/core/check.h"
#include "headlight/report/figure.h"
#include "headlight/report/head_table.h"
#include "headlight/train/history.h"
#include "picture.h"

namespace headlight::app {
namespace {

using interpret::HeadScores;

constexpr std::size_t kSnapshots = 6;

struct CurvesOptions {
  std::string folder;
  PictureOptions picture;
};

double best(const Metrics& m, const char* score) {
  return m.heads.empty() ? 0 : interpret::best_head(m.heads, score)[score];
}

// A series with the value that `figure` has at each evaluated step.
template <class Figure>
report::Series series(const std::string& name, const std::vector<Metrics>& metrics, const Figure& figure) {
  report::Series s{name, {}, {}};
  for (const Metrics& m : metrics) {
    s.x.push_back(static_cast<double>(m.step));
    s.y.push_back(figure(m));
  }
  return s;
}

std::vector<report::Chart> charts_of(const std::vector<Metrics>& metrics) {
  const report::Axis step{"step"};
  std::vector<report::Series> parts{
      series("accuracy", metrics, [](const Metrics& m) { return m.accuracy_predictable; })};
  for (const interpret::ScoreKind& kind : interpret::score_kinds())
    if (kind.charted)
      parts.push_back(series(kind.name, metrics, [&](const Metrics& m) { return best(m, kind.key); }));
  return {{"",
           step,
           {"loss (nats)", false, 0.0},
           {series("predictable", metrics, [](const Metrics& m) { return m.loss_predictable; }),
            series("unpredictable", metrics, [](const Metrics& m) { return m.loss_unpredictable; })}},
          {"", step, {"accuracy, best score", false, 0.0, 1.0}, std::move(parts)}};
}

// How far the run had come at a step: grows with time, and much faster while accuracy and the induction score
// change. Snapshots at equal distances of it show the change and not the waiting.
std::vector<double> progress_at(const std::vector<Metrics>& metrics,
                                const std::vector<train::Moment>& moments) {
  const auto last = static_cast<double>(std::max<std::int64_t>(metrics.back().step, 1));
  std::vector<double> progress;
  for (const train::Moment& moment : moments) {
    double way = 0.5 * static_cast<double>(moment.step) / last;
    for (std::size_t i = 1; i < metrics.size() && metrics[i].step <= moment.step; ++i)
      way += std::abs(metrics[i].accuracy_predictable - metrics[i - 1].accuracy_predictable) +
             std::abs(best(metrics[i], interpret::kInduction) - best(metrics[i - 1], interpret::kInduction));
    progress.push_back(way);
  }
  return progress;
}

// Numbers of the moments that stand closest to equal distances, each once: first and last among them.
std::vector<std::size_t> chosen_moments(const std::vector<double>& progress) {
  std::vector<std::size_t> chosen;
  const std::size_t count = std::min(kSnapshots, progress.size());
  for (std::size_t k = 0; k < count; ++k) {
    const double t = count == 1 ? 1 : static_cast<double>(k) / static_cast<double>(count - 1);
    const double target = progress.front() + t * (progress.back() - progress.front());
    // Later ones need their own moments too.
    std::size_t nearest = chosen.empty() ? 0 : chosen.back() + 1;
    for (std::size_t i = nearest; i < progress.size() - (count - 1 - k); ++i)
      if (std::abs(progress[i] - target) < std::abs(progress[nearest] - target)) nearest = i;
    chosen.push_back(nearest);
  }
  return chosen;
}

// The patterns of the head that is the best induction head in the end, along training.
void add_strip(report::Figure& figure, const std::string& folder, const std::vector<Metrics>& metrics) {
  const std::filesystem::path file = std::filesystem::path(folder) / "history.safetensors";
  std::error_code error;
  if (!std::filesystem::exists(file, error) || metrics.back().heads.empty()) return;
  train::Checkpoint run = train::load_checkpoint(folder);
  std::vector<train::Moment> moments = train::load_history(folder);
  const auto tokens = first_example(*run.task, run.config.train.seed).tokens;
  const HeadScores& head = interpret::best_head(metrics.back().heads, interpret::kInduction);
  for (const std::size_t i : chosen_moments(progress_at(metrics, moments))) {
    train::set_weights(*run.model, std::move(moments[i].weights), file.string());
    figure.strip.push_back({static_cast<double>(moments[i].step),
                            pattern_map(*run.model, *run.task, tokens, head.layer, head.head,
                                        fmt::format("step {}", moments[i].step))});
  }
  figure.strip_title =
      fmt::format("Where head {} looks: row = query, column = key, brighter = more", report::head_name(head));
}

int curves(const CurvesOptions& options) {
  std::error_code error;
  check(std::filesystem::is_directory(options.folder, error),
        "there is no run '{}'. Hint: ./headlight demo makes runs/demo.", options.folder);
  const std::vector<Metrics> metrics = read_metrics(options.folder);
  const auto charts = charts_of(metrics);
  deliver(
      options.picture,
      [&](report::ColorMode mode) {
        std::string out;
        for (const report::Chart& chart : charts)
          out += (out.empty() ? "" : "\n") + report::terminal_chart(chart, mode, report::terminal_columns());
        return out;
      },
      [&] {
        const bool found = best(metrics.back(), interpret::kInduction) >= interpret::kFoundScore;
        report::Figure figure{
            found ? "An attention head learns where to look" : "Training, without an induction head",
            {"step", false, 0.0},
            "",
            {},
            charts};
        figure.x.last = static_cast<double>(std::max<std::int64_t>(metrics.back().step, 1));
        add_strip(figure, options.folder, metrics);
        return report::svg_figure(figure);
      });
  return 0;
}

}  // namespace

void add_curves(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<CurvesOptions>();
  CLI::App* command = program.add_subcommand("curves", "Loss, accuracy and head scores along training");
  command->add_option("DIR", options->folder, "Run folder")->required();
  add_picture_options(*command, options->picture);
  command->footer(
      "\nThe files also show the best induction head's pattern at six steps, if the run kept its weights "
      "(--history).\n"
      "\nExamples:\n  ./headlight curves runs/demo\n  ./headlight curves runs/demo --svg curves.svg\n"
      "  ./headlight curves runs/demo --png curves.png");
  command->callback(
      [options, &chosen] { chosen = [options](const std::string&) { return curves(*options); }; });
}

}  // namespace headlight::app

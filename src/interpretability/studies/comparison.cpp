#include "headlight/studies/comparison.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "headlight/core/names.h"
#include "headlight/draw/text_page.h"
#include "headlight/run/run_files.h"
#include "headlight/studies/compared_curves.h"
#include "headlight/system/folder.h"
#include "headlight/system/percent.h"

namespace headlight::studies {
namespace {

namespace fs = std::filesystem;

// The runs right below a folder, by the paths that a user would type.
std::vector<std::string> runs_in(const fs::path& parent) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent.empty() ? "." : parent, error))
    if (run::holds_run(entry.path())) names.push_back((parent / entry.path().filename()).string());
  std::sort(names.begin(), names.end());
  return names;
}

// "runs/demo" for "runs/demo/", which a shell's "runs/*/" gives.
fs::path without_slash(const fs::path& folder) {
  return folder.has_filename() ? folder : folder.parent_path();
}

ComparedRun compared_run(const fs::path& folder) {
  if (!run::holds_run(folder)) {
    const std::vector<std::string> inside = runs_in(folder);
    const std::string hint = inside.empty()
                                 ? did_you_mean(folder.string(), runs_in(folder.parent_path()))
                                 : fmt::format(" It is a folder of runs, such as '{}'.", inside.front());
    fail("'{}' holds no run.{}", folder.string(), hint);
  }
  run::Run run = run::read_run(folder, run::Parts::results | run::Parts::metrics);
  ComparedRun compared{folder.string(), filled_in(run.config), run.results, {}, std::move(run.notes)};
  if (!run.metrics.empty()) compared.metrics = all_metrics(run);
  return compared;
}

std::string percent_or_dash(const std::optional<double>& share) { return share ? percent(*share) : "-"; }

// "repeat, copy": the different values, in the order of the runs.
std::string values_of(const std::vector<ComparedRun>& runs,
                      const std::function<std::string(const ComparedRun&)>& value) {
  std::vector<std::string> values;
  for (const ComparedRun& run : runs)
    if (std::find(values.begin(), values.end(), value(run)) == values.end()) values.push_back(value(run));
  return values.size() < 2 ? "" : fmt::format("{}", fmt::join(values, ", "));
}

// The folders' own names where they differ, which leaves more room for the curves.
std::vector<std::string> names_in_figure(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> names;
  std::set<std::string> different;
  for (const ComparedRun& run : runs) {
    names.push_back(fs::path(run.name).filename().string());
    different.insert(names.back());
  }
  if (different.size() < runs.size())
    for (std::size_t i = 0; i < runs.size(); ++i) names[i] = runs[i].name;
  return names;
}

}  // namespace

std::string short_name(const run::NamedSetting& setting) {
  return setting.row->flag.empty() ? setting.part + "." + setting.row->key : setting.row->flag.substr(2);
}

std::vector<ComparedRun> compared_runs(const std::vector<fs::path>& folders) {
  check(folders.size() >= 2,
        "a comparison needs at least two runs, got {}. Hint: ./headlight runs lists them.", folders.size());
  std::set<fs::path> seen;
  std::vector<ComparedRun> runs;
  for (const fs::path& folder : folders) {
    check(seen.insert(FolderLock::resolve(folder)).second, "the run '{}' is given twice.", folder.string());
    runs.push_back(compared_run(without_slash(folder)));
  }
  return runs;
}

std::vector<run::NamedSetting> different_settings(const std::vector<run::RunConfig>& configs) {
  std::set<const Setting<run::RunConfig>*> given;
  for (const run::RunConfig& config : configs)
    for (const run::NamedSetting& setting : changed_settings(config)) given.insert(setting.row);
  std::vector<run::NamedSetting> different;
  for (const run::ConfigPart& part : run::settings())
    for (const Setting<run::RunConfig>& row : part.rows)
      if (given.contains(&row) && std::any_of(configs.begin(), configs.end(), [&](const run::RunConfig& c) {
            return row.get(c) != row.get(configs.front());
          }))
        different.push_back({part.name, &row});
  return different;
}

draw::Table settings_table(const std::vector<ComparedRun>& runs) {
  std::vector<run::RunConfig> configs;
  for (const ComparedRun& run : runs) configs.push_back(run.config);
  const std::vector<run::NamedSetting> different = different_settings(configs);
  draw::Table table{{"run"}, {}};
  for (const run::NamedSetting& setting : different) table.head.push_back(short_name(setting));
  for (const ComparedRun& run : runs) {
    table.rows.push_back({run.name});
    for (const run::NamedSetting& setting : different)
      table.rows.back().push_back(to_string(setting.row->get(run.config)));
  }
  return table;
}

// The kinds of scores in charts that some run's heads have.
std::vector<interpret::ScoreKind> scored_kinds(const std::vector<ComparedRun>& runs) {
  std::vector<interpret::ScoreKind> kinds = interpret::score_kinds();
  std::erase_if(kinds, [&](const interpret::ScoreKind& kind) {
    return !kind.charted || std::none_of(runs.begin(), runs.end(), [&](const ComparedRun& run) {
      return interpret::is_scored(run.results.heads, kind.key);
    });
  });
  return kinds;
}

draw::Table results_table(const std::vector<ComparedRun>& runs) {
  const std::vector<interpret::ScoreKind> kinds = scored_kinds(runs);
  draw::Table table{{"run", "accuracy", "held out", "loss", "best possible"}, {}};
  for (const auto& kind : kinds) table.head.emplace_back(kind.column);
  for (const char* name : {"steps", "time", "solved"}) table.head.emplace_back(name);
  for (const ComparedRun& run : runs) {
    const run::Results& r = run.results;
    const auto best = best_possible(r.baselines);
    table.rows.push_back({run.name, percent_or_dash(r.evaluation.accuracy_predictable),
                          percent_or_dash(r.accuracy_held_out), fmt::format("{:.3f}", r.evaluation.loss),
                          best ? fmt::format("{:.3f}", best->loss) : "-"});
    std::vector<std::string>& row = table.rows.back();
    for (const auto& kind : kinds)
      row.push_back(interpret::is_scored(r.heads, kind.key)
                        ? fmt::format("{:.2f}", interpret::best_head(r.heads, kind.key)[kind.key])
                        : "-");
    row.push_back(fmt::format("{}", r.steps));
    row.push_back(fmt::format("{:.1f} s", r.train_seconds));
    row.emplace_back(r.diverged ? "diverged" : r.passed ? "yes" : "no");
  }
  return table;
}

draw::Figure comparison_figure(const std::vector<ComparedRun>& runs) {
  const std::vector<std::string> names = names_in_figure(runs);
  draw::Figure figure{"", {"step", false, 0.0}, "", {}, {}};
  std::vector<const run::Results*> results;
  std::vector<run::RunConfig> configs;
  std::vector<const std::vector<run::Metrics>*> metrics;
  for (const ComparedRun& run : runs) {
    results.push_back(&run.results);
    configs.push_back(run.config);
    metrics.push_back(&run.metrics);
  }
  for (const ComparedCurve& curve : compared_curves(metrics)) {
    draw::Chart chart{"", figure.x, curve.y, {}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      chart.series.push_back(series_of(names[i], runs[i].metrics, curve));
      chart.series.back().style = i;
      if (chart.series.back().x.empty()) chart.series.pop_back();
    }
    if (auto level = best_level(curve, results, chart.series)) chart.series.push_back(*std::move(level));
    if (!chart.series.empty()) figure.charts.push_back(std::move(chart));
  }
  leave_out_losses(figure, configs);
  check(!figure.charts.empty(), "none of the {} runs has metrics along its training.", runs.size());
  return figure;
}

std::vector<std::string> comparison_notes(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> notes;
  std::vector<run::RunConfig> configs;
  for (const ComparedRun& run : runs) configs.push_back(run.config);
  const std::string tasks = values_of(runs, [](const ComparedRun& run) { return run.config.task.name; });
  const std::string sizes =
      values_of(runs, [](const ComparedRun& run) { return fmt::format("{}", run.config.task.d_vocab); });
  if (!tasks.empty())
    notes.push_back(
        fmt::format("The runs have different tasks ({}), so their losses are not comparable: each number is "
                    "of the run's own task, and only numbers that a task has are shown.",
                    tasks));
  if (!sizes.empty())
    notes.push_back(fmt::format(
        "The runs have vocabularies of different sizes ({}), so their losses are not comparable.", sizes));
  if (const std::string tokens = accuracy_tokens(configs); tokens != tasks::TokenKinds{}.predictable)
    notes.push_back(fmt::format("Accuracy is on {} tokens.", tokens));
  if (settings_table(runs).head.size() == 1) notes.emplace_back("All settings are the same.");
  for (const ComparedRun& run : runs)
    if (run.metrics.empty())
      notes.push_back(fmt::format("'{}' has no metrics along its training, and so no curves.", run.name));
  return notes;
}

std::string comparison_page(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> verdicts;
  for (const ComparedRun& run : runs) verdicts.push_back(run.name + ": " + run.results.verdict);
  std::vector<draw::PageSection> sections{{"", comparison_notes(runs)}};
  if (draw::Table settings = settings_table(runs); settings.head.size() > 1)
    sections.push_back({"Settings that differ", {}, std::move(settings)});
  sections.push_back({"Results", verdicts, results_table(runs)});
  sections.push_back({"Curves", {}, {}, draw::svg_figure(comparison_figure(runs))});
  return draw::text_page(fmt::format("Headlight: {} runs compared", runs.size()), sections);
}

}  // namespace headlight::studies

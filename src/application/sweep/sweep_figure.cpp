#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "headlight/run/run.h"
#include "headlight/studies/compared_curves.h"
#include "headlight/sweep/sweep_results.h"

namespace headlight::sweep {
namespace {

constexpr std::size_t kNamedCombinations = 12, kGreyStyle = 6;

struct SweptCurves {
  std::size_t combination;
  bool diverged;
  std::vector<run::Metrics> metrics;
};

std::vector<SweptCurves> curves_of(const std::vector<SweepRow>& rows, const std::filesystem::path& folder) {
  std::vector<SweptCurves> runs;
  for (const SweepRow& row : rows)
    if (row.results)
      runs.push_back(
          {row.run.combination, row.results->diverged,
           all_metrics(run::read_run(folder / row.run.folder, run::Parts::results | run::Parts::metrics))});
  return runs;
}

// The largest value of the runs that ended well; nullopt when there is none.
std::optional<double> largest_of(const std::vector<SweptCurves>& runs, const studies::ComparedCurve& kind) {
  std::optional<double> largest;
  for (const SweptCurves& run : runs)
    if (!run.diverged)
      for (const double y : series_of("", run.metrics, kind).y) largest = std::max(y, largest.value_or(y));
  return largest;
}

// The curve up to the first value above `largest`.
void end_above(draw::Series& curve, double largest) {
  const auto beyond = std::find_if(curve.y.begin(), curve.y.end(), [&](double y) { return y > largest; });
  curve.x.resize(static_cast<std::size_t>(beyond - curve.y.begin()));
  curve.y.erase(beyond, curve.y.end());
}

// "lr=10_seed=0 and 2 more runs": the folders of these runs.
std::string some_runs(const std::vector<std::string>& folders) {
  if (folders.size() == 1) return folders.front();
  return fmt::format("{} and {} more run{}", folders.front(), folders.size() - 1,
                     folders.size() == 2 ? "" : "s");
}

// What the curves do not show, and of which runs. Empty when all runs ended well.
std::string left_out(const std::vector<SweepRow>& rows) {
  std::vector<std::string> failed, diverged;
  for (const SweepRow& row : rows)
    if (!row.failure.empty())
      failed.push_back(row.run.folder);
    else if (row.results && row.results->diverged)
      diverged.push_back(row.run.folder);
  std::string text;
  if (!failed.empty())
    text =
        some_runs(failed) + (failed.size() == 1 ? " failed and has no curve" : " failed and have no curves");
  if (!diverged.empty())
    text += fmt::format("{}{} diverged: {} below the largest value of the others", text.empty() ? "" : "; ",
                        some_runs(diverged), diverged.size() == 1 ? "its curve stays" : "their curves stay");
  return text;
}

// The median at each step that all of the curves have.
draw::Series median_series(const std::string& name, const std::vector<draw::Series>& curves) {
  std::map<double, std::vector<double>> at;
  for (const draw::Series& curve : curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) at[curve.x[i]].push_back(curve.y[i]);
  draw::Series median{name, {}, {}, false, draw::LineWeight::bold};
  for (const auto& [x, values] : at)
    if (values.size() == curves.size()) {
      median.x.push_back(x);
      median.y.push_back(spread_of(values).median);
    }
  return median;
}

// The place of each combination by its median accuracy, or its loss where the task has no accuracy.
std::vector<std::size_t> ranks(std::size_t combinations, const std::vector<SweepRow>& rows) {
  std::vector<double> quality(combinations);
  for (std::size_t c = 0; c < combinations; ++c) {
    std::vector<double> values;
    for (const SweepRow& row : rows)
      if (row.run.combination == c && row.results)
        values.push_back(
            row.results->evaluation.accuracy_predictable.value_or(-row.results->evaluation.loss));
    quality[c] = values.empty() ? -1e300 : spread_of(values).median;
  }
  std::vector<std::size_t> order(combinations), rank(combinations);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return quality[a] > quality[b]; });
  for (std::size_t place = 0; place < combinations; ++place) rank[order[place]] = place;
  return rank;
}

// A config for each combination, with the vocabulary that its task has; one alone if no setting of the task
// varies.
std::vector<run::RunConfig> compared_configs(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  const bool one_task = std::none_of(plan.varied.begin(), plan.varied.end(), [](const VariedSetting& varied) {
    return varied.setting.part == "task";
  });
  if (one_task) return {plan.base};
  std::vector<run::RunConfig> configs;
  for (const SweepRow& row : rows)
    if (row.run.combination == configs.size()) configs.push_back(filled_in(row.run.config));
  return configs;
}

// One kind of curve of one combination: its runs, faint, each that diverged up to the largest value of the
// others.
std::vector<draw::Series> faint_curves(const std::vector<SweptCurves>& runs, std::size_t combination,
                                       const studies::ComparedCurve& kind, std::size_t style) {
  const std::optional<double> largest = largest_of(runs, kind);
  std::vector<draw::Series> curves;
  for (const SweptCurves& run : runs) {
    if (run.combination != combination) continue;
    draw::Series curve = series_of("", run.metrics, kind);
    if (run.diverged && largest) end_above(curve, *largest);
    if (curve.x.empty()) continue;
    curve.weight = draw::LineWeight::faint;
    curve.style = style;
    curves.push_back(std::move(curve));
  }
  return curves;
}

// One kind of curve of all combinations: the runs, and above them the medians of the best combinations.
std::vector<draw::Series> curves_of_kind(const std::vector<SweptCurves>& runs,
                                         const std::vector<std::string>& names,
                                         const std::vector<std::size_t>& rank,
                                         const studies::ComparedCurve& kind) {
  std::vector<draw::Series> all, medians;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const bool named = rank[c] < kNamedCombinations;
    const std::size_t style = !named ? kGreyStyle : names.size() <= kNamedCombinations ? c : rank[c];
    const std::vector<draw::Series> curves = faint_curves(runs, c, kind, style);
    all.insert(all.end(), curves.begin(), curves.end());
    draw::Series median = median_series(names[c], curves);
    median.style = style;
    if (named && !median.x.empty()) medians.push_back(std::move(median));
  }
  all.insert(all.end(), medians.begin(), medians.end());
  return all;
}

}  // namespace

draw::Figure sweep_figure(const SweepPlan& plan, const std::vector<SweepRow>& rows,
                          const std::filesystem::path& folder) {
  const std::vector<std::string> names = combination_names(plan);
  const std::vector<SweptCurves> runs = curves_of(rows, folder);
  const std::vector<std::size_t> rank = ranks(names.size(), rows);
  draw::Figure figure{left_out(rows), {"step", false, 0.0}, "", {}, {}};
  std::vector<const run::Results*> results;
  for (const SweepRow& row : rows)
    if (row.results) results.push_back(&*row.results);
  std::vector<const std::vector<run::Metrics>*> metrics;
  for (const SweptCurves& run : runs) metrics.push_back(&run.metrics);
  for (const studies::ComparedCurve& kind : studies::compared_curves(metrics)) {
    std::vector<draw::Series> curves = curves_of_kind(runs, names, rank, kind);
    if (auto level = best_level(kind, results, curves)) curves.push_back(*std::move(level));
    if (!curves.empty()) figure.charts.push_back({"", figure.x, kind.y, std::move(curves)});
  }
  studies::leave_out_losses(figure, compared_configs(plan, rows));
  return figure;
}

}  // namespace headlight::sweep

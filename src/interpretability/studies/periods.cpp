#include "headlight/studies/periods.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "headlight/core/check.h"
#include "headlight/train/evaluate.h"

namespace headlight::studies {
namespace {

constexpr std::size_t kShortestPeriod = 4, kTokensAfter = 4;

draw::Series line_of(const std::string& name, std::size_t style) {
  draw::Series line{name, {}, {}};
  line.style = style;
  return line;
}

void add_point(draw::Series& line, const PeriodAccuracy& at) {
  line.x.push_back(static_cast<double>(at.period));
  line.y.push_back(at.accuracy);
}

}  // namespace

std::vector<std::size_t> measured_periods(const tasks::Task& task, std::size_t most) {
  check(static_cast<bool>(task.with_segment),
        "accuracy by period needs a task with segments; '{}' has none. Hint: repeat, copy, planted, reverse "
        "and sort have segments.",
        task.config.name);
  check(most > 0, "accuracy by period: expected at least 1 period, got 0.");
  const std::size_t n_ctx = task.config.n_ctx;
  const std::size_t last = std::min(n_ctx - std::min(n_ctx, kTokensAfter), task.longest_segment);
  check(last >= kShortestPeriod,
        "accuracy by period needs segments of at least {} tokens; the task '{}' with a context of {} and {} "
        "tokens has segments of at most {}. Hint: a larger context or vocabulary.",
        kShortestPeriod, task.config.name, n_ctx, task.config.d_vocab, last);
  const std::size_t count = last - kShortestPeriod + 1;
  const std::size_t step = (count + most - 1) / most;
  std::vector<std::size_t> periods;
  for (std::size_t period = kShortestPeriod; period <= last; period += step) periods.push_back(period);
  return periods;
}

std::vector<PeriodAccuracy> accuracy_by_period(const nn::Transformer& model, const tasks::Task& task,
                                               const Rng& rng, ThreadPool& pool, std::size_t most) {
  std::vector<PeriodAccuracy> accuracies;
  for (const std::size_t period : measured_periods(task, most)) {
    const tasks::Generator sequences = [&](Rng& drawn) { return task.with_segment(period, drawn); };
    const tasks::Batch batch =
        tasks::draw_batch(task, sequences, kSequencesPerPeriod, rng.stream("periods", period));
    const train::Evaluation evaluation = train::evaluate(model, batch, pool);
    check(std::isfinite(evaluation.loss),
          "the loss on segments of {} tokens is not finite: the model's parameters are too large.", period);
    const std::optional<double>& accuracy = evaluation.accuracy_predictable;
    check(accuracy.has_value(), "the task '{}' has no predictable token in segments of {} tokens.",
          task.config.name, period);
    const bool trained = period >= task.config.min_segment && period <= task.config.max_segment;
    accuracies.push_back({period, *accuracy, trained});
  }
  return accuracies;
}

std::vector<PeriodAccuracy> accuracy_by_period(const run::Run& run, ThreadPool& pool, std::size_t most) {
  return accuracy_by_period(*run.model, run.task, Rng(run.config.train.seed), pool, most);
}

draw::Chart periods_chart(const std::vector<PeriodAccuracy>& accuracies) {
  draw::Chart chart{"", {"period (tokens in a segment)"}, {"accuracy", false, 0.0, 1.0}, {}};
  draw::Series trained = line_of("periods in training", 0);
  draw::Series shorter = line_of("other periods", 1), longer = line_of("other periods", 1);
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    const PeriodAccuracy& at = accuracies[i];
    draw::Series& own = at.trained ? trained : trained.x.empty() ? shorter : longer;
    if (i > 0 && accuracies[i - 1].trained && !at.trained) add_point(longer, accuracies[i - 1]);
    if (i > 0 && !accuracies[i - 1].trained && at.trained) add_point(shorter, at);
    add_point(own, at);
  }
  if (!shorter.x.empty()) longer.name = "";  // one entry in the legend
  for (draw::Series* line : {&shorter, &longer, &trained}) {
    line->dots = line->x.size() == 1;  // a line needs two points
    if (!line->x.empty()) chart.series.push_back(std::move(*line));
  }
  return chart;
}

draw::Table periods_table(const std::vector<PeriodAccuracy>& accuracies) {
  draw::Table table{{"period", "accuracy", "trained"}, {}};
  for (const PeriodAccuracy& at : accuracies)
    table.rows.push_back(
        {fmt::format("{}", at.period), fmt::format("{}", at.accuracy), at.trained ? "1" : "0"});
  return table;
}

}  // namespace headlight::studies

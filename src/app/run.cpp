#include "run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "examples.h"
#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/core/kernels.h"
#include "headlight/interpret/hooks.h"
#include "headlight/report/head_table.h"
#include "headlight/train/history.h"
#include "headlight/train/progress.h"
#include "interrupt.h"
#include "run_files.h"
#include "run_page.h"
#include "versions.h"

namespace headlight::app {
namespace {

using interpret::HeadScores;

// Sequences that figures are measured on: few along the way, where they come every ten steps, more at the
// end.
constexpr std::size_t kEvaluated = 32, kEvaluatedAtTheEnd = 256;
constexpr std::size_t kScored = 16, kScoredAtTheEnd = 32;
constexpr double kFormed = 0.5;  // predictable accuracy from which the task counts as learned

tasks::Batch fresh_batch(const tasks::Task& task, std::uint64_t seed, std::size_t count,
                         tasks::Lengths lengths) {
  const char* stream = lengths == tasks::Lengths::training ? "evaluation" : "held out";
  return tasks::draw_batch(task, count, Rng(seed).stream(stream), 0, lengths);
}

// Looks at the model along training: writes down its figures, and keeps its weights.
class Observer {
 public:
  Observer(nn::Transformer& model, const tasks::Task& task, const train::TrainConfig& config,
           ThreadPool& pool)
      : model_(model),
        pool_(pool),
        evaluation_(fresh_batch(task, config.seed, kEvaluatedAtTheEnd, tasks::Lengths::training)),
        along_the_way_(tasks::batch_rows(evaluation_, 0, kEvaluated)),
        scored_(scoring_batch(task, config.seed, kScoredAtTheEnd)),
        scored_along_the_way_(tasks::batch_rows(scored_, 0, kScored)),
        history_(config.history) {}

  void look(const train::StepReport& step, double seconds, bool at_the_end) {
    evaluated_ = train::evaluate(model_, at_the_end ? evaluation_ : along_the_way_, pool_);
    heads_ = interpret::score_heads(model_, (at_the_end ? scored_ : scored_along_the_way_).tokens);
    metrics_.add(step, evaluated_, heads_, seconds);
    std::vector<double> figures{evaluated_.accuracy_predictable};
    for (const HeadScores& h : heads_) figures.insert(figures.end(), h.values.begin(), h.values.end());
    history_.offer(step.step, model_, figures);
  }

  const train::Evaluation& evaluated() const { return evaluated_; }
  const std::vector<HeadScores>& heads() const { return heads_; }
  const MetricsLog& metrics() const { return metrics_; }
  const train::History& history() const { return history_; }

 private:
  nn::Transformer& model_;
  ThreadPool& pool_;
  tasks::Batch evaluation_, along_the_way_, scored_, scored_along_the_way_;
  train::Evaluation evaluated_;
  std::vector<HeadScores> heads_;
  MetricsLog metrics_;
  train::History history_;
};

// A step. When it fails, what was measured until then is written before the error goes on its way; beside the
// folder's metrics.jsonl, which may belong to an earlier run that is still whole.
train::StepReport step_or_save(train::Trainer& trainer, const MetricsLog& metrics,
                               const std::filesystem::path& folder) {
  try {
    return trainer.step();
  } catch (...) {
    write_file(folder / "failed_metrics.jsonl", metrics.text());
    throw;
  }
}

}  // namespace

std::unique_ptr<tasks::Task> repetition(const tasks::Task& task) {
  tasks::TaskConfig config = task.config();
  config.name = "repeat";
  config.fixed_offset = false;
  return tasks::make_task(config);
}

tasks::Batch scoring_batch(const tasks::Task& task, std::uint64_t seed, std::size_t count) {
  return tasks::draw_batch(*repetition(task), count, Rng(seed).stream("scores"), 0, tasks::Lengths::held_out);
}

std::string pattern_title(const std::vector<HeadScores>& scores, std::size_t layer, std::size_t head) {
  for (const HeadScores& s : scores)
    if (s.layer == layer && s.head == head) {
      const interpret::ScoreKind& kind = interpret::strongest(s);
      return fmt::format("Head {}, {} {:.2f}", report::head_name(s), kind.name, s[kind.key]);
    }
  return fmt::format("Head {}.{}", layer, head);
}

report::Heatmap pattern_map(nn::Transformer& model, const tasks::Task& task,
                            const std::vector<std::int32_t>& tokens, std::size_t layer, std::size_t head,
                            const std::string& title) {
  const nn::TransformerConfig& c = model.config();
  check(layer < c.n_layers, "there is no layer {}: the model has layers 0 … {}.", layer, c.n_layers - 1);
  check(head < c.n_heads, "there is no head {}: each layer has heads 0 … {}.", head, c.n_heads - 1);
  IntArray input = IntArray::from_shape({1, tokens.size()});
  std::copy(tokens.begin(), tokens.end(), input.begin());
  const std::string name = interpret::pattern_name(layer);
  const auto run =
      interpret::run_with_cache(model, input, [&](const std::string& point) { return point == name; });
  const Array& all = run.cache[name];
  check(std::all_of(all.begin(), all.end(), [](Real w) { return std::isfinite(w); }),
        "the patterns of layer {} are not finite: the model's weights are too large or damaged.", layer);
  const Array one = kernels::slice(all, 1, head, 1, 1);  // (1,1,n,n)
  report::Heatmap map{kernels::reshape(one, {tokens.size(), tokens.size()}), {}, {}, title};
  for (std::int32_t token : tokens) map.queries.push_back(task.token_text(token));
  map.keys = map.queries;
  return map;
}

Summary train_run(const train::RunConfig& config, const RunOptions& options) {
  const std::filesystem::path& folder = options.folder;
  train::check_config(config);
  const auto task = tasks::make_task(config.task);
  const auto model = train::make_model(config);
  ThreadPool pool(options.threads);
  train::Trainer trainer(*model, *task, config.train, pool);
  require_writable_folder(folder);
  fmt::print("{}", options.opening);
  std::fflush(stdout);

  const std::uint64_t seed = config.train.seed;
  Summary summary;
  summary.command = options.command;
  summary.version = versions();
  summary.task = config.task.name;
  summary.seed = seed;
  Observer observer(*model, *task, config.train, pool);
  train::Progress progress(config.train.steps, config.train.batch * config.task.n_ctx);
  train::ProgressFigures figures;
  observer.look({}, 0, false);
  figures.accuracy = observer.evaluated().accuracy_predictable;
  const InterruptScope interrupt;
  for (bool ended = false; !ended;) {
    const train::StepReport step = step_or_save(trainer, observer.metrics(), folder);
    ended = step.step == config.train.steps || interrupt.requested();
    if (step.step == 1) summary.loss_first = step.loss;
    summary.loss_last = step.loss;
    figures.step = step.step;
    figures.loss = step.loss;
    if (ended || step.step % config.train.evaluate_every == 0) {
      observer.look(step, progress.seconds(), ended);
      figures.accuracy = observer.evaluated().accuracy_predictable;
      if (!summary.formed_at_step && figures.accuracy >= kFormed) {
        summary.formed_at_step = step.step;
        summary.formed_at_seconds = progress.seconds();
      }
    }
    progress.update(figures);
  }
  progress.finish();

  summary.steps = trainer.steps_done();
  summary.interrupted = summary.steps < config.train.steps;
  summary.train_seconds = progress.seconds();
  summary.tokens_per_second = progress.tokens_per_second();
  summary.accuracy_predictable = observer.evaluated().accuracy_predictable;
  summary.loss_predictable = observer.evaluated().loss_predictable;
  summary.loss_unpredictable = observer.evaluated().loss_unpredictable;
  const tasks::Batch held_out = fresh_batch(*task, seed, kEvaluatedAtTheEnd, tasks::Lengths::held_out);
  summary.accuracy_held_out = train::evaluate(*model, held_out, pool).accuracy_predictable;
  summary.heads = observer.heads();
  const HeadScores& best = interpret::best_head(summary.heads, interpret::kInduction);
  summary.passed = best[interpret::kInduction] >= interpret::kFoundScore;

  const report::Heatmap map = pattern_map(
      *model, *task, first_example(*task, seed).tokens, best.layer, best.head,
      fmt::format("Head {}, induction {:.2f}", report::head_name(best), best[interpret::kInduction]));
  train::forget_run(folder);
  write_file(folder / "induction_head.svg", report::svg_heatmap(map));
  write_file(folder / "metrics.jsonl", observer.metrics().text());
  observer.history().save(folder);
  train::save_checkpoint(folder, config, *model);
  write_file(folder / "summary.json", summary_json(summary));
  if (config.train.history > 0) write_report(folder);
  return summary;
}

}  // namespace headlight::app

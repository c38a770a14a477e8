#include "run.h"

#include <fmt/core.h>

#include <algorithm>

#include "headlight/core/check.h"
#include "headlight/core/files.h"
#include "headlight/core/kernels.h"
#include "headlight/interpret/hooks.h"
#include "headlight/report/head_table.h"
#include "headlight/train/progress.h"
#include "interrupt.h"
#include "run_files.h"

namespace headlight::app {
namespace {

using interpret::HeadScores;

constexpr std::size_t kScoredWhileTraining = 16;  // sequences for the scores along the way
constexpr std::size_t kFinalEvaluation = 256;     // sequences for the figures at the end
constexpr double kFormed = 0.5;  // predictable accuracy from which the task counts as learned

tasks::Batch fresh_batch(const tasks::Task& task, std::uint64_t seed, std::size_t count,
                         tasks::Lengths lengths) {
  const char* stream = lengths == tasks::Lengths::training ? "evaluation" : "held out";
  return tasks::draw_batch(task, count, Rng(seed).stream(stream), 0, lengths);
}

// A step. When it fails, what was measured until then is written before the error goes on its way.
train::StepReport step_or_save(train::Trainer& trainer, const MetricsLog& metrics,
                               const std::filesystem::path& folder) {
  try {
    return trainer.step();
  } catch (...) {
    if (!metrics.text().empty()) write_file(folder / "metrics.jsonl", metrics.text());
    throw;
  }
}

}  // namespace

tasks::Batch scoring_batch(const tasks::Task& task, std::uint64_t seed, std::size_t count) {
  tasks::TaskConfig config = task.config();
  config.name = "repeat";
  config.fixed_offset = false;
  const auto repeated = tasks::make_task(config);
  return tasks::draw_batch(*repeated, count, Rng(seed).stream("scores"), 0, tasks::Lengths::held_out);
}

std::vector<std::int32_t> example_tokens(const tasks::Task& task, std::uint64_t seed) {
  const tasks::Batch batch = tasks::draw_batch(task, 1, Rng(seed).stream("example"));
  return {batch.tokens.begin(), batch.tokens.end()};
}

std::string pattern_title(const std::vector<HeadScores>& scores, std::size_t layer, std::size_t head) {
  for (const HeadScores& s : scores)
    if (s.layer == layer && s.head == head) {
      const interpret::ScoreKind kind = interpret::strongest(s);
      return fmt::format("Head {}, {} {:.2f}", report::head_name(s), kind.name, s.*kind.score);
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
  const Array one = kernels::slice(run.cache[name], 1, head, 1, 1);  // (1,1,n,n)
  report::Heatmap map{kernels::reshape(one, {tokens.size(), tokens.size()}), {}, {}, title};
  for (std::int32_t token : tokens) map.queries.push_back(task.token_text(token));
  map.keys = map.queries;
  return map;
}

Summary train_run(const train::RunConfig& config, const std::filesystem::path& folder, int threads,
                  const std::string& opening) {
  train::check_config(config);
  const auto task = tasks::make_task(config.task);
  const auto model = train::make_model(config);
  ThreadPool pool(threads);
  train::Trainer trainer(*model, *task, config.train, pool);
  require_writable_folder(folder);
  fmt::print("{}", opening);
  std::fflush(stdout);

  const std::uint64_t seed = config.train.seed;
  const tasks::Batch evaluation = fresh_batch(*task, seed, kFinalEvaluation, tasks::Lengths::training);
  const tasks::Batch held_out = fresh_batch(*task, seed, kFinalEvaluation, tasks::Lengths::held_out);
  const tasks::Batch along_the_way = tasks::batch_rows(evaluation, 0, 64);
  const tasks::Batch scored = scoring_batch(*task, seed, kScoredWhileTraining);
  const std::size_t tokens_per_step = config.train.batch * config.task.n_ctx;

  Summary summary;
  summary.task = config.task.name;
  summary.seed = seed;
  MetricsLog metrics;
  train::Progress progress(config.train.steps, tokens_per_step);
  train::ProgressFigures figures;
  const InterruptScope interrupt;
  while (trainer.steps_done() < config.train.steps && !interrupt.requested()) {
    const train::StepReport report = step_or_save(trainer, metrics, folder);
    if (report.step == 1) summary.loss_first = report.loss;
    summary.loss_last = report.loss;
    figures.step = report.step;
    figures.loss = report.loss;
    if (report.step % config.train.evaluate_every == 0 || report.step == config.train.steps) {
      const train::Evaluation e = train::evaluate(*model, along_the_way, pool);
      figures.accuracy = e.accuracy_predictable;
      if (!summary.formed_at_step && e.accuracy_predictable >= kFormed) {
        summary.formed_at_step = report.step;
        summary.formed_at_seconds = progress.seconds();
      }
      metrics.add(report, e, interpret::score_heads(*model, scored.tokens), progress.seconds());
    }
    progress.update(figures);
  }
  progress.finish();

  summary.steps = trainer.steps_done();
  summary.interrupted = interrupt.requested() && summary.steps < config.train.steps;
  summary.train_seconds = progress.seconds();
  summary.tokens_per_second = progress.tokens_per_second();
  const train::Evaluation e = train::evaluate(*model, evaluation, pool);
  summary.accuracy_predictable = e.accuracy_predictable;
  summary.loss_predictable = e.loss_predictable;
  summary.loss_unpredictable = e.loss_unpredictable;
  summary.accuracy_held_out = train::evaluate(*model, held_out, pool).accuracy_predictable;
  summary.heads = interpret::score_heads(*model, scoring_batch(*task, seed).tokens);
  const HeadScores& best = interpret::best_head(summary.heads, &HeadScores::induction);
  summary.passed = best.induction >= interpret::kFoundScore;

  const report::Heatmap map =
      pattern_map(*model, *task, example_tokens(*task, seed), best.layer, best.head,
                  fmt::format("Head {}, induction {:.2f}", report::head_name(best), best.induction));
  write_file(folder / "induction_head.svg", report::svg_heatmap(map));
  write_file(folder / "metrics.jsonl", metrics.text());
  train::save_checkpoint(folder, config, *model);
  write_file(folder / "summary.json", summary_json(summary));
  return summary;
}

}  // namespace headlight::app

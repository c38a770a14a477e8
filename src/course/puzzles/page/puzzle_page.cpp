#include "puzzle_page.h"

#include <fmt/core.h>

#include <chrono>

#include "headlight/core/thread_pool.h"
#include "headlight/page/run_page.h"
#include "headlight/run/measured.h"
#include "headlight/train/history.h"

namespace headlight::puzzles {
namespace {

using Clock = std::chrono::steady_clock;

tasks::Vocabulary numbers_below(int count) {
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) texts.push_back(std::to_string(i));
  return tasks::Vocabulary(texts);
}

// Draws inputs, each with its answer at the last position.
tasks::Generator inputs_in(const Recipe& recipe, const std::function<bool(const Numbers&)>& which) {
  return [&recipe, all = inputs_of(recipe, which)](Rng& rng) {
    const Numbers& input = all[rng.below(all.size())];
    tasks::Sequence sequence{{input.begin(), input.end()},
                             std::vector<std::int32_t>(input.size(), tasks::kNoTarget)};
    sequence.targets.back() = recipe.target(input);
    sequence.note = "an input";
    return sequence;
  };
}

tasks::Task task_of(const Puzzle& puzzle) {
  const Recipe& recipe = puzzle.recipe;
  tasks::Task task{.config = {},
                   .vocabulary = numbers_below(recipe.numbers),
                   .training = inputs_in(recipe, recipe.trained_on)};
  if (recipe.trained_on && !puzzle.asked) task.held_out = inputs_in(recipe, {});
  task.config.name = fmt::format("puzzle {}", puzzle.number);
  task.config.d_vocab = static_cast<std::size_t>(recipe.numbers);
  task.config.n_ctx = static_cast<std::size_t>(recipe.length);
  task.words = {.what = fmt::format("The model reads {} numbers from 0 to {} and answers at the last one.",
                                    recipe.length, recipe.numbers - 1),
                .answer = puzzle.explanation,
                .success = "",
                .look_for = "",
                .skill = fmt::format("answer puzzle {}", puzzle.number)};
  task.sees_ahead = true;  // the answer is a label, not the next number
  return task;
}

}  // namespace

run::Run run_of(const Puzzle& puzzle) {
  constexpr std::int64_t kMeasured = 40;
  const Recipe& recipe = puzzle.recipe;
  run::Run run{.config = {}, .task = task_of(puzzle)};
  run.config = {run.task.config, config_of(recipe), training_of(recipe)};
  Rng rng(recipe.seed);
  run.model = std::make_unique<nn::Transformer>(config_of(recipe), rng);
  ThreadPool pool(0);
  const run::EvaluationSets sets(run.task, recipe.seed);
  train::History history(kMeasured + 1);
  const Clock::time_point begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  const auto measure = [&](std::int64_t step) {
    run.metrics.push_back(run::measured(step, *run.model, run.config, sets, pool));
    run.seconds.push_back(seconds());
    history.offer(step, *run.model, run::progress_of(run.metrics.back()));
  };
  run.state.emplace();
  measure(0);
  train_model(*run.model, recipe, [&](const train::StepReport& report) {
    if (report.step == 1) run.state->loss_first = report.loss;
    run.state->loss_last = report.loss;
    if (report.step % (recipe.steps / kMeasured) != 0) return;
    measure(report.step);
    run.metrics.back().report = report;
  });
  run.state->steps = recipe.steps, run.state->seconds = seconds();
  run.snapshots = history.snapshots();
  run::measure_results(run, sets, pool);
  return run;
}

std::string page_of(const Puzzle& puzzle) {
  const run::Run run = run_of(puzzle);
  return page::report_page(run, {.title = run.task.config.name});
}

std::string place_on_page(const Puzzle& puzzle) {
  return fmt::format("heads&head={}&query={}", interpret::head_code(puzzle.heads[0]),
                     puzzle.recipe.length - 1);
}

}  // namespace headlight::puzzles

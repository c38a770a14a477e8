// Lesson 12, solved: find induction heads, say when they formed, and try out what they need.
#include "exercise.h"
#include "headlight/core/thread_pool.h"
#include "headlight/interpret/scores.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/trainer.h"
#include "setup.h"

double matching_score(const Tensor& pattern, const std::vector<int>& tokens) {
  double total = 0, queries = 0;
  for (std::size_t q = 0; q < tokens.size(); ++q) {
    bool has_follower = false;
    for (std::size_t j = 0; j < q; ++j)
      if (tokens[j] == tokens[q]) total += pattern.array()(q, j + 1), has_follower = true;
    queries += has_follower;
  }
  return queries == 0 ? 0 : total / queries;
}

std::vector<std::size_t> strongest_head(const Tensor& scores, double threshold) {
  std::size_t layer = 0, head = 0;
  for (std::size_t l = 0; l < scores.length(0); ++l)
    for (std::size_t h = 0; h < scores.length(1); ++h)
      if (scores.array()(l, h) > scores.array()(layer, head)) layer = l, head = h;
  if (scores.array()(layer, head) < threshold) return {};
  return {layer, head};
}

double step_of_change(const std::vector<double>& steps, const std::vector<double>& scores) {
  if (scores.back() - scores.front() < 0.2) return -1;
  const double level = (scores.front() + scores.back()) / 2;
  std::size_t i = scores.size() - 1;
  while (i > 0 && scores[i - 1] >= level) --i;
  return steps[i];
}

Outcome predicted(Change change) {
  if (change == Change::no_positions) return Outcome::no_head;
  return change == Change::one_head ? Outcome::most_right : Outcome::some_wrong;
}

Curve watch_change(Setup setup, Change change, ThreadPool& pool) {
  if (change == Change::no_positions) setup.model.positions = "none";
  if (change == Change::one_head) setup.model.d_head *= setup.model.n_heads, setup.model.n_heads = 1;
  if (change == Change::repeats) setup.task.distinct = false;
  const tasks::Task task = tasks::make_task(setup.task);
  Rng drawing(setup.training.seed);
  nn::Transformer model(setup.model, drawing);
  train::Trainer trainer(model, task, setup.training, pool);
  const tasks::Batch test = longer_sequences(task, setup.tested);
  Curve curve{};
  for (std::int64_t step = 0; step <= setup.training.steps; ++step) {
    if (step > 0) trainer.step();
    if (step % setup.every != 0) continue;
    const auto heads = interpret::score_heads(model, test);
    curve.steps.push_back(static_cast<double>(step));
    curve.scores.push_back(interpret::best_head(heads, interpret::kInduction)[interpret::kInduction]);
  }
  curve.right = train::evaluate(model, test, nn::Hooks{}).accuracy_predictable.value();
  return curve;
}

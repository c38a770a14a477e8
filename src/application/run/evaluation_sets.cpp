#include "headlight/run/evaluation_sets.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace headlight::run {
namespace {

constexpr std::size_t kTargetsAlongTheWay = 256;

Rng of_evaluation(const Rng& rng) { return rng.stream("evaluation"); }
Rng of_held_out(const Rng& rng) { return rng.stream("held out"); }

std::size_t bounded(std::size_t sequences, std::size_t n) {
  return std::max<std::size_t>(1, sequences * std::min(n, interpret::kLongestPattern) / n);
}

// The first sequences of a batch: at least kEvaluatedAlongTheWay, and as many as have kTargetsAlongTheWay
// predictable targets, so that one more right answer is at most a step of 0.4 % in a curve.
tasks::Batch along_the_way(const tasks::Batch& all) {
  const std::size_t rows = all.tokens.shape()[0], n = all.tokens.shape()[1];
  const std::size_t least = bounded(kEvaluatedAlongTheWay, n);
  std::size_t count = 0, targets = 0;
  while (count < rows && (count < least || targets < kTargetsAlongTheWay)) {
    const bool* marks = all.predictable.data() + count * n;
    const auto predictable = static_cast<std::size_t>(std::count(marks, marks + n, true));
    if (count >= least && targets == 0 && predictable == 0) break;  // none can be right
    targets += predictable;
    ++count;
  }
  return tasks::batch_rows(all, 0, count);
}

// The classical scores tell what a head does on the task's sequences for scoring, where the answer score
// would repeat the induction score.
std::optional<tasks::Batch> drawn_for_scores(const tasks::Task& task, const Rng& rng) {
  if (std::max(task.config.n_ctx, task.n_source) > interpret::kLongestPattern) return {};
  // On its own sequences a text of two characters would have high scores whatever a head does: nearly every
  // key is an earlier copy, or follows one.
  if (!task.scored && !task.scored_on.empty()) return {};
  tasks::Batch batch = tasks::draw_batch(task, task.scored ? task.scored : task.training, kScored, rng);
  if (!task.scored && batch.answers.size() == 0) return {};
  if (task.scored) batch.answers = IntArray::from_shape({0});
  return batch;
}

void take_answer(interpret::HeadScores& scores, const interpret::HeadScores& from) {
  if (!from.has(interpret::kAnswer)) return;
  const auto& kinds = interpret::score_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [](const auto& k) { return std::string_view(k.key) == interpret::kAnswer; });
  const auto index = static_cast<std::size_t>(kind - kinds.begin());
  scores.values.resize(std::max(scores.values.size(), index + 1));
  scores.values[index] = from.values[index];
}

}  // namespace

EvaluationSets::EvaluationSets(const tasks::Task& task, std::uint64_t seed)
    : task_(task),
      rng_(seed),
      evaluated_(tasks::draw_batch(task, task.training, bounded(kEvaluated, task.config.n_ctx),
                                   of_evaluation(rng_))),
      evaluated_along_the_way_(along_the_way(evaluated_)) {
  if (task.held_out) {
    held_out_ =
        tasks::draw_batch(task, task.held_out, bounded(kEvaluated, task.config.n_ctx), of_held_out(rng_));
    held_out_along_the_way_ = along_the_way(*held_out_);
  }
  scored_ = drawn_for_scores(task, rng_.stream("scores"));
  if (!scored_) return;
  scored_along_the_way_ = tasks::batch_rows(*scored_, 0, kScoredAlongTheWay);
  if (task.scored_on.empty()) return;  // its sequences for scoring are its own
  tasks::Batch own = tasks::draw_batch(task, task.training, kScored, rng_.stream("answers"));
  if (own.answers.size() == 0) return;
  answered_along_the_way_ = tasks::batch_rows(own, 0, kScoredAlongTheWay);
  answered_ = std::move(own);
}

train::Evaluation EvaluationSets::evaluate(const nn::Transformer& model, ThreadPool& pool,
                                           Extent extent) const {
  return train::evaluate(model, extent == Extent::full ? evaluated_ : evaluated_along_the_way_, pool);
}

std::optional<train::Evaluation> EvaluationSets::evaluate_held_out(const nn::Transformer& model,
                                                                   ThreadPool& pool, Extent extent) const {
  if (!held_out_) return {};
  return train::evaluate(model, extent == Extent::full ? *held_out_ : *held_out_along_the_way_, pool);
}

double EvaluationSets::guessing() const {
  std::map<std::int32_t, std::size_t> counts;
  std::size_t all = 0, most = 0;
  for (std::size_t i = 0; i < evaluated_.predictable.size(); ++i) {
    if (!evaluated_.predictable.data()[i]) continue;
    ++all;
    most = std::max(most, ++counts[evaluated_.targets.data()[i]]);
  }
  return all == 0 ? 0 : static_cast<double>(most) / static_cast<double>(all);
}

std::vector<Baseline> EvaluationSets::baselines() const {
  const std::size_t count = bounded(kEvaluated, task_.config.n_ctx);
  std::vector<Baseline> all = run::baselines(task_, count, of_evaluation(rng_));
  for (std::size_t i = 0; task_.held_out && i < task_.references.size(); ++i)
    all[i].loss_held_out = mean_loss(task_, task_.references[i], task_.held_out, count, of_held_out(rng_));
  return all;
}

std::vector<interpret::HeadScores> EvaluationSets::score_heads(const nn::Transformer& model, ThreadPool& pool,
                                                               Extent extent) const {
  if (!scored_) return {};
  const bool full = extent == Extent::full;
  std::vector<interpret::HeadScores> scores =
      interpret::score_heads(model, *(full ? scored_ : scored_along_the_way_), pool);
  if (!answered_) return scores;
  const auto own = interpret::score_heads(model, *(full ? answered_ : answered_along_the_way_), pool);
  for (std::size_t i = 0; i < scores.size(); ++i) take_answer(scores[i], own[i]);
  return scores;
}

}  // namespace headlight::run

#include "headlight/experiment/probes.h"

namespace headlight::inline HEADLIGHT_PRECISION::experiment {
namespace {

constexpr std::size_t kEvaluated = 256, kEvaluatedAlongTheWay = 32;
constexpr std::size_t kScored = 32, kScoredAlongTheWay = 16;

}  // namespace

Probes::Probes(const tasks::Task& task, std::uint64_t seed)
    : task_(task),
      rng_(seed),
      evaluated_(tasks::draw_batch(task, task.training, kEvaluated, rng_.stream("evaluation"))),
      evaluated_along_the_way_(tasks::batch_rows(evaluated_, 0, kEvaluatedAlongTheWay)) {
  if (!task.scored) return;
  scored_ = tasks::draw_batch(task, task.scored, kScored, rng_.stream("scores"));
  scored_along_the_way_ = tasks::batch_rows(*scored_, 0, kScoredAlongTheWay);
}

train::Evaluation Probes::evaluate(const nn::Transformer& model, ThreadPool& pool, Extent extent) const {
  return train::evaluate(model, extent == Extent::full ? evaluated_ : evaluated_along_the_way_, pool);
}

std::optional<train::Evaluation> Probes::evaluate_held_out(const nn::Transformer& model,
                                                           ThreadPool& pool) const {
  if (!task_.held_out) return {};
  const auto batch = tasks::draw_batch(task_, task_.held_out, kEvaluated, rng_.stream("held out"));
  return train::evaluate(model, batch, pool);
}

std::vector<interpret::HeadScores> Probes::score_heads(const nn::Transformer& model, Extent extent) const {
  if (!scored_) return {};
  return interpret::score_heads(model, (extent == Extent::full ? scored_ : scored_along_the_way_)->tokens);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::experiment

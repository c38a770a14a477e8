#include "headlight/run/baselines.h"

#include <cmath>

#include "headlight/core/check.h"
#include "headlight/tasks/batch.h"

namespace headlight::run {
namespace {

// The means over all targets, and over the predictable and the other ones.
class LossMeans {
 public:
  void add(const tasks::Sequence& s, const std::vector<double>& losses) {
    check(losses.size() == s.targets.size(), "[baselines] there are {} losses for {} targets.", losses.size(),
          s.targets.size());
    double sum = 0, targets = 0;
    for (std::size_t t = 0; t < losses.size(); ++t) {
      if (s.targets[t] == tasks::kNoTarget) continue;
      check(std::isfinite(losses[t]) && losses[t] >= 0, "[baselines] a loss cannot be {}.", losses[t]);
      const bool predictable = s.predictable.empty() || s.predictable[t];
      (predictable ? predictable_ : unpredictable_) += losses[t];
      ++(predictable ? n_predictable_ : n_unpredictable_);
      sum += losses[t], ++targets;
    }
    if (targets > 0) of_sequences_.push_back(sum / targets);
  }

  double standard_error() const {
    const auto n = static_cast<double>(of_sequences_.size());
    if (n < 2) return 0;
    double mean = 0, squares = 0;
    for (const double loss : of_sequences_) mean += loss / n;
    for (const double loss : of_sequences_) squares += (loss - mean) * (loss - mean);
    return std::sqrt(squares / (n - 1) / n);
  }

  train::Evaluation means() const {
    train::Evaluation e;
    if (n_predictable_ > 0) e.loss_predictable = predictable_ / n_predictable_;
    if (n_unpredictable_ > 0) e.loss_unpredictable = unpredictable_ / n_unpredictable_;
    e.loss = (predictable_ + unpredictable_) / (n_predictable_ + n_unpredictable_);
    return e;
  }

 private:
  std::vector<double> of_sequences_;  // the mean of each
  double predictable_ = 0, unpredictable_ = 0, n_predictable_ = 0, n_unpredictable_ = 0;
};

}  // namespace

std::vector<Baseline> baselines(const tasks::Task& task, std::size_t count, const Rng& rng) {
  std::vector<tasks::Reference> predictors = task.references;
  if (task.best_loss) predictors.push_back({kBestPossible, task.best_loss});
  std::vector<LossMeans> means(predictors.size());
  for (std::size_t i = 0; i < count && !predictors.empty(); ++i) {
    const tasks::Sequence s = tasks::draw_sequence(task, task.training, rng, i);
    for (std::size_t p = 0; p < predictors.size(); ++p) means[p].add(s, predictors[p].losses(s));
  }
  std::vector<Baseline> all;
  for (std::size_t p = 0; p < predictors.size(); ++p)
    all.push_back({predictors[p].name, means[p].means(), {}, means[p].standard_error()});
  return all;
}

double mean_loss(const tasks::Task& task, const tasks::Reference& predictor,
                 const tasks::Generator& sequences, std::size_t count, const Rng& rng) {
  LossMeans means;
  for (std::size_t i = 0; i < count; ++i) {
    const tasks::Sequence s = tasks::draw_sequence(task, sequences, rng, i);
    means.add(s, predictor.losses(s));
  }
  return means.means().loss;
}

std::optional<train::Evaluation> best_possible(const std::vector<Baseline>& baselines) {
  for (const Baseline& y : baselines)
    if (y.name == kBestPossible) return y.losses;
  return {};
}

}  // namespace headlight::run

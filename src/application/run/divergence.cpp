#include "headlight/run/divergence.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "headlight/train/trainer.h"

namespace headlight::run {
namespace {

constexpr double kFarAbove = 1.5, kNear = 0.01, kLittle = 0.05;

// The loss from which the model has learned next to nothing: within 1 % of guessing, and of what the best
// possible predictor gains over guessing, less than a twentieth.
double loss_of_little(const Results& r, double guessing) {
  const std::optional<train::Evaluation> best = best_possible(r.baselines);
  return guessing - std::min(kNear * guessing, best ? kLittle * (guessing - best->loss) : guessing);
}

std::string learned_nothing(const Results& r, const RunConfig& config) {
  const double guessing = loss_of_guessing(config);
  if (r.evaluation.loss >= guessing)
    return fmt::format(
        "The model has learned nothing yet: its loss is {:.2f} nats, and guessing gives ln {} = {:.2f}.",
        r.evaluation.loss, config.task.d_vocab, guessing);
  const std::optional<train::Evaluation> best = best_possible(r.baselines);
  return fmt::format(
      "The model has learned next to nothing yet: its loss is {:.3f} nats, and guessing gives ln {} = "
      "{:.3f}{}.",
      r.evaluation.loss, config.task.d_vocab, guessing,
      best ? fmt::format("; the best possible predictor has {:.3f}", best->loss) : "");
}

}  // namespace

double loss_of_guessing(const RunConfig& config) {
  return std::log(static_cast<double>(config.task.d_vocab));
}

void check_finite(const train::Evaluation& evaluation, std::int64_t step, const RunConfig& config) {
  if (std::isfinite(evaluation.loss)) return;
  throw train::Diverged(fmt::format(
      "training stopped at step {}: the evaluated loss is not finite. Hint: a smaller learning rate than {}, "
      "or a longer warm-up.",
      step, config.train.learning_rate));
}

bool diverged(const Results& r, const RunConfig& config) {
  return r.evaluation.loss > kFarAbove * std::max(r.loss_first, loss_of_guessing(config));
}

std::string advice(const Results& r, const RunConfig& config) {
  const double guessing = loss_of_guessing(config), rate = config.train.learning_rate;
  const train::TrainConfig defaults;
  const std::string lower =
      fmt::format("a learning rate (--lr) below {}; the default is {}", rate, defaults.learning_rate);
  if (diverged(r, config))
    return fmt::format("Training diverged: the loss rose from {:.2f} to {:.{}f} nats. Hint: {}.",
                       r.loss_first, r.evaluation.loss, r.evaluation.loss < 100 ? 2 : 0, lower);
  const bool untrained = r.steps <= 1;  // as a lab begins
  if (r.evaluation.loss < loss_of_little(r, guessing) || untrained) return "";
  // Up to the default the loss does not tell which of the two is amiss: another optimizer needs another rate.
  const std::string hint =
      rate > defaults.learning_rate
          ? lower
          : fmt::format("more steps of training (--steps) than {}, or another learning rate (--lr) than {}",
                        r.steps, rate);
  return fmt::format("{} Hint: {}.", learned_nothing(r, config), hint);
}

}  // namespace headlight::run

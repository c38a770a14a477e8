#include "headlight/train/config.h"

#include <algorithm>

#include "headlight/core/setting_text.h"
#include "headlight/optim/optimizer.h"
#include "headlight/optim/schedule.h"

namespace headlight::train {
namespace {

std::string not_one(const SettingValue& value) {
  return std::get<std::uint64_t>(value) != 1 ? "" : "0, or at least 2 for the first and the last snapshot";
}

// Beyond the bound no memory holds a batch.
std::string from_1_to_a_million(const SettingValue& value) {
  constexpr std::uint64_t kMost = 1'000'000;
  const auto count = std::get<std::uint64_t>(value);
  if (count < 1) return "at least 1";
  return count <= kMost ? "" : fmt::format("at most {}", kMost);
}

}  // namespace

const std::vector<Setting<TrainConfig>>& settings() {
  using C = TrainConfig;
  static const std::vector<Setting<C>> rows{
      setting("steps", "--steps", "Training steps", &C::steps, at_least(1)),
      setting("batch", "--batch", "Sequences in a step", &C::batch, from_1_to_a_million),
      setting("shards", "--shards", "Parts of a batch, for the threads (256 tokens each are fast)",
              &C::shards, from_1_to_a_million),
      choice("optimizer", "--optimizer", "How gradients change the parameters", &C::optimizer,
             optim::optimizers),
      setting("learning_rate", "--lr", "Learning rate", &C::learning_rate, above(0)),
      choice("schedule", "--schedule", "How the learning rate changes", &C::schedule, optim::schedules),
      setting("warmup", "--warmup", "Steps until the full learning rate", &C::warmup, at_least(0)),
      setting("decay_part", "--decay-part", "Last part of the steps, in which the schedule wsd comes down",
              &C::decay_part, from_to_below(0, 1)),
      setting("beta1", "--beta1", "Adam's β₁, momentum of the others", &C::beta1, from_to_below(0, 1)),
      setting("beta2", "--beta2", "Adam's β₂", &C::beta2, from_to_below(0, 1)),
      setting("weight_decay", "--weight-decay", "Weight decay, of biases and gains of norms too",
              &C::weight_decay, at_least(0)),
      setting("clip", "--clip", "Bound on the gradient norm; 0: none", &C::clip, at_least(0)),
      setting("label_smoothing", "--label-smoothing",
              "Part of the target's probability that training spreads over all tokens", &C::label_smoothing,
              from_to_below(0, 1)),
      setting("average", "--average",
              "Decay of a moving average of the parameters, which is then evaluated and saved; 0: none",
              &C::average, from_to_below(0, 1)),
      setting("evaluate_every", "--evaluate-every", "Steps between evaluations", &C::evaluate_every,
              at_least(1)),
      setting("history", "--history",
              "Snapshots of the parameters kept for the report; 0: none, and no report", &C::history,
              not_one),
      setting("seed", "--seed", "Random seed", &C::seed)};
  return rows;
}

double learning_rate_at(const TrainConfig& c, std::int64_t step) {
  const optim::Schedule& schedule = optim::schedules().find(c.schedule);
  return schedule({.peak = c.learning_rate, .warmup = c.warmup, .total = c.steps, .decay_part = c.decay_part},
                  step);
}

void check_config(const TrainConfig& c) {
  check_settings(settings(), c, "train");
  if (c.batch % c.shards == 0) return;
  std::size_t divisor = std::min(c.batch, c.shards);
  while (c.batch % divisor != 0) --divisor;
  fail_setting("a batch of {} sequences cannot be cut into {} equal shards. Hint: {} divides it.", c.batch,
               c.shards, setting_key("train.shards", divisor));
}

}  // namespace headlight::train

// What people get wrong in parts 1 and 2 of exercise 4.
#pragma once

#include <algorithm>
#include <numeric>

#include "exercise.h"
#include "grader/slips.h"
#include "headlight/optim/adam.h"
#include "spiral.h"

namespace mistakes {

using grader::Made, grader::Slip;
// The headings of the text to read again.
inline constexpr auto kLoop = "The loop", kOneBatch = "Overfit one batch first", kRates = "The learning rate",
                      kMoments = "Momentum, Adam, AdamW", kSpirals = "Two spirals", kSeeds = "Seeds";

using Loss = std::function<Tensor()>;
using TrainUntil = std::function<std::vector<double>(double, std::size_t, const Loss&, optim::Optimizer&)>;
using BestRate = std::function<double(const std::vector<double>&)>;

// Whether a learner stops at this loss.
inline bool is_enough(const Made& made, double loss, double enough) {
  if (made("never-stops-early")) return false;
  if (made("stops-at-once-above")) return loss > enough;
  return made("stops-below") ? loss < enough : loss <= enough;
}

// The gradients of the loss, and the step.
inline void update(const Made& made, const Tensor& loss, optim::Optimizer& optimizer) {
  const bool late = made("zeroed-after-the-step");
  if (!late && !made("gradients-kept")) optimizer.zero_grad();
  if (!made("step-without-gradients")) loss.backward();
  if (!made("no-step")) optimizer.step();
  if (late) optimizer.zero_grad();
}

inline std::vector<double> train(const Made& made, double enough, std::size_t most, const Loss& loss,
                                 optim::Optimizer& optimizer) {
  if (made("a-step-too-few")) --most;
  if (made("a-round-too-many")) ++most;
  const bool late = made("a-step-too-many") || made("loss-after-the-step");
  std::vector<double> losses;
  Tensor now = loss();
  for (std::size_t step = 0; step < most; ++step) {
    if (!made("loss-computed-once")) now = loss();
    if (late) update(made, now, optimizer);
    if (made("loss-after-the-step")) now = loss();
    const bool stops = is_enough(made, now.item(), enough);
    if (!stops || !made("the-last-loss-not-noted")) losses.push_back(now.item());
    if (stops || (made("last-step-not-taken") && step + 1 == most)) break;
    if (!late) update(made, now, optimizer);
  }
  return losses;
}

inline const std::vector<Slip> kSlipsInTraining = {
    {"gradients-kept",
     "You never call zero_grad() in the loop. backward() adds to the gradients that stand there, so call "
     "zero_grad() before each backward().",
     kOneBatch},
    {"zeroed-after-the-step",
     "You call zero_grad() only after a step. What stood in the gradients before you began goes into your "
     "first step: clear them before backward().",
     kLoop},
    {"step-without-gradients",
     "Your step finds no gradients. Call zero_grad(), then backward(), then step(): zero_grad() between the "
     "two deletes the gradients, and a step before backward() comes too early.",
     kLoop},
    {"loss-computed-once",
     "You call loss() once, before the loop. Each step needs the loss of the parameters as they are then: "
     "call it in the loop.",
     kLoop},
    {"no-step", "You never call step(), so the parameters stay as they are.", kLoop},
    {"loss-after-the-step",
     "You note the loss that a step leads to. Note the one that it starts from: the first loss is that of "
     "the parameters as you were given them.",
     kLoop},
    {"a-step-too-many",
     "You look whether the loss is small enough after you have taken the step. Look before: from a loss that "
     "is small enough no step is taken.",
     kLoop},
    {"never-stops-early",
     "You take all steps, whatever the loss. Stop as soon as a loss is at most `enough`.", kLoop},
    {"stops-below",
     "You stop when a loss is less than `enough`. Stop also when it is equal: at most means <=.", kLoop},
    {"stops-at-once-above",
     "Your comparison is turned round: you stop when the loss is still larger than `enough`.", kLoop},
    {"a-step-too-few", "You take one step less than `most`. Count the steps from 0 and while step < most.",
     kLoop},
    {"last-step-not-taken",
     "You note the last loss and take no step from it. Only a loss that is at most `enough` is not followed "
     "by a step.",
     kLoop},
    {"the-last-loss-not-noted",
     "You stop before you note the loss that was small enough. Note each loss first, then ask whether it is "
     "at most `enough`.",
     kLoop},
    {"a-round-too-many",
     "Your loop goes one round too far: from 0 up to and including `most` there are most + 1 steps.", kLoop}};

// The curvature, by which a learner divides.
inline double curvature(const Made& made, const std::vector<double>& c) {
  const auto [least, most] = std::minmax_element(c.begin(), c.end());
  const double flattest = made("first-and-last") ? c.front() : *least,
               steepest = made("first-and-last") ? c.back() : *most,
               all = std::accumulate(c.begin(), c.end(), 0.0);
  if (made("the-limit")) return steepest;
  if (made("steepest-alone")) return 2 * steepest;
  if (made("flattest-alone")) return 2 * flattest;
  if (made("mean-curvature")) return 2 * all / static_cast<double>(c.size());
  if (made("two-over-the-sum")) return all;
  if (made("two-over-the-product")) return steepest * flattest;
  if (made("difference")) return steepest - flattest;
  if (made("root-of-the-product")) return 2 * std::sqrt(steepest * flattest);
  return made("mean-of-two-rates") ? 4 / (1 / steepest + 1 / flattest) : steepest + flattest;
}

inline double rate(const Made& made, const std::vector<double>& c) {
  const double factor = (made("half-the-rate") ? 0.5 : 1) * (made("twice-the-rate") ? 2 : 1);
  const double two_c = curvature(made, c);
  return factor * (made("not-inverted") ? two_c / 2 : 2 / two_c);
}

inline const std::vector<Slip> kSlipsInRates = {
    {"the-limit",
     "You return 2 / c of the steepest direction. With this rate its distance changes sign in each step and "
     "never shrinks: it is the limit, not the best. Or your smallest curvature is 0: a smallest that "
     "begins with 0 stays 0.",
     kRates},
    {"steepest-alone",
     "You return 1 / c of the steepest direction. That ends its distance in one step. The flattest direction "
     "is the slow one, and a larger rate helps it.",
     kRates},
    {"flattest-alone",
     "You return 1 / c of the flattest direction. With this rate the steepest distance grows in each step if "
     "its c is more than twice as large.",
     kRates},
    {"mean-curvature",
     "You used the mean of all curvatures. Only the steepest and the flattest direction matter: all others "
     "shrink faster than the slower of these two.",
     kRates},
    {"two-over-the-sum",
     "You divided by the sum of all curvatures. That is right for two directions. Of several, only the "
     "steepest and the flattest matter.",
     kRates},
    {"first-and-last",
     "You used the first and the last curvature. They come in any order: find the largest and the smallest.",
     kRates},
    {"not-inverted",
     "You return a mean of curvatures. A rate is small where a curvature is large: it is 2 divided by their "
     "sum.",
     kRates},
    {"difference",
     "You subtracted the two curvatures. With opposite factors, rate · steepest - 1 = 1 - rate · flattest, "
     "their sum remains.",
     kRates},
    {"two-over-the-product",
     "You divided by the product of both curvatures. Make the two factors opposite: rate · steepest - 1 = "
     "1 - rate · flattest. Their sum remains.",
     kRates},
    {"root-of-the-product",
     "You used the root of the product of both curvatures. Make the two factors opposite: rate · steepest - "
     "1 = 1 - rate · flattest. Their sum remains.",
     kRates},
    {"half-the-rate",
     "There is a factor of 1/2 too many in your rate. Make the two factors opposite: rate · steepest - 1 = 1 "
     "- rate · flattest.",
     kRates},
    {"twice-the-rate",
     "There is a factor of 2 too many in your rate. Make the two factors opposite: rate · steepest - 1 = 1 - "
     "rate · flattest.",
     kRates},
    {"mean-of-two-rates",
     "You took the middle between the best rates of the steepest and of the flattest direction. It is the "
     "factors 1 - rate · c that should be equal in size.",
     kRates}};

}  // namespace mistakes

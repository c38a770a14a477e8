// What people get wrong in parts 1 and 2 of exercise 4.
#pragma once

#include <algorithm>

#include "exercise.h"
#include "grader/part.h"
#include "headlight/optim/adam.h"
#include "spiral.h"

namespace mistakes {

using grader::Mistake;
using Loss = std::function<Tensor()>;
using TrainUntil = std::vector<double> (*)(double, std::size_t, const Loss&, optim::Optimizer&);
using BestRate = double (*)(const std::vector<double>&);

inline std::vector<double> gradients_kept(double enough, std::size_t most, const Loss& loss,
                                          optim::Optimizer& optimizer) {
  std::vector<double> losses;
  for (std::size_t step = 0; step < most; ++step) {
    const Tensor now = loss();
    losses.push_back(now.item());
    if (now.item() <= enough) break;
    now.backward();
    optimizer.step();
  }
  return losses;
}

inline std::vector<double> zeroed_after(double enough, std::size_t most, const Loss& loss,
                                        optim::Optimizer& optimizer) {
  std::vector<double> losses;
  for (std::size_t step = 0; step < most; ++step) {
    const Tensor now = loss();
    losses.push_back(now.item());
    if (now.item() <= enough) break;
    now.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  return losses;
}

inline std::vector<double> noted_after_the_step(double enough, std::size_t most, const Loss& loss,
                                                optim::Optimizer& optimizer) {
  std::vector<double> losses;
  for (std::size_t step = 0; step < most; ++step) {
    optimizer.zero_grad();
    loss().backward();
    optimizer.step();
    losses.push_back(loss().item());
    if (losses.back() <= enough) break;
  }
  return losses;
}

inline std::vector<double> step_too_many(double enough, std::size_t most, const Loss& loss,
                                         optim::Optimizer& optimizer) {
  std::vector<double> losses;
  for (std::size_t step = 0; step < most; ++step) {
    const Tensor now = loss();
    losses.push_back(now.item());
    optimizer.zero_grad();
    now.backward();
    optimizer.step();
    if (now.item() <= enough) break;
  }
  return losses;
}

inline std::vector<double> never_enough(double, std::size_t most, const Loss& loss,
                                        optim::Optimizer& optimizer) {
  return solution::train_until(-1e300, most, loss, optimizer);
}

inline std::vector<double> stops_below(double enough, std::size_t most, const Loss& loss,
                                       optim::Optimizer& optimizer) {
  return solution::train_until(std::nextafter(enough, -1e300), most, loss, optimizer);
}

inline std::vector<double> step_too_few(double enough, std::size_t most, const Loss& loss,
                                        optim::Optimizer& optimizer) {
  return solution::train_until(enough, most - 1, loss, optimizer);
}

inline std::vector<double> last_one_not_noted(double enough, std::size_t most, const Loss& loss,
                                              optim::Optimizer& optimizer) {
  std::vector<double> losses = solution::train_until(enough, most, loss, optimizer);
  if (!losses.empty() && losses.back() <= enough) losses.pop_back();
  return losses;
}

inline std::vector<double> up_to_most(double enough, std::size_t most, const Loss& loss,
                                      optim::Optimizer& optimizer) {
  return solution::train_until(enough, most + 1, loss, optimizer);
}

inline std::vector<Mistake<TrainUntil>> of_train_until() {
  const std::string loop = "The loop", batch = "Overfit one batch first";
  return {
      {"gradients-kept",
       "You never call zero_grad() in the loop. backward() adds to the gradients that stand there, so call "
       "zero_grad() before each backward().",
       batch, gradients_kept},
      {"zeroed-after-the-step",
       "You call zero_grad() only after a step. What stood in the gradients before you began goes into your "
       "first step: clear them before backward().",
       loop, zeroed_after},
      {"loss-after-the-step",
       "You note the loss that a step leads to. Note the one that it starts from: the first loss is that of "
       "the parameters as you were given them.",
       loop, noted_after_the_step},
      {"a-step-too-many",
       "You look whether the loss is small enough after you have taken the step. Look before: from a loss "
       "that "
       "is small enough no step is taken.",
       loop, step_too_many},
      {"never-stops-early",
       "You take all steps, whatever the loss. Stop as soon as a loss is at most `enough`.", loop,
       never_enough},
      {"stops-below",
       "You stop when a loss is less than `enough`. Stop also when it is equal: at most means <=.", loop,
       stops_below},
      {"a-step-too-few", "You take one step less than `most`. Count the steps from 0 and while step < most.",
       loop, step_too_few},
      {"the-last-loss-not-noted",
       "You stop before you note the loss that was small enough. Note each loss first, then ask whether it "
       "is at most `enough`.",
       loop, last_one_not_noted},
      {"a-round-too-many",
       "Your loop goes one round too far: from 0 up to and including `most` there are most + 1 steps.", loop,
       up_to_most}};
}

inline std::vector<grader::Together<TrainUntil>> together_in_train_until() {
  return {{{"loss-after-the-step", "never-stops-early"},
           [](double, std::size_t most, const Loss& loss, optim::Optimizer& optimizer) {
             return noted_after_the_step(-1e300, most, loss, optimizer);
           }},
          {{"zeroed-after-the-step", "never-stops-early"},
           [](double, std::size_t most, const Loss& loss, optim::Optimizer& optimizer) {
             return zeroed_after(-1e300, most, loss, optimizer);
           }}};
}

inline double steepest(const std::vector<double>& c) { return *std::max_element(c.begin(), c.end()); }
inline double flattest(const std::vector<double>& c) { return *std::min_element(c.begin(), c.end()); }
inline double total(const std::vector<double>& c) {
  double sum = 0;
  for (double each : c) sum += each;
  return sum;
}

inline double the_limit(const std::vector<double>& c) { return 2 / steepest(c); }
inline double for_the_steepest(const std::vector<double>& c) { return 1 / steepest(c); }
inline double for_the_flattest(const std::vector<double>& c) { return 1 / flattest(c); }
inline double for_the_mean(const std::vector<double>& c) { return static_cast<double>(c.size()) / total(c); }
inline double two_over_all(const std::vector<double>& c) { return 2 / total(c); }
inline double first_and_last(const std::vector<double>& c) { return 2 / (c.front() + c.back()); }
inline double one_over_both(const std::vector<double>& c) { return 1 / (steepest(c) + flattest(c)); }
inline double half_of_both_rates(const std::vector<double>& c) {
  return 0.5 / steepest(c) + 0.5 / flattest(c);
}

inline double twice_the_rate(const std::vector<double>& c) { return 2 * solution::best_rate(c); }

inline std::vector<Mistake<BestRate>> of_best_rate() {
  const std::string read = "The learning rate";
  return {
      {"the-limit",
       "You return 2 / c of the steepest direction. With this rate its distance changes sign in each step "
       "and "
       "never shrinks: it is the limit, not the best.",
       read, the_limit},
      {"steepest-alone",
       "You return 1 / c of the steepest direction. That ends its distance in one step. The flattest "
       "direction "
       "is the slow one, and a larger rate helps it.",
       read, for_the_steepest},
      {"flattest-alone",
       "You return 1 / c of the flattest direction. With this rate the steepest distance grows in each step "
       "if "
       "its c is more than twice as large.",
       read, for_the_flattest},
      {"mean-curvature",
       "You used the mean of all curvatures. Only the steepest and the flattest direction matter: all others "
       "shrink faster than the slower of these two.",
       read, for_the_mean},
      {"two-over-the-sum",
       "You divided by the sum of all curvatures. That is right for two directions. Of several, only the "
       "steepest and the flattest matter.",
       read, two_over_all},
      {"first-and-last",
       "You used the first and the last curvature. They come in any order: find the largest and the "
       "smallest.",
       read, first_and_last},
      {"half-the-rate",
       "Your rate is half of the best one. Make the two factors opposite: rate · steepest - 1 = 1 - rate · "
       "flattest.",
       read, one_over_both},
      {"twice-the-rate",
       "Your rate is twice the best one: the steepest direction then moves away. Make the two factors "
       "opposite: rate · steepest - 1 = 1 - rate · flattest.",
       read, twice_the_rate},
      {"mean-of-two-rates",
       "You took the middle between the best rates of the steepest and of the flattest direction. It is the "
       "factors 1 - rate · c that should be equal in size.",
       read, half_of_both_rates}};
}

}  // namespace mistakes

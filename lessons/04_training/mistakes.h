// What people get wrong in parts 1 and 2 of exercise 4.
#pragma once

#include "exercise.h"
#include "grader/part.h"
#include "headlight/optim/adam.h"
#include "spiral.h"

namespace mistakes {

using grader::Mistake;
using Loss = std::function<Tensor()>;
using TrainUntil = std::vector<double> (*)(double, std::size_t, const Loss&, optim::Optimizer&);
using MomentumStep = void (*)(Array&, Array&, const Array&, double, double);

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

inline std::vector<double> step_too_few(double enough, std::size_t most, const Loss& loss,
                                        optim::Optimizer& optimizer) {
  return solution::train_until(enough, most - 1, loss, optimizer);
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
      {"a-step-too-few", "You take one step less than `most`. Count the steps from 0 and while step < most.",
       loop, step_too_few}};
}

// A mistake in one number: how w and v move with gradient g, rate and momentum.
template <class Move>
void each(Array& w, Array& v, const Array& g, Move move) {
  for (std::size_t i = 0; i < w.size(); ++i) move(w.data()[i], v.data()[i], g.data()[i]);
}

inline void plain_descent(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) {
    vi = momentum * vi + gi;
    wi -= rate * gi;
  });
}

inline void velocity_not_kept(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) { wi -= rate * (momentum * vi + gi); });
}

inline void step_before_the_velocity(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) {
    wi -= rate * vi;
    vi = momentum * vi + gi;
  });
}

inline void damped(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) {
    vi = momentum * vi + (1 - momentum) * gi;
    wi -= rate * vi;
  });
}

inline void rate_in_the_velocity(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) {
    vi = momentum * vi + rate * gi;
    wi -= vi;
  });
}

inline void downhill_velocity(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) {
    vi = momentum * vi - rate * gi;
    wi += vi;
  });
}

inline void nesterov(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) {
    vi = momentum * vi + gi;
    wi -= rate * (gi + momentum * vi);
  });
}

inline void uphill(Array& w, Array& v, const Array& g, double rate, double momentum) {
  solution::momentum_step(w, v, g, -rate, momentum);
}

inline void momentum_on_the_gradient(Array& w, Array& v, const Array& g, double rate, double momentum) {
  each(w, v, g, [=](double& wi, double& vi, double gi) {
    vi = vi + momentum * gi;
    wi -= rate * vi;
  });
}

inline std::vector<Mistake<MomentumStep>> of_momentum_step() {
  const std::string read = "Momentum, Adam, AdamW";
  return {
      {"plain-descent", "You step by the gradient. The step is rate · v, with the new velocity.", read,
       plain_descent},
      {"velocity-not-kept",
       "v is as it was before the step: the next step needs the new velocity, so store it in v.", read,
       velocity_not_kept},
      {"momentum-after-the-step",
       "You step with the old velocity and update it afterwards. First v, then w: otherwise each gradient "
       "acts one "
       "step late.",
       read, step_before_the_velocity},
      {"damped",
       "You multiply the gradient by 1 - momentum, as Adam does for its mean. Here the gradient counts in "
       "full.",
       read, damped},
      {"rate-in-the-velocity",
       "You put the rate into the velocity. Here v is a sum of gradients, and the rate multiplies the step: "
       "a new "
       "rate then acts at once.",
       read, rate_in_the_velocity},
      {"velocity-downhill",
       "Your velocity is minus the rate times what it is here: the form of other textbooks. Here v adds up "
       "gradients, and the step is -rate · v.",
       read, downhill_velocity},
      {"nesterov",
       "This is Nesterov's momentum, which looks one step ahead. Here the step is rate · v alone.", read,
       nesterov},
      {"uphill", "You add the step. The gradient points uphill: subtract it.", "A line, a loss, a step",
       uphill},
      {"momentum-on-the-gradient",
       "You multiply the gradient by the momentum, so the velocity never fades. The old velocity is what "
       "shrinks.",
       read, momentum_on_the_gradient}};
}

}  // namespace mistakes

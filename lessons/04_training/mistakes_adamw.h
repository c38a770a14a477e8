// What people get wrong in part 3 of exercise 4.
#pragma once

#include "exercise.h"
#include "grader/part.h"
#include "headlight/optim/adam.h"

namespace mistakes {

using grader::Mistake;
using optim::AdamConfig;
using AdamWStep = void (*)(Array&, Array&, Array&, const Array&, std::size_t, const AdamConfig&);

// The numbers that one step of AdamW moves, and those that it looks at.
struct One {
  double &w, &m, &v;
  double g, t;
  const AdamConfig& c;
};

template <class Step>
void each_of(Array& w, Array& m, Array& v, const Array& g, std::size_t t, const AdamConfig& c, Step step) {
  for (std::size_t i = 0; i < w.size(); ++i)
    step(One{w.data()[i], m.data()[i], v.data()[i], g.data()[i], static_cast<double>(t), c});
}

inline void update_means(const One& o) {
  o.m = o.c.beta1 * o.m + (1 - o.c.beta1) * o.g;
  o.v = o.c.beta2 * o.v + (1 - o.c.beta2) * o.g * o.g;
}
inline double m_hat(const One& o) { return o.m / (1 - std::pow(o.c.beta1, o.t)); }
inline double v_hat(const One& o) { return o.v / (1 - std::pow(o.c.beta2, o.t)); }
inline double adam(const One& o) { return m_hat(o) / (std::sqrt(v_hat(o)) + o.c.eps); }

// Decay as it should be, and this step.
inline void decay_and_step(const One& o, double direction) {
  o.w -= o.c.learning_rate * (o.c.weight_decay * o.w + direction);
}

// A version of adamw_step from what it does with one number.
template <auto step>
void adamw(Array& w, Array& m, Array& v, const Array& g, std::size_t t, const AdamConfig& c) {
  each_of(w, m, v, g, t, c, step);
}

inline void no_correction(const One& o) {
  update_means(o);
  decay_and_step(o, o.m / (std::sqrt(o.v) + o.c.eps));
}

inline void v_not_corrected(const One& o) {
  update_means(o);
  decay_and_step(o, m_hat(o) / (std::sqrt(o.v) + o.c.eps));
}

inline void power_forgotten(const One& o) {
  update_means(o);
  decay_and_step(o, o.m / (1 - o.c.beta1) / (std::sqrt(o.v / (1 - o.c.beta2)) + o.c.eps));
}

inline void one_step_late(const One& o) {
  update_means(o);
  decay_and_step(o, adam({o.w, o.m, o.v, o.g, o.t + 1, o.c}));
}

inline void corrected_in_place(const One& o) {
  update_means(o);
  o.m = m_hat(o);
  o.v = v_hat(o);
  decay_and_step(o, o.m / (std::sqrt(o.v) + o.c.eps));
}

inline void decay_in_the_gradient(const One& o) {
  update_means({o.w, o.m, o.v, o.g + o.c.weight_decay * o.w, o.t, o.c});
  o.w -= o.c.learning_rate * adam(o);
}

inline void decay_without_rate(const One& o) {
  update_means(o);
  o.w -= o.c.weight_decay * o.w + o.c.learning_rate * adam(o);
}

inline void decay_after_the_step(const One& o) {
  update_means(o);
  o.w -= o.c.learning_rate * adam(o);
  o.w -= o.c.learning_rate * o.c.weight_decay * o.w;
}

inline void decay_with_the_wrong_sign(const One& o) {
  update_means(o);
  o.w -= o.c.learning_rate * (adam(o) - o.c.weight_decay * o.w);
}

inline void no_decay(const One& o) {
  update_means(o);
  o.w -= o.c.learning_rate * adam(o);
}

inline void root_forgotten(const One& o) {
  update_means(o);
  decay_and_step(o, m_hat(o) / (v_hat(o) + o.c.eps));
}

inline void eps_in_the_root(const One& o) {
  update_means(o);
  decay_and_step(o, m_hat(o) / std::sqrt(v_hat(o) + o.c.eps));
}

inline void eps_before_correction(const One& o) {
  update_means(o);
  decay_and_step(o, m_hat(o) * std::sqrt(1 - std::pow(o.c.beta2, o.t)) / (std::sqrt(o.v) + o.c.eps));
}

inline void gradient_not_squared(const One& o) {
  o.m = o.c.beta1 * o.m + (1 - o.c.beta1) * o.g;
  o.v = o.c.beta2 * o.v + (1 - o.c.beta2) * o.g;
  decay_and_step(o, adam(o));
}

inline void factor_squared(const One& o) {
  const double part = (1 - o.c.beta2) * o.g;
  o.m = o.c.beta1 * o.m + (1 - o.c.beta1) * o.g;
  o.v = o.c.beta2 * o.v + part * part;
  decay_and_step(o, adam(o));
}

inline void betas_swapped(Array& w, Array& m, Array& v, const Array& g, std::size_t t, const AdamConfig& c) {
  AdamConfig swapped = c;
  std::swap(swapped.beta1, swapped.beta2);
  solution::adamw_step(w, m, v, g, t, swapped);
}

inline std::vector<Mistake<AdamWStep>> with_the_corrections() {
  const std::string read = "Momentum, Adam, AdamW";
  return {
      {"no-bias-correction",
       "You step with m and v themselves. Both start at 0 and are too small at first: divide them by 1 - β₁ᵗ "
       "and "
       "1 - β₂ᵗ.",
       read, adamw<no_correction>},
      {"v-not-corrected", "You correct m and not v. Divide v by 1 - β₂ᵗ as well, before the root.", read,
       adamw<v_not_corrected>},
      {"power-forgotten",
       "You divide by 1 - β in each step. It is 1 - βᵗ, with β to the power of the step's number: the "
       "correction "
       "fades as t grows. Your step is right for t = 1 only.",
       read, adamw<power_forgotten>},
      {"counted-from-the-next-step",
       "You correct with t + 1. The first step has t = 1, so there the correction is 1 - β.", read,
       adamw<one_step_late>},
      {"corrected-in-place",
       "You store m̂ and v̂ in m and v. The next step needs them uncorrected: put the corrected ones into "
       "numbers "
       "of their own.",
       read, adamw<corrected_in_place>}};
}

inline std::vector<Mistake<AdamWStep>> with_the_decay() {
  const std::string read = "Momentum, Adam, AdamW";
  return {
      {"decay-in-the-gradient",
       "You add the weight decay to the gradient. That is Adam with decay: it goes through m and v and is "
       "divided "
       "by √v̂. AdamW takes it out, and that is its W.",
       read, adamw<decay_in_the_gradient>},
      {"decay-without-the-rate",
       "You subtract decay · w. It is rate · decay · w: with a smaller rate the decay acts less, too.", read,
       adamw<decay_without_rate>},
      {"decay-after-the-step",
       "You let the weights decay after the step, so the decay acts on the new w. Both parts are computed "
       "from the "
       "old one.",
       read, adamw<decay_after_the_step>},
      {"decay-with-the-wrong-sign",
       "Your weights grow by rate · decay · w where they should shrink. Look for a bracket: both parts are "
       "subtracted.",
       read, adamw<decay_with_the_wrong_sign>},
      {"no-decay", "There is no weight decay in your step. Subtract rate · decay · w, too.", read,
       adamw<no_decay>}};
}

inline std::vector<Mistake<AdamWStep>> with_the_means() {
  const std::string read = "Momentum, Adam, AdamW";
  return {
      {"root-forgotten",
       "You divide by v̂. It is a mean of squares: its root has the size of a gradient, so that the step has "
       "about "
       "the size of the rate.",
       read, adamw<root_forgotten>},
      {"eps-in-the-root", "Your eps stands under the root. Add it to √v̂, after the root.", read,
       adamw<eps_in_the_root>},
      {"eps-before-the-correction",
       "You add eps to √v and correct the sum. Correct v first: then eps is the same in every step.", read,
       adamw<eps_before_correction>},
      {"gradient-not-squared",
       "Your v is a mean of the gradients. It is a mean of their squares; the root of a negative v is not a "
       "number.",
       read, adamw<gradient_not_squared>},
      {"factor-squared", "You squared (1 - β₂) · g as a whole. Only g is squared.", read,
       adamw<factor_squared>},
      {"betas-swapped",
       "You took β₁ where β₂ belongs. m is the mean of the gradients and goes with β₁, v with β₂.", read,
       betas_swapped}};
}

inline std::vector<Mistake<AdamWStep>> of_adamw_step() {
  std::vector<Mistake<AdamWStep>> all = with_the_corrections();
  for (const auto& more : {with_the_decay(), with_the_means()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Two mistakes in one step each.
inline void uncorrected_and_undecayed(const One& o) {
  update_means(o);
  o.w -= o.c.learning_rate * o.m / (std::sqrt(o.v) + o.c.eps);
}
inline void uncorrected_with_decay_in_the_gradient(const One& o) {
  update_means({o.w, o.m, o.v, o.g + o.c.weight_decay * o.w, o.t, o.c});
  o.w -= o.c.learning_rate * o.m / (std::sqrt(o.v) + o.c.eps);
}
inline void uncorrected_with_decay_without_rate(const One& o) {
  update_means(o);
  o.w -= o.c.weight_decay * o.w + o.c.learning_rate * o.m / (std::sqrt(o.v) + o.c.eps);
}
inline void power_forgotten_and_decayed_after(const One& o) {
  update_means(o);
  o.w -= o.c.learning_rate * o.m / (1 - o.c.beta1) / (std::sqrt(o.v / (1 - o.c.beta2)) + o.c.eps);
  o.w -= o.c.learning_rate * o.c.weight_decay * o.w;
}
inline void eps_in_the_root_and_decayed_after(const One& o) {
  update_means(o);
  o.w -= o.c.learning_rate * m_hat(o) / std::sqrt(v_hat(o) + o.c.eps);
  o.w -= o.c.learning_rate * o.c.weight_decay * o.w;
}

inline std::vector<grader::Together<AdamWStep>> together_in_adamw_step() {
  return {{{"no-bias-correction", "no-decay"}, adamw<uncorrected_and_undecayed>},
          {{"no-bias-correction", "decay-in-the-gradient"}, adamw<uncorrected_with_decay_in_the_gradient>},
          {{"no-bias-correction", "decay-without-the-rate"}, adamw<uncorrected_with_decay_without_rate>},
          {{"power-forgotten", "decay-after-the-step"}, adamw<power_forgotten_and_decayed_after>},
          {{"eps-in-the-root", "decay-after-the-step"}, adamw<eps_in_the_root_and_decayed_after>}};
}

}  // namespace mistakes

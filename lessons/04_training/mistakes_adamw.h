// What people get wrong in part 3 of exercise 4.
#pragma once

#include "mistakes.h"

namespace mistakes {

using grader::Made, grader::Slip;
using optim::AdamConfig;
using AdamWStep = std::function<void(Array&, Array&, Array&, const Array&, std::size_t, const AdamConfig&)>;

// The numbers that one step of AdamW moves.
struct Moved {
  double &w, &m, &v;
};

inline void update_means(const Made& made, const Moved& one, double g, const AdamConfig& c) {
  // `wrong` is the name of a mistake in one of the two places of beta, but for "-kept" or "-share".
  const auto mean = [&](double& kept, double beta, double term, bool whole, const std::string& wrong,
                        double other) {
    if (made("betas-turned-round")) beta = 1 - beta;
    const double stays = made(wrong + "-kept") ? other : beta,
                 of_new = 1 - (made(wrong + "-share") ? other : beta);
    kept = stays * kept + (whole ? 1 : of_new) * term;
  };
  mean(one.m, c.beta1, g, made("m-not-averaged"), "m-with-beta-2", c.beta2);
  const double part = (1 - c.beta2) * g;
  const double square = made("gradient-not-squared") ? g
                        : made("factor-squared")     ? part * g
                        : made("m-squared")          ? one.m * one.m
                                                     : g * g;
  mean(one.v, made("v-with-beta-1") ? c.beta1 : c.beta2, square, made("v-not-averaged"), "v-with-beta-1",
       c.beta1);
}

// What m or v is divided by.
inline double correction(const Made& made, double beta, std::size_t t) {
  if (made("no-bias-correction")) return 1;
  const double power = made("power-forgotten")
                           ? 1
                           : static_cast<double>(t) + (made("counted-from-the-next-step") ? 1
                                                       : made("counted-from-0")           ? -1
                                                                                          : 0);
  const double rest = 1 - (made("times-t") ? beta * power : std::pow(beta, power));
  return made("multiplied-by-the-correction") ? 1 / rest : rest;
}

// m̂ / (√v̂ + eps)
inline double direction(const Made& made, const Moved& one, double g, std::size_t t, const AdamConfig& c) {
  const bool turned = made("corrections-exchanged");
  const double by_m = made("m-not-corrected") ? 1 : correction(made, turned ? c.beta2 : c.beta1, t),
               by_v =
                   made("v-not-corrected")
                       ? 1
                       : correction(made, turned || made("corrected-with-one-beta") ? c.beta1 : c.beta2, t);
  const double m_hat = made("g-for-m") ? g : one.m / by_m, v_hat = one.v / by_v;
  if (made("corrected-in-place") || made("m-corrected-in-place")) one.m = m_hat;
  if (made("corrected-in-place") || made("v-corrected-in-place")) one.v = v_hat;
  const double eps = made("eps-forgotten") ? 0 : c.eps;
  if (made("root-forgotten")) return m_hat / (v_hat + eps);
  if (made("eps-beside-the-quotient")) return m_hat / std::sqrt(v_hat) + eps;
  if (made("root-before-the-correction")) return m_hat / (std::sqrt(one.v) / by_v + eps);
  if (made("eps-in-the-root")) return m_hat / std::sqrt(v_hat + eps);
  if (made("eps-before-the-correction")) return m_hat * std::sqrt(by_v) / (std::sqrt(one.v) + eps);
  return m_hat / (std::sqrt(v_hat) + eps);
}

inline void step_of_one(const Made& made, const Moved& one, double g, std::size_t t, const AdamConfig& c) {
  const bool in_the_gradient = made("decay-in-the-gradient"), after = made("decay-after-the-step");
  if (in_the_gradient) g += c.weight_decay * one.w;
  const bool late = made("direction-from-the-old-means");
  if (!late) update_means(made, one, g, c);
  const double move = (made("upwards") ? -1 : 1) * (made("rate-forgotten") ? 1 : c.learning_rate) *
                      direction(made, one, g, t, c);
  if (late) update_means(made, one, g, c);
  if (after) one.w -= move;
  const double decay = (made("decay-without-the-rate") ? 1 : c.learning_rate) *
                       (made("decay-forgotten-as-a-factor") ? 1 : c.weight_decay) *
                       (made("decay-not-of-w") ? 1 : one.w);
  if (made("assigned")) one.w = 0;
  if (!in_the_gradient && !made("no-decay")) one.w -= made("decay-with-the-wrong-sign") ? -decay : decay;
  if (!after) one.w -= move;
}

inline void adamw_with_slips(const Made& made, Array& w, Array& m, Array& v, const Array& g, std::size_t t,
                             AdamConfig c) {
  if (made("betas-swapped")) std::swap(c.beta1, c.beta2);
  for (std::size_t i = made("first-number-left-out") ? 1 : 0;
       i < w.size() - (made("last-number-left-out") ? 1 : 0); ++i)
    step_of_one(made, {w.data()[i], m.data()[i], v.data()[i]}, g.data()[i], t, c);
}

inline const std::vector<Slip> kSlipsInAdamW = {
    {"no-bias-correction",
     "You step with m and v themselves. Both start at 0 and are too small at first: divide them by 1 - β₁ᵗ "
     "and 1 - β₂ᵗ.",
     kMoments},
    {"v-not-corrected", "You correct m and not v. Divide v by 1 - β₂ᵗ as well, before the root.", kMoments},
    {"m-not-corrected", "You correct v and not m. Divide m by 1 - β₁ᵗ as well.", kMoments},
    {"power-forgotten",
     "You divide by 1 - β in each step. It is 1 - βᵗ, with β to the power of the step's number: the "
     "correction fades as t grows. Your step is right for t = 1 only.",
     kMoments},
    {"counted-from-the-next-step",
     "You correct with t + 1. The first step has t = 1, so there the correction is 1 - β.", kMoments},
    {"multiplied-by-the-correction",
     "You multiply by 1 - βᵗ. m and v are too small at first: divide them by it.", kMoments},
    {"corrected-with-one-beta", "You correct both m and v with β₁. v goes with β₂.", kMoments},
    {"counted-from-0",
     "You correct with t - 1. The first step has t = 1, so there the correction is 1 - β; with t - 1 you "
     "divide by 0.",
     kMoments},
    {"corrections-exchanged", "You corrected m with β₂ and v with β₁. m goes with β₁, v with β₂.", kMoments},
    {"corrected-in-place",
     "You store m̂ and v̂ in m and v. The next step needs them uncorrected: put the corrected ones into "
     "numbers of their own.",
     kMoments},
    {"m-corrected-in-place",
     "You store m̂ in m. The next step needs it uncorrected: put the corrected one into a number of its own.",
     kMoments},
    {"v-corrected-in-place",
     "You store v̂ in v. The next step needs it uncorrected: put the corrected one into a number of its own.",
     kMoments},
    {"times-t",
     "You multiplied β by t. It is βᵗ, with β to the power of the step's number: math::power(beta, t).",
     kMoments},
    {"direction-from-the-old-means",
     "You compute the step before you update m and v. Both are updated first, with the gradient of this "
     "step.",
     kMoments},
    {"decay-in-the-gradient",
     "You add the weight decay to the gradient. That is Adam with decay: it goes through m and v and is "
     "divided by √v̂. AdamW takes it out, and that is its W.",
     kMoments},
    {"decay-without-the-rate",
     "You subtract decay · w. It is rate · decay · w: with a smaller rate the decay acts less, too.",
     kMoments},
    {"decay-forgotten-as-a-factor", "You subtract rate · w. It is rate · decay · w.", kMoments},
    {"decay-not-of-w", "You subtract rate · decay from each number. It is rate · decay · w.", kMoments},
    {"decay-after-the-step",
     "You let the weights decay after the step, so the decay acts on the new w. Both parts are computed from "
     "the old one.",
     kMoments},
    {"decay-with-the-wrong-sign",
     "Your weights grow by rate · decay · w where they should shrink. Look for a bracket: both parts are "
     "subtracted.",
     kMoments},
    {"no-decay", "There is no weight decay in your step. Subtract rate · decay · w, too.", kMoments},
    {"root-forgotten",
     "You divide by v̂. It is a mean of squares: its root has the size of a gradient, so that the step has "
     "about the size of the rate.",
     kMoments},
    {"root-before-the-correction",
     "You took the root of v and corrected it then. Correct v first, and take the root of v̂.", kMoments},
    {"eps-in-the-root", "Your eps stands under the root. Add it to √v̂, after the root.", kMoments},
    {"eps-before-the-correction",
     "You add eps to √v and correct the sum. Correct v first: then eps is the same in every step.", kMoments},
    {"eps-beside-the-quotient",
     "You add eps to the quotient. It belongs to what you divide by: put √v̂ + eps into brackets.", kMoments},
    {"eps-forgotten", "You left out eps. It stands beside the root: √v̂ + eps.", kMoments},
    {"gradient-not-squared",
     "Your v is a mean of the gradients. It is a mean of their squares; the root of a negative v is not a "
     "number.",
     kMoments},
    {"factor-squared", "You squared (1 - β₂) · g as a whole. Only g is squared.", kMoments},
    {"m-squared", "Your v is a mean of m². It is a mean of the squares of the gradients, g².", kMoments},
    {"v-with-beta-1", "You took β₁ for v. m goes with β₁, v with β₂.", kMoments},
    {"v-with-beta-1-kept",
     "You took β₁ for what stays of v, and β₂ for the new square. v goes with β₂ in both places.", kMoments},
    {"v-with-beta-1-share",
     "You took 1 - β₁ for the new square in v, and β₂ for what stays. v goes with β₂ in both places.",
     kMoments},
    {"m-with-beta-2-kept",
     "You took β₂ for what stays of m, and β₁ for the new gradient. m goes with β₁ in both places.",
     kMoments},
    {"m-with-beta-2-share",
     "You took 1 - β₂ for the new gradient in m, and β₁ for what stays. m goes with β₁ in both places.",
     kMoments},
    {"m-not-averaged", "Your m adds the whole gradient. It is a mean: the new gradient counts 1 - β₁.",
     kMoments},
    {"v-not-averaged", "Your v adds the whole square. It is a mean: the new square counts 1 - β₂.", kMoments},
    {"betas-turned-round",
     "You gave the factor β to the new gradient and 1 - β to what was there. It is the other way round.",
     kMoments},
    {"g-for-m", "Your step goes by g. It goes by m̂, the mean of the gradients.", kMoments},
    {"first-number-left-out", "The first number stays as it was. Count i from 0.", kMoments},
    {"last-number-left-out", "The last number stays as it was. There are w.size() numbers.", kMoments},
    {"rate-forgotten", "The rate is missing in your step. Multiply the direction by it.", kMoments},
    {"assigned", "You set w to the step, by = or =- in the place of -=. Subtract the step from what w was.",
     kMoments},
    {"upwards", "You add the step. It goes against the gradient: subtract it.", kMoments},
    {"betas-swapped",
     "You took β₁ where β₂ belongs. m is the mean of the gradients and goes with β₁, v with β₂.", kMoments}};

}  // namespace mistakes

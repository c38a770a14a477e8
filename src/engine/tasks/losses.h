// The best losses of tasks (Task::best_loss).
#pragma once

#include <set>
#include <vector>

#include "headlight/core/math.h"
#include "headlight/tasks/task.h"

namespace headlight::tasks {

// Of a task whose targets all follow from the tokens so far.
inline std::vector<double> no_losses(const Sequence& s) { return std::vector<double>(s.targets.size(), 0.0); }

// When one of several equally likely hypotheses made the sequence: with likelihood(h, t), the probability
// that hypothesis h gives token t+1 after tokens 0 … t,
//   P(next | so far) = Σ_h w_h likelihood(h, t),  and then  w_h ← w_h likelihood(h, t) / P(next | so far).
// Sequences that no hypothesis can make have infinite losses.
template <class Likelihood>
std::vector<double> mixture_losses(std::size_t hypotheses, std::size_t positions,
                                   const Likelihood& likelihood) {
  std::vector<double> weights(hypotheses, 1.0 / static_cast<double>(hypotheses)), losses(positions);
  for (std::size_t t = 0; t < positions; ++t) {
    double total = 0;
    for (std::size_t h = 0; h < hypotheses; ++h)
      if (weights[h] > 0) total += weights[h] *= likelihood(h, t);
    losses[t] = -math::log(total);
    for (double& weight : weights) weight /= total;
  }
  return losses;
}

// Token t of a next-token sequence of n tokens, for t = 0 … n.
inline std::int32_t token_at(const Sequence& s, std::size_t t) {
  return t < s.tokens.size() ? s.tokens[t] : s.targets.back();
}

// For each of them, whether it is among those before.
inline std::vector<bool> repeated_tokens(const Sequence& s) {
  std::set<std::int32_t> seen;
  std::vector<bool> repeated;
  for (std::size_t t = 0; t <= s.tokens.size(); ++t) repeated.push_back(!seen.insert(token_at(s, t)).second);
  return repeated;
}

}  // namespace headlight::tasks

#include <map>

#include "headlight/core/check.h"
#include "headlight/tasks/toy_tasks.h"
#include "losses.h"

namespace headlight::tasks {
namespace {

// Proportional to independent exponential numbers: Dirichlet(1).
std::vector<double> dirichlet(std::size_t k, Rng& rng) {
  std::vector<double> p(k);
  double total = 0;
  for (double& x : p) total += x = -math::log(1 - rng.uniform());
  for (double& x : p) x /= total;
  return p;
}

Sequence chain(const TaskConfig& c, Rng& rng) {
  std::vector<std::vector<double>> matrix(c.states);
  for (auto& row : matrix) row = dirichlet(c.states, rng);
  std::vector<std::int32_t> tokens{static_cast<std::int32_t>(rng.below(c.states))};
  while (tokens.size() < c.n_ctx + 1) {
    const std::vector<double>& row = matrix[static_cast<std::size_t>(tokens.back())];
    double left = rng.uniform();
    std::size_t next = 0;
    while (next + 1 < c.states && (left -= row[next]) >= 0) ++next;
    tokens.push_back(static_cast<std::int32_t>(next));
  }
  return next_token_sequence(tokens, std::vector<bool>(c.n_ctx, false),
                             fmt::format("a chain of {} letters", c.states));
}

std::vector<double> uniform_losses(std::size_t k, const Sequence& s) {
  return std::vector<double>(s.targets.size(), math::log(static_cast<double>(k)));
}

// -ln (count + 1) / (sum of counts + k), where the counts are those after the same letter, or after any.
std::vector<double> counting_losses(std::size_t k, bool after_same, const Sequence& s) {
  const auto letters = static_cast<double>(k);
  std::map<std::pair<std::int32_t, std::int32_t>, double> counts;
  std::map<std::int32_t, double> totals;
  if (!after_same) ++counts[{0, s.tokens[0]}], ++totals[0];
  std::vector<double> losses;
  for (std::size_t t = 0; t < s.tokens.size(); ++t) {
    const std::int32_t row = after_same ? s.tokens[t] : 0;
    losses.push_back(math::log((letters + totals[row]++) / (1 + counts[{row, s.targets[t]}]++)));
  }
  return losses;
}

}  // namespace

Task markov_task(const TaskConfig& config) {
  TaskConfig c = config;
  const std::size_t k = c.d_vocab = c.states;
  check(c.n_ctx >= 2, "a context of {} is too short for the task 'markov': expected at least 2.", c.n_ctx);
  const Losses bigrams = [k](const Sequence& s) { return counting_losses(k, true, s); };
  return {
      .config = c,
      .vocabulary = Vocabulary::of_size(k),
      .training = [c](Rng& rng) { return chain(c, rng); },
      .trained_on = fmt::format("chains of {} letters", k),
      .words = {"The model reads letters that a random rule draws one from the other, and must predict each "
                "next letter; every sequence has a rule of its own.",
                "The best guess counts which letters followed the present letter earlier in the same "
                "sequence; nothing is certain.",
                "Success is a *loss* at most 0.02 *nats* above the best possible one.",
                "The *loss* falls in stages: first to that of counting letters (unigrams), then, when a "
                "head looks at what followed the same letter before, to that of counting pairs (bigrams).",
                "predict letters that a random rule draws"},
      .best_loss = bigrams,
      .references = {{"uniform", [k](const Sequence& s) { return uniform_losses(k, s); }},
                     {"unigrams", [k](const Sequence& s) { return counting_losses(k, false, s); }}}};
}

}  // namespace headlight::tasks

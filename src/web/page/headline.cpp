#include "headline.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "headlight/system/percent.h"
#include "headlight/tasks/text.h"

namespace headlight::page {
namespace {

constexpr double kSome = 0.05;  // of a gain: less of it is next to nothing

bool solves(const std::optional<double>& accuracy) { return accuracy && *accuracy >= tasks::kSolvedAccuracy; }

const char* token_word(const tasks::Task& task) {
  for (std::size_t i = 0; i < task.config.d_vocab; ++i)
    if (task.vocabulary.text(static_cast<std::int32_t>(i)).size() != 1) return "token";
  return "letter";
}

// How often each answer is right on predictable tokens, over so many of them: a share of 12 % is then known
// to a third of a percent. Where few tokens are predictable, the sequences end it.
std::map<std::int32_t, double> shares_of_answers(const tasks::Task& task, Rng rng) {
  constexpr std::size_t kAnswers = 10'000;
  std::map<std::int32_t, double> shares;
  double all = 0;
  for (std::size_t i = 0; i < kAnswers && all < kAnswers; ++i) {
    const tasks::Sequence s = task.training(rng);
    for (std::size_t t = 0; t < s.targets.size(); ++t)
      if (s.targets[t] != tasks::kNoTarget && (s.predictable.empty() || s.predictable[t]))
        ++shares[s.targets[t]], ++all;
  }
  for (auto& [answer, share] : shares) share /= all;
  return shares;
}

// How often one answer, the same everywhere, is right: the most frequent one of other sequences, because the
// largest of many shares is large by chance.
double accuracy_of_one_answer(const tasks::Task& task) {
  const std::map<std::int32_t, double> known = shares_of_answers(task, Rng(0)),
                                       fresh = shares_of_answers(task, Rng(1));
  const auto most = std::max_element(known.begin(), known.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto found = most == known.end() ? fresh.end() : fresh.find(most->first);
  return found == fresh.end() ? 0 : found->second;
}

// Without predictable tokens: how far the loss has come from that of guessing to the best possible one.
std::string by_loss(const tasks::Task& task, const run::Results& r, const std::string& skill) {
  const double guessing = std::log(static_cast<double>(task.config.d_vocab));
  const std::optional<train::Evaluation> best = run::best_possible(r.baselines);
  const double gained = best ? (guessing - r.evaluation.loss) / (guessing - best->loss) : 0;
  if (r.passed) return fmt::format("This small network learned to {}.", skill);
  if (!(gained >= kSome)) return fmt::format("This small network has not learned to {}.", skill);
  return fmt::format(
      "This small network learned only in part to {}: it gains {} of what the best predictor gains over "
      "guessing.",
      skill, percent(gained, 0));
}

// On predictable tokens.
std::string by_accuracy(const tasks::Task& task, double accuracy, const std::string& skill) {
  const double one = accuracy_of_one_answer(task);
  const double gained = (accuracy - one) / (1 - one);
  const std::string right =
      fmt::format("where the task's rule gives the answer, it is right {} of the time", percent(accuracy, 0));
  if (gained >= 0.5)
    return fmt::format("This small network has not learned to {} reliably: {}.", skill, right);
  return fmt::format("This small network {} to {}: {}; the same answer everywhere would be right {}.",
                     gained >= kSome ? "learned only in part" : "has not learned", skill, right,
                     percent(one, 0));
}

// Whether some counting but that of pairs predicts better than the model, on held-out text if there is such.
bool counting_beats(const run::Results& r) {
  return std::any_of(r.baselines.begin(), r.baselines.end(), [&](const run::Baseline& y) {
    if (y.name == tasks::kPairsOfCharacters) return false;
    return r.loss_held_out && y.loss_held_out ? *y.loss_held_out < *r.loss_held_out
                                              : y.losses.loss < r.evaluation.loss;
  });
}

// Of a text, where nobody knows how well it can be predicted.
std::string of_text(const run::Results& r) {
  const char* better = r.passed ? "better" : "no better";
  const char* longer = r.passed && counting_beats(r) ? ", but counting longer runs does better still" : "";
  if (run::learned_by_heart(r))
    return fmt::format(
        "This small network learned its text by heart: it predicts new text {} than counting pairs of "
        "letters does{}.",
        better, longer);
  return fmt::format("This small network predicts {} {} than counting pairs of letters does{}.",
                     r.loss_held_out ? "new text" : "its text", better, longer);
}

// How the network solves its task, as far as tests showed it.
std::string way(const tasks::Task& task, const run::Results& r) {
  const char* looked = "looks back at what followed it before";
  if (!r.certificate) {
    const bool seen = run::induction_head_found(r.heads) &&
                      interpret::best_head(r.heads, interpret::kInduction).stack == interpret::Stack::self;
    return seen ? fmt::format(": a part of it looks back at what followed the same {} before.",
                              token_word(task))
                : ".";
  }
  const interpret::Certificate& c = *r.certificate;
  if (c.verdict == interpret::Verdict::circuit)
    return fmt::format(": when a {} comes again, it {}.", token_word(task), looked);
  if (c.shifted_induction)
    return fmt::format(": when a {0} comes again, it looks back {1} {0}{2} past what followed it before.",
                       token_word(task), c.shifted_induction->by, c.shifted_induction->by == 1 ? "" : "s");
  return ", but the tests do not show how.";
}

}  // namespace

std::string headline(const tasks::Task& task, const run::Results& r) {
  if (r.diverged) return "This small network learned nothing: its training diverged.";
  const std::optional<double>& accuracy = r.evaluation.accuracy_predictable;
  if (!r.baselines.empty() && !run::best_possible(r.baselines)) return of_text(r);
  const std::string name = task.words.skill.empty() ? "do its task" : task.words.skill;
  if (!accuracy) return by_loss(task, r, name);
  if (!solves(accuracy)) return by_accuracy(task, *accuracy, name);
  if (!solves(r.accuracy_held_out.value_or(1)))
    return fmt::format(
        "This small network learned to {} only in sequences like those of its training: in others it is "
        "right {} of the time.",
        name, percent(*r.accuracy_held_out, 0));
  return fmt::format("This small network learned to {}{}", name, way(task, r));
}

}  // namespace headlight::page

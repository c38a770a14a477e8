#include "headline.h"

#include <fmt/core.h>

#include "headlight/system/percent.h"

namespace headlight::page {
namespace {

bool solves(const std::optional<double>& accuracy) { return accuracy && *accuracy >= tasks::kSolvedAccuracy; }

const char* token_word(const tasks::Task& task) {
  for (std::size_t i = 0; i < task.config.d_vocab; ++i)
    if (task.vocabulary.text(static_cast<std::int32_t>(i)).size() != 1) return "token";
  return "letter";
}

// Of a text, where nobody knows how well it can be predicted.
std::string of_text(const run::Results& r) {
  const char* better = r.passed ? "better" : "no better";
  if (run::learned_by_heart(r))
    return fmt::format(
        "This small network learned its text by heart: it predicts new text {} than counting pairs of "
        "letters does.",
        better);
  return fmt::format("This small network predicts {} {} than counting pairs of letters does.",
                     r.loss_held_out ? "new text" : "its text", better);
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
  if (!accuracy)
    return fmt::format("This small network {} to {}.", r.passed ? "learned" : "has not learned", name);
  if (!solves(accuracy))
    return fmt::format(
        "This small network has not learned to {}{}: where the answer can be known, it is right {} of the "
        "time.",
        name, *accuracy < 0.5 ? "" : " reliably", percent(*accuracy, 0));
  if (!solves(r.accuracy_held_out.value_or(1)))
    return fmt::format(
        "This small network learned to {} only in sequences like those of its training: in others it is "
        "right {} of the time.",
        name, percent(*r.accuracy_held_out, 0));
  return fmt::format("This small network learned to {}{}", name, way(task, r));
}

}  // namespace headlight::page

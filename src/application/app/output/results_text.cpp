#include "results_text.h"

#include <fmt/core.h>

#include "headlight/studies/certificate.h"
#include "headlight/studies/head_table.h"
#include "headlight/system/percent.h"
#include "lines.h"

namespace headlight::app {
namespace {

std::string heads_text(const run::Results& r, const tasks::Task& task, draw::ColorMode mode) {
  return fmt::format(
      "\n{}\n{}\n",
      in_lines(fmt::format("Where each head looks: the mean attention weight that it gives to each kind of "
                           "place, on {}. L1H0 is layer 1, head 0.",
                           tasks::scored_kind(task))),
      studies::head_table(r.heads, mode));
}

std::string losses_text(const run::Results& r, const tasks::TokenKinds& kinds) {
  const train::Evaluation& e = r.evaluation;
  std::string text = fmt::format("\ntraining loss: {:.4f} → {:.4f} nats, of the first and the last batch",
                                 r.loss_first, r.loss_last) +
                     fmt::format("\nevaluated loss: {:.4f} nats on all tokens", e.loss);
  if (e.loss_predictable && e.loss_unpredictable)  // otherwise all tokens are of one kind
    text += fmt::format(", {:.4f} on {} tokens, {:.4f} on {} ones", *e.loss_predictable, kinds.predictable,
                        *e.loss_unpredictable, kinds.others);
  if (const auto best = run::best_possible(r.baselines))
    text += fmt::format("\nbest possible loss: {:.4f} nats on the same tokens", best->loss);
  return text;
}

}  // namespace

std::string results_text(const run::Results& r, const tasks::Task& task, draw::ColorMode mode) {
  const tasks::TokenKinds& kinds = task.kinds;
  std::string text = r.heads.empty() ? "" : heads_text(r, task, mode);
  if (const auto& accuracy = r.evaluation.accuracy_predictable)
    text += fmt::format("accuracy on {} tokens: {}", kinds.predictable, percent(*accuracy));
  if (r.accuracy_held_out) text += ";  on held-out sequences: " + percent(*r.accuracy_held_out);
  text += losses_text(r, kinds);
  text += fmt::format("\n{} steps in {:.1f} s, {:.0f}k tokens/s", r.steps, r.train_seconds,
                      r.tokens_per_second / 1000);
  if (r.formed_at_step && r.formed_at_seconds)
    text += *r.formed_at_step == 0
                ? fmt::format(";  {} accuracy above 50 % at step 0 already", kinds.predictable)
                : fmt::format(";  {} accuracy first above 50 % at step {} ({:.1f} s)", kinds.predictable,
                              *r.formed_at_step, *r.formed_at_seconds);
  text += "\n\n";
  if (r.interrupted)
    text += fmt::format("Stopped at step {}; what was trained until then is saved.\n", r.steps);
  if (r.certificate) text += studies::certificate_table(*r.certificate) + "\n";
  return text + in_lines(r.verdict);
}

}  // namespace headlight::app

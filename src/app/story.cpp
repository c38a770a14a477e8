#include "story.h"

#include <fmt/core.h>

#include "headlight/report/head_table.h"
#include "program/exit_status.h"

namespace headlight::app {

using interpret::HeadScores;

std::string verdict(const std::vector<HeadScores>& scores) {
  const HeadScores& best = interpret::best_head(scores, &HeadScores::induction);
  const HeadScores& previous = interpret::best_head(scores, &HeadScores::previous_token);
  if (best.induction < interpret::kFoundScore)
    return fmt::format(
        "No induction head was found: the best score is {:.2f}, in head {}; {:.1f} counts as found.",
        best.induction, report::head_name(best), interpret::kFoundScore);
  std::string text = fmt::format("Head {} is an induction head, with a score of {:.2f}.",
                                 report::head_name(best), best.induction);
  if (previous.layer < best.layer && previous.previous_token >= interpret::kFoundScore)
    text += fmt::format(" Head {} below it looks at the previous token ({:.2f}).",
                        report::head_name(previous), previous.previous_token);
  return text;
}

void tell_result(const Summary& s, report::ColorMode mode) {
  fmt::print(
      "\nWhere each head looks (mean attention, on repeated random tokens, at periods never trained "
      "on):\n\n{}\n",
      report::head_table(s.heads, mode));
  fmt::print("predictable tokens right: {:.1f} %    at lengths never trained on: {:.1f} %\n",
             100 * s.accuracy_predictable, 100 * s.accuracy_held_out);
  fmt::print("loss: {:.3f} → {:.3f} nats;  {:.4f} where the answer is known, {:.3f} where it is chance\n",
             s.loss_first, s.loss_last, s.loss_predictable, s.loss_unpredictable);
  fmt::print("{} steps in {:.1f} s, {:.0f}k tokens/s", s.steps, s.train_seconds, s.tokens_per_second / 1000);
  if (s.formed_at_step)
    fmt::print(";  half of the predictable tokens right at step {} ({:.1f} s)", *s.formed_at_step,
               *s.formed_at_seconds);
  fmt::print("\n\n");
  if (s.interrupted) fmt::print("Stopped at step {}; what was trained until then is saved.\n", s.steps);

  fmt::print("{}\n", verdict(s.heads));
  if (!s.passed && s.accuracy_predictable >= 0.9)
    fmt::print("The model solves the task all the same, in another way: a low loss does not prove a head.\n");
}

void tell_files(const std::filesystem::path& folder) {
  std::string files;
  for (const char* file : {"report.html", "summary.json", "metrics.jsonl", "config.json", "model.safetensors",
                           "history.safetensors", "induction_head.svg"})
    if (std::filesystem::exists(folder / file)) files += (files.empty() ? "" : ", ") + std::string(file);
  fmt::print("\nIn {}/: {}\n", folder.string(), files);
}

int exit_status(const Summary& summary) {
  if (summary.interrupted) return kInterrupted;
  return summary.passed ? kFound : kNotFound;
}

}  // namespace headlight::app

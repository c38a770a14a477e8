#include "training.h"

#include <fmt/core.h>

#include "headlight/core/files.h"
#include "headlight/experiment/run_folder.h"
#include "headlight/report/head_table.h"
#include "interrupt.h"
#include "progress.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

// Beside the folder's metrics.jsonl, which may belong to an earlier run that is still whole.
void leave_metrics(const experiment::Experiment& run, const std::filesystem::path& folder) {
  std::string lines;
  for (const experiment::Metrics& m : run.metrics()) lines += experiment::metrics_line(m) + "\n";
  write_file(folder / "failed_metrics.jsonl", lines);
}

}  // namespace

experiment::Results train_and_save(experiment::Experiment& run, const TrainingOptions& options) {
  run.claim(options.folder);
  const auto progress = std::make_shared<Progress>(run);
  run.observe(progress);
  const InterruptScope interrupt;
  while (!run.done() && !interrupt.requested()) {
    try {
      run.step();
    } catch (...) {
      leave_metrics(run, options.folder);
      throw;
    }
    if (options.checkpoint_every > 0 && run.steps_done() % options.checkpoint_every == 0 && !run.done())
      run.save(options.folder);
  }
  progress->finish();
  return run.save(options.folder);
}

void tell_results(const experiment::Results& r, report::ColorMode mode) {
  const train::Evaluation& e = r.evaluation;
  if (!r.heads.empty())
    fmt::print(
        "\nWhere each head looks (mean attention, on repeated random tokens, at periods never trained "
        "on):\n\n{}\n",
        report::head_table(r.heads, mode));
  if (e.accuracy_predictable) fmt::print("predictable tokens right: {:.1f} %", 100 * *e.accuracy_predictable);
  if (r.accuracy_held_out)
    fmt::print("    at lengths never trained on: {:.1f} %", 100 * *r.accuracy_held_out);
  fmt::print("\nloss: {:.3f} → {:.3f} nats", r.loss_first, r.loss_last);
  if (e.loss_predictable) fmt::print(";  {:.4f} where the answer is known", *e.loss_predictable);
  if (e.loss_unpredictable) fmt::print(", {:.3f} where it is chance", *e.loss_unpredictable);
  fmt::print("\n{} steps in {:.1f} s, {:.0f}k tokens/s", r.steps, r.train_seconds,
             r.tokens_per_second / 1000);
  if (r.formed_at_step && r.formed_at_seconds)
    fmt::print(";  half of the predictable tokens right at step {} ({:.1f} s)", *r.formed_at_step,
               *r.formed_at_seconds);
  fmt::print("\n\n");
  if (r.interrupted) fmt::print("Stopped at step {}; what was trained until then is saved.\n", r.steps);
  fmt::print("{}\n", experiment::verdict(r.heads));
  if (!r.heads.empty() && !experiment::induction_head_found(r.heads) &&
      e.accuracy_predictable.value_or(0) >= 0.9)
    fmt::print("The model solves the task all the same, in another way: a low loss does not prove a head.\n");
}

void tell_files(const std::filesystem::path& folder) {
  std::string names;
  for (const experiment::RunFile& file : experiment::run_files())
    if (std::filesystem::exists(folder / file.name))
      names += (names.empty() ? "" : ", ") + std::string(file.name);
  fmt::print("\nIn {}/: {}\n", folder.string(), names);
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

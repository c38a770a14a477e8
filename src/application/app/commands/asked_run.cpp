#include "app/output/elapsed_line.h"
#include "app/stretched_schedule.h"
#include "headlight/draw/color.h"
#include "headlight/run/run_files.h"
#include "headlight/system/run_main.h"
#include "train.h"

namespace headlight::app {

using run::Experiment;

Experiment asked_run(const TrainOptions& o, const std::string& typed, const Rank& rank) {
  const ElapsedLine making("making the task and the model", stderr, draw::can_redraw(stderr));
  if (o.resume.empty())
    return made_as_typed(o.typed, o.config_file, [&](const run::RunConfig& config) {
      return Experiment(config, {rank.threads, rank.leads, typed, rank.exchange});
    });
  const run::Run from = run::read_run(o.resume);
  for (const std::string& text : from.notes) note("Note: {}", text);
  const run::RunConfig before = run::filled_in(from.config, from.task);
  run::RunConfig config = before;
  for (const auto& change : o.typed.changes) change(config);
  const std::int64_t steps = std::exchange(config.train.steps, before.train.steps);
  check(run::to_json(config) == run::to_json(before),
        "a run that is resumed keeps its settings: only --steps may go with --resume. Hint: --config {}/{} "
        "starts a new run with other settings.",
        o.resume, run::files::kConfig);
  if (from.state) warn_stretched(before.train, steps, from.state->steps);
  return Experiment::resume(from, {rank.threads, steps, typed, rank.leads, rank.exchange});
}

}  // namespace headlight::app

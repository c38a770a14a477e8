#include <fmt/core.h>

#include <optional>

#include "app/training.h"
#include "command.h"
#include "headlight/autograd/anomaly.h"
#include "headlight/core/files.h"
#include "headlight/experiment/run_folder.h"
#include "program/exit_status.h"
#include "settings.h"

namespace headlight::inline HEADLIGHT_PRECISION::app {
namespace {

using experiment::Experiment;

struct TrainOptions {
  std::string config_file, out, resume;
  bool no_color = false, anomaly = false;
  int threads = 0;
  std::int64_t checkpoint_every = 0;
  Changes changes;
};

// The run that the line asks for: a new one, or an old one that goes on.
Experiment run_of(const TrainOptions& o, const std::string& typed) {
  if (o.resume.empty()) {
    experiment::RunConfig config = o.config_file.empty()
                                       ? experiment::RunConfig{}
                                       : experiment::run_config_from_json(read_file(o.config_file));
    for (const auto& change : o.changes) change(config);
    return Experiment(config, {.threads = o.threads, .command = typed});
  }
  experiment::RunConfig config = experiment::load_config(o.resume);
  const std::int64_t steps_before = config.train.steps;
  for (const auto& change : o.changes) change(config);
  const std::int64_t steps = std::exchange(config.train.steps, steps_before);
  check(experiment::to_json(config) == experiment::to_json(experiment::load_config(o.resume)),
        "a run that is resumed keeps its settings: only --steps may go with --resume. Hint: --config {}/{} "
        "starts a new run with other settings.",
        o.resume, experiment::files::kConfig);
  return Experiment::resume(o.resume, {.threads = o.threads, .steps = steps, .command = typed});
}

int train_command(const TrainOptions& o, const std::string& typed) {
  check(o.checkpoint_every >= 0, "--checkpoint-every takes a number of steps of at least 1.");
  std::optional<AnomalyScope> watched;
  if (o.anomaly) watched.emplace();
  const std::string folder = !o.out.empty() ? o.out : !o.resume.empty() ? o.resume : "runs/train";
  Experiment run = run_of(o, typed);
  check(!run.done(), "'{}' has been trained for all its {} steps. Hint: --steps {} goes on.", o.resume,
        run.steps_done(), 2 * run.steps_done());
  run.claim(folder);
  if (run.steps_done() > 0)
    fmt::print("Going on at step {} of {}.\n", run.steps_done(), run.config().train.steps);
  fmt::print("{}\n", nn::summary(run.model()));
  std::fflush(stdout);
  const experiment::Results results = train_and_save(run, {folder, o.checkpoint_every});
  tell_results(results, report::color_mode(!o.no_color));
  tell_files(folder);
  return results.interrupted ? kInterrupted : 0;
}

}  // namespace

void add_train(CLI::App& program, Action& chosen) {
  auto o = std::make_shared<TrainOptions>();
  CLI::App* c = program.add_subcommand("train", "Train a model of your own and score its heads");
  c->add_option("--config", o->config_file,
                "Settings as JSON, as in a run's config.json; flags go over them");
  c->add_option("--out", o->out,
                "Folder for what the run leaves behind (runs/train, or the folder that is resumed)");
  c->add_option("--resume", o->resume, "Go on with the run in this folder, to its end or to --steps")
      ->excludes("--config");
  c->add_option("--checkpoint-every", o->checkpoint_every,
                "Save the run every so many steps; 0: at the end only (0)");
  c->add_option("--threads", o->threads, "Threads; 0: all cores. Changes no number")->capture_default_str();
  c->add_flag("--no-color", o->no_color, "Draw in plain text");
  c->add_flag("--anomaly", o->anomaly, "Stop at the op that first makes a NaN or an infinity, and name it");
  add_settings(*c, o->changes);
  c->footer(
      "\nExamples:\n  ./headlight train --layers 1 --out runs/one_layer\n"
      "  ./headlight train --task copy --positions learned --steps 2000\n"
      "  ./headlight train --config runs/demo/config.json --seed 3 --out runs/again\n"
      "  ./headlight train --steps 5000 --checkpoint-every 500\n"
      "  ./headlight train --resume runs/train --steps 10000\n\n"
      "Exit status: 0 when training ended, with or without a head (summary.json: passed), 2 for an error.");
  c->callback([o, &chosen] { chosen = [o](const std::string& typed) { return train_command(*o, typed); }; });
}

}  // namespace headlight::inline HEADLIGHT_PRECISION::app

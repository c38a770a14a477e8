#include <fmt/core.h>

#include <optional>

#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "app/target_folder.h"
#include "app/training.h"
#include "headlight/autograd/anomaly.h"
#include "headlight/system/folder.h"
#include "headlight/system/run_main.h"
#include "program/exit_status.h"
#include "train.h"

namespace headlight::app {
namespace {

using run::Experiment;

std::string folder_of(const TrainOptions& o) {
  if (!o.out.empty()) return o.out;
  return o.resume.empty() ? first_free("runs/train") : o.resume;
}

bool goes_on_in(const std::string& folder, const TrainOptions& o) {
  return !o.resume.empty() && FolderLock::resolve(folder) == FolderLock::resolve(o.resume);
}

// In the rank that prints and saves.
int train_here(const TrainOptions& o, const std::string& folder, const FolderLock& lock, Experiment& run,
               const std::function<bool()>& stopping) {
  if (run.steps_done() > 0)
    fmt::print("Going on at step {} of {}.\n", run.steps_done(), run.config().train.steps);
  if (o.out.empty() && o.resume.empty())
    fmt::print("{}", in_lines(fmt::format("This run will be saved in {}.", folder)));
  if (run.model().config().n_positions() > interpret::kLongestPattern)
    fmt::print("{}",
               in_lines(fmt::format("Without head scores, a certificate and a page: these draw patterns, of "
                                    "contexts of up to {} tokens.",
                                    interpret::kLongestPattern)));
  fmt::print("{}\n", nn::summary(run.model()));
  std::fflush(stdout);
  run::Results results;
  try {
    results = train_and_save(run, lock, o.checkpoint_every, stopping).results;
  } catch (const train::Diverged& e) {
    std::fflush(stdout);
    note("headlight: {}", e.what());
    return kNotFound;
  }
  print_results(results, run.task(), draw::color_mode(!o.no_color));
  print_files(folder);
  if (results.interrupted) print_resume(folder);
  return results.interrupted ? kInterrupted : results.diverged ? kNotFound : kFound;
}

int train_in(const Rank& rank, const TrainOptions& o, const std::string& typed) {
  const std::string folder = folder_of(o);
  if (rank.leads) check_not_working_in(folder);
  std::optional<FolderLock> lock;  // before the run is read: nobody may replace it meanwhile
  if (rank.leads && goes_on_in(folder, o) && std::filesystem::is_directory(folder)) lock.emplace(folder);
  Experiment run = asked_run(o, typed, rank);
  check(!run.done(), "'{}' has been trained for all its {} steps.{}", o.resume, run.steps_done(),
        more_steps(run.steps_done()));
  if (rank.begin) rank.begin(run);
  if (!rank.leads) return train_along(run, rank.stopping), 0;
  if (!lock) {
    check_no_run_file({"--out", folder});
    lock.emplace(folder);
  }
  if (!o.force && !goes_on_in(folder, o)) check_free(folder);
  return train_here(o, folder, *lock, run, rank.stopping);
}

int train_command(const TrainOptions& o, const std::string& typed, const OverRanks& over_ranks) {
  check(o.checkpoint_every >= 0, "--checkpoint-every must be at least 0, got {}.", o.checkpoint_every);
  std::optional<AnomalyScope> watched;
  if (o.anomaly) watched.emplace();
  check(o.ranks.timeout >= 0.1 && o.ranks.timeout <= 1e6,
        "--rank-timeout must be from 0.1 to 1000000, got {}.", o.ranks.timeout);
  const auto body = [&](const Rank& rank) { return train_in(rank, o, typed); };
  return over_ranks ? over_ranks(o.ranks, body) : body({.threads = o.ranks.threads});
}

}  // namespace

void add_train(CLI::App& program, Action& chosen, const OverRanks& over_ranks) {
  auto o = std::make_shared<TrainOptions>();
  CLI::App* c = program.add_subcommand("train", "Train a model of your own and score its heads");
  c->add_option("--config", o->config_file,
                "Settings as JSON, as in a run's config.json; flags override them");
  c->add_option("--out", o->out,
                "Folder for the run (default: runs/train, or the first free of runs/train-2, …; with "
                "--resume: the same folder; another --out leaves the old run as it is)");
  c->add_flag("--force", o->force, "Replace the run that is in the folder");
  c->add_option("--resume", o->resume, "Continue the run in this folder, to its end or to --steps")
      ->excludes("--config");
  c->add_option("--checkpoint-every", o->checkpoint_every,
                "Save the run every INT steps; 0: at the end only (0)");
  c->add_option("--threads", o->ranks.threads, "Threads; 0: all cores. Does not affect results")
      ->capture_default_str();
  c->add_option("--rank-timeout", o->ranks.timeout,
                "Seconds to wait for a rank that shows no life (see docs/ranks.md)")
      ->capture_default_str();
  c->add_flag("--no-color", o->no_color, "Draw in plain text");
  c->add_flag("--anomaly", o->anomaly, "Stop at the first op that returns a NaN or an infinity, and name it");
  add_settings(*c, o->typed);
  c->footer(
      "\nExamples:\n  ./headlight train --layers 1 --out runs/one_layer\n"
      "  ./headlight train --task copy --positions learned --steps 2000\n"
      "  ./headlight train --config runs/demo/config.json --seed 3 --out runs/again\n"
      "  ./headlight train --steps 5000 --checkpoint-every 500\n"
      "  ./headlight train --resume runs/train --steps 10000\n\n"
      "Exit status: 0 when training ended, with or without an induction head (summary.json: passed); 1 when "
      "it\n"
      "diverged; 2 for an error.");
  c->callback([o, over_ranks, &chosen] {
    chosen = [o, over_ranks](const std::string& typed) { return train_command(*o, typed, over_ranks); };
  });
}

}  // namespace headlight::app

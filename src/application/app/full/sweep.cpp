#include "headlight/sweep/sweep.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "app/options/settings.h"
#include "app/output/lines.h"
#include "app/output/output_files.h"
#include "commands.h"
#include "headlight/core/check.h"
#include "headlight/ranks/mpi_wire.h"
#include "headlight/sweep/sweep_results.h"
#include "headlight/system/interrupt.h"
#include "program/exit_status.h"
#include "sweep_progress.h"

namespace headlight::app {
namespace {

struct SweepCommand {
  std::string config_file, out = "runs/sweep", seeds;
  std::vector<std::string> varied;
  int jobs = 0;
  TypedSettings typed;
};

sweep::SweepPlan plan_of(const SweepCommand& o) {
  check(!o.seeds.empty() || !o.varied.empty(),
        "a sweep needs settings or seeds that vary. Hint: --set heads=1,2,4, or --seeds 0..9, or both.");
  check(o.seeds.empty() || !o.typed.names.contains("train.seed"), "--seed and --seeds exclude each other.");
  sweep::SweepPlan plan;
  for (const std::string& text : o.varied) {
    plan.varied.push_back(sweep::varied_setting(text));
    const run::NamedSetting& setting = plan.varied.back().setting;
    check(!o.typed.names.contains(setting.part + "." + setting.row->key),
          "{} is given one value, and varies by --set {}.", setting.row->flag, text);
  }
  return plan;
}

// Of the processes of a launcher only the first prints.
bool leads() { return ranks::launched_rank() == 0; }

// False when it was stopped.
bool run_to_end(sweep::Sweep& sweep, sweep::SweepOptions options) {
  const InterruptScope interrupt;
  const BrokenPipeScope to_the_end;
  options.stop = [&] { return interrupt.requested(); };
  if (!leads()) return sweep.run(options);
  SweepLine line;
  options.look = [&](const auto& progress) { line.show(progress); };
  const bool ended = sweep.run(options);
  line.finish();
  return ended;
}

void print_sweep(const sweep::Sweep& sweep, const std::string& out) {
  const auto& rows = sweep.rows();
  fmt::print("{}", draw::terminal_table(sweep::combinations_table(sweep.plan(), rows)));
  fmt::print("\n{}", in_lines("Median over the seeds, with the least and the largest value."));
  const draw::Table failures = sweep::failures_table(rows);
  if (!failures.rows.empty()) fmt::print("\n{}", draw::terminal_table(failures));
  const bool all_saved = std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.results; });
  fmt::print("\n{}",
             in_lines(fmt::format("In {}/: {}, and a folder for each {}", out, fmt::join(sweep.files(), ", "),
                                  all_saved ? "run" : "run that was saved")));
}

int sweep_command(const SweepCommand& o, const std::string& typed) {
  check(o.jobs >= 0, "--jobs must be at least 0, got {}.", o.jobs);
  check_no_run_file({"--out", o.out});
  sweep::SweepPlan plan = plan_of(o);
  std::optional<sweep::Sweep> sweep;
  with_typed_config(o.typed, o.config_file, [&](const run::RunConfig& config) {
    plan.base = config;
    plan.seeds = o.seeds.empty() ? std::vector{config.train.seed} : sweep::seeds_from_text(o.seeds);
    sweep.emplace(plan, o.out);
  });
  const bool ended = run_to_end(*sweep, {.jobs = o.jobs, .command = typed});
  // mpirun ends all processes when one has another status, so the first one's tells how the sweep ended.
  if (!leads()) return ended ? kFound : kInterrupted;
  print_sweep(*sweep, o.out);
  if (!ended) {
    fmt::print("\nStopped. The same command goes on where it was.\n");
    return kInterrupted;
  }
  return sweep::failures_table(sweep->rows()).rows.empty() ? kFound : kNotFound;
}

}  // namespace

void add_sweep(CLI::App& program, Action& chosen) {
  auto o = std::make_shared<SweepCommand>();
  CLI::App* c = program.add_subcommand("sweep", "Many runs at once: all combinations of settings and seeds");
  c->add_option("--set", o->varied, "A setting and its values: heads=1,2,4; may be given several times");
  c->add_option("--seeds", o->seeds, "Seeds of every combination: 0..9, or 1,5,7 (the seed alone)");
  c->add_option("--config", o->config_file,
                "Settings as JSON, as in a run's config.json; flags override them");
  c->add_option("--out", o->out, "Folder for the sweep")->capture_default_str();
  c->add_option("--jobs", o->jobs, "Runs at once, each on one thread; 0: all cores. Does not affect results")
      ->capture_default_str();
  add_settings(*c, o->typed);
  c->footer(
      "\n"
      "A sweep that was stopped by Ctrl-C goes on with the same command. Runs that have ended "
      "are kept; each has\n"
      "the same numbers as the same run made alone.\n\n"
      "The same command, started again while the sweep runs, joins it, also from another "
      "machine that shares the\n"
      "folder. Each process takes runs that no other has, and those of a process that died. "
      "docs/sweeps.md has the\n"
      "details.\n\n"
      "Examples:\n"
      "  ./headlight sweep --seeds 0..4 --set heads=1,2,4\n"
      "  ./headlight sweep --seeds 0..9 --set positions=rotary,learned --set layers=1,2 --steps "
      "400\n"
      "  ./headlight sweep --set lr=1e-3,3e-3,1e-2 --optimizer muon --out runs/muon\n"
      "  mpirun --hostfile hosts --map-by ppr:1:node ./headlight sweep --seeds 0..99\n\n"
      "Exit status: 0 when all runs ended; 1 when one of them failed or diverged; 2 for an "
      "error; 130 when it was\n"
      "stopped.");
  c->callback([o, &chosen] { chosen = [o](const std::string& typed) { return sweep_command(*o, typed); }; });
}

}  // namespace headlight::app

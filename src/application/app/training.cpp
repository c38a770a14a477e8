#include "training.h"

#include <fmt/core.h>

#include <limits>

#include "app/output/elapsed_line.h"
#include "app/output/lines.h"
#include "app/output/progress.h"
#include "app/output/results_text.h"
#include "headlight/draw/page_policy.h"
#include "headlight/page/run_page.h"
#include "headlight/run/run_files.h"
#include "headlight/system/files.h"
#include "headlight/system/run_main.h"

namespace headlight::app {
namespace {

// Beside the folder's metrics.jsonl, which may belong to an earlier run that is still whole. Returns a
// sentence that says so.
std::string leave_metrics(const run::Experiment& run, const std::filesystem::path& folder) {
  std::string lines;
  for (const run::Metrics& m : run.metrics()) lines += run::metrics_line(m) + "\n";
  const std::filesystem::path file = folder / run::files::kFailed;
  try {
    write_file(file, lines);
  } catch (const Error& e) {
    return fmt::format(" What was measured until then is lost: {}", e.what());
  }
  return fmt::format(" What was measured until then is in {}.", file.string());
}

// A step; of a run that cannot go on for another reason than divergence the metrics stay.
void step(run::Experiment& run, const std::filesystem::path& folder) {
  try {
    run.step();
  } catch (const train::Diverged&) {
    throw;
  } catch (const Error& e) {
    throw Error(e.what() + leave_metrics(run, folder));
  } catch (...) {
    leave_metrics(run, folder);
    throw;
  }
}

// A page that cannot be drawn is no reason not to save the run.
run::Run save(const run::Experiment& experiment, const FolderLock& lock) {
  run::Run run = experiment.measure();
  const std::string folder = lock.folder().string();
  Files pages;
  std::string without_page;
  try {
    pages = page::pages_of(run, lock.folder().filename().string(), 0, draw::built_engine());
  } catch (const Error& e) {
    without_page = e.what();
  }
  write_run(lock, run, pages);
  check(without_page.empty(), "the run is saved in '{}', but its page cannot be drawn: {}", folder,
        without_page);
  return run;
}

}  // namespace

run::Run train_and_save(run::Experiment& run, const FolderLock& lock, std::int64_t checkpoint_every,
                        const std::function<bool()>& stopping) {
  const auto progress = std::make_shared<Progress>(run);
  run.observe(progress);
  const InterruptScope interrupt;
  const BrokenPipeScope to_the_end;
  try {
    while (!run.done() && !stopping()) {
      step(run, lock.folder());
      if (checkpoint_every > 0 && run.steps_done() % checkpoint_every == 0 && !run.done()) save(run, lock);
    }
    progress->finish();
    if (!run.done())
      note("headlight: stopped after step {}; what was trained is saved now", run.steps_done());
    const ElapsedLine saving("measuring and saving", stderr, draw::can_redraw(stderr));
    return save(run, lock);
  } catch (const train::Diverged& e) {
    throw train::Diverged(e.what() + leave_metrics(run, lock.folder()));
  }
}

void train_along(run::Experiment& run, const std::function<bool()>& stopping) {
  const InterruptScope interrupt;
  try {
    while (!run.done() && !stopping()) run.step();
  } catch (const train::Diverged&) {  // in all ranks, and the leading one says so
  }
}

void print_results(const run::Results& r, const tasks::Task& task, draw::ColorMode mode) {
  fmt::print("{}", results_text(r, task, mode));
}

void print_files(const std::filesystem::path& folder) {
  std::string names;
  for (const run::RunFile& file : run::run_files())
    if (std::filesystem::exists(folder / file.name))
      names += (names.empty() ? "" : ", ") + std::string(file.name);
  fmt::print("\n{}", in_lines(fmt::format("In {}/: {}", folder.string(), names)));
}

std::string more_steps(std::int64_t done) {
  if (done > std::numeric_limits<std::int64_t>::max() / 2) return "";
  return fmt::format(" Hint: --steps {} goes on.", 2 * done);
}

void print_resume(const std::filesystem::path& folder) {
  fmt::print("\nTo go on: ./headlight train --resume {}\n", in_command(folder));
}

}  // namespace headlight::app

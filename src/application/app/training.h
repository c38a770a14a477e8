// Training as the commands do it: with a progress line, an ear for Ctrl-C, and checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "headlight/draw/color.h"
#include "headlight/run/experiment.h"
#include "headlight/system/interrupt.h"

namespace headlight::app {

// Trains to the end, or until it shall stop, and saves the run with its pages in the lock's folder; also
// every `checkpoint_every` steps, unless that is 0. When training cannot go on, what was measured until then
// is left in the folder as failed_metrics.jsonl, and the error goes on its way with a sentence on that.
run::Run train_and_save(run::Experiment& run, const FolderLock& lock, std::int64_t checkpoint_every = 0,
                        const std::function<bool()>& stopping = InterruptScope::requested);

// The training of a rank that neither prints nor saves.
void train_along(run::Experiment& run, const std::function<bool()>& stopping);

// The head table, the metrics, and the verdict.
void print_results(const run::Results& results, const tasks::Task& task, draw::ColorMode mode);

// The files of the run folder.
void print_files(const std::filesystem::path& folder);

// " Hint: --steps 60 goes on." of a run of 30 steps; empty where so many steps cannot be counted.
std::string more_steps(std::int64_t done);

// The command that continues the run of the folder.
void print_resume(const std::filesystem::path& folder);

}  // namespace headlight::app

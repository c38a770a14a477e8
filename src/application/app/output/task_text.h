// What ./headlight task prints.
#pragma once

#include <string>
#include <vector>

#include "headlight/draw/color.h"
#include "headlight/run/baselines.h"
#include "headlight/tasks/task.h"

namespace headlight::app {

// Every task of the registry with its sentence.
std::string list_of_tasks();

// What a task is, what to look for, and its sizes.
std::string description_of(const tasks::Task& task);

// The losses of simple predictors and of the best possible one, on 256 sequences, or on fewer large ones.
struct MeasuredLosses {
  std::vector<run::Baseline> baselines;
  std::size_t sequences;
};
MeasuredLosses measured_losses(const tasks::Task& task, std::uint64_t seed);
std::string losses_text(const tasks::Task& task, const MeasuredLosses& losses);

// The tokens of a sequence above its targets, in lines of at most `columns`. Predictable targets are green;
// without colours a "^" stands below each.
std::string sample_text(const tasks::Task& task, const tasks::Sequence& sequence, draw::ColorMode mode,
                        std::size_t columns);

// Whether target t follows from the tokens so far, and whether any does.
bool is_predictable(const tasks::Sequence& sequence, std::size_t t);
bool has_predictable(const tasks::Sequence& sequence);

}  // namespace headlight::app

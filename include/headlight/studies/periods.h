// Accuracy against the period: what a model does on segments of every length, trained or not.
#pragma once

#include <cstddef>
#include <vector>

#include "headlight/core/rng.h"
#include "headlight/core/thread_pool.h"
#include "headlight/draw/chart.h"
#include "headlight/draw/table.h"
#include "headlight/run/run.h"

namespace headlight::studies {

inline constexpr std::size_t kSequencesPerPeriod = 32;  // on which each accuracy is measured

inline constexpr std::size_t kMostPeriods = 128;

struct PeriodAccuracy {
  std::size_t period;  // length of the segment, in tokens
  double accuracy;     // fraction of predictable tokens that are the model's most likely next token, 0 … 1
  bool trained;        // whether training draws segments of this length
};

// Periods 4 … n_ctx - 4, as far as the task can draw them: a segment of different tokens is at most as long
// as the vocabulary. Below 4, a previous-token head predicts too; above n_ctx - 4 few tokens are predictable.
// If there are more than `most` periods, they are taken at equal distances, so that at most `most` are left.
// Throws Error for a task without segments, if no period is left, and for `most` of 0.
std::vector<std::size_t> measured_periods(const tasks::Task& task, std::size_t most = kMostPeriods);

// For each of these periods P, the accuracy on predictable tokens of 32 sequences of the task, all with
// segments of length P. The sequences come from rng.stream("periods", P). They have the context's length, so
// a longer period leaves fewer predictable tokens: for repeat 32·(n_ctx - P). Olsson et al. 2022 measure
// induction on one period; a head that works by position passes there, and fails at other periods.
// Throws as measured_periods.
std::vector<PeriodAccuracy> accuracy_by_period(const nn::Transformer& model, const tasks::Task& task,
                                               const Rng& rng, ThreadPool& pool,
                                               std::size_t most = kMostPeriods);

// The same of a run, with its seed.
std::vector<PeriodAccuracy> accuracy_by_period(const run::Run& run, ThreadPool& pool,
                                               std::size_t most = kMostPeriods);

// Accuracy against period, 0 … 1, in two colours: periods in training, and other periods. Where the two meet,
// the line of the other periods begins at the last trained one, so that the curve has no gap.
draw::Chart periods_chart(const std::vector<PeriodAccuracy>& accuracies);

// A row per period: period, accuracy unrounded, trained (1 or 0).
draw::Table periods_table(const std::vector<PeriodAccuracy>& accuracies);

}  // namespace headlight::studies
